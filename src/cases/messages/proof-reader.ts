/** How the proof client reads messages. */
import { isObject } from "../../wire/json.ts";
import type { Has } from "../proof/faults.ts";
import { type AnswerReader, type OpenCall, parsed, type Reading, ReportedError } from "../proof/reading.ts";
import type { Json } from "../voice.ts";

const known = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "error",
]);
const knownBlocks = new Set(["text", "tool_use"]);

function reported(data: Json): void {
  if (data["type"] !== "error" && !isObject(data["error"])) return;
  throw new ReportedError(isObject(data["error"]) ? String(data["error"]["message"]) : "an error without words");
}

const inputOf = (input: unknown): string =>
  isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : "";

export function proofReader(has: Has): AnswerReader {
  const calls = new Map<unknown, OpenCall>();
  let begun = -1;
  let before = "";

  function addText(reading: Reading, text: string): void {
    if (has("drops-repeats") && text === before) return;
    before = text;
    if (has("first-block-only") && begun > 0) return;
    if (!has("drops-blank-pieces") || text.trim() !== "") reading.texts.push(text);
  }

  function start(reading: Reading, index: unknown, block: Json): void {
    begun++;
    if (has("unknown-event-fails") && !knownBlocks.has(String(block["type"])))
      throw new TypeError(`unknown block ${block["type"]}`);
    if (block["type"] === "text" && block["text"]) addText(reading, String(block["text"]));
    if (block["type"] !== "tool_use" || (has("first-block-only") && begun > 0)) return;
    const call = { name: String(block["name"]), id: String(block["id"]), arguments: inputOf(block["input"]) };
    calls.set(index, call);
    reading.calls.push(call);
  }

  function add(reading: Reading, index: unknown, delta: Json): void {
    if (typeof delta["text"] === "string") addText(reading, delta["text"]);
    if (has("thoughts-as-text") && typeof delta["thinking"] === "string") addText(reading, delta["thinking"]);
    const call = has("index-ignored") ? reading.calls[0] : calls.get(index);
    if (!call || typeof delta["partial_json"] !== "string") return;
    call.arguments = has("arguments-replaced") ? delta["partial_json"] : call.arguments + delta["partial_json"];
  }

  return {
    event(reading, event, data) {
      if (data.trim() === "" || data.trim() === "[DONE]") return;
      const value = parsed(data);
      if (!isObject(value)) return;
      if (!has("error-event-swallowed")) reported(value);
      const type = has("event-line-required") ? event : value["type"];
      if (has("unknown-event-fails") && !known.has(String(type))) throw new TypeError(`unknown event ${type}`);
      if (type === "content_block_start" && isObject(value["content_block"]))
        start(reading, value["index"], value["content_block"]);
      else if (type === "content_block_delta" && isObject(value["delta"])) add(reading, value["index"], value["delta"]);
      else if (type === "message_delta" && isObject(value["delta"])) {
        reading.finish = String(value["delta"]["stop_reason"]);
      } else if (type === "message_stop") {
        reading.isOver = true;
        reading.isEnded = true;
      }
    },
    body(reading, body) {
      if (!isObject(body)) throw new TypeError("the reply is no object");
      reported(body);
      const { content } = body;
      if (!Array.isArray(content)) throw new TypeError("the reply has no blocks");
      const blocks = (has("first-block-only") ? content.slice(0, 1) : content) as Json[];
      for (const block of blocks) {
        if (has("unknown-event-fails") && !knownBlocks.has(String(block["type"])))
          throw new TypeError(`unknown block ${block["type"]}`);
        if (block["type"] === "text") reading.texts.push(String(block["text"]));
        if (has("thoughts-as-text") && block["type"] === "thinking") reading.texts.push(String(block["thinking"]));
        if (block["type"] === "tool_use")
          reading.calls.push({
            name: String(block["name"]),
            id: String(block["id"]),
            arguments: JSON.stringify(block["input"]),
          });
      }
      reading.finish = String(body["stop_reason"]);
      reading.isOver = true;
    },
  };
}
