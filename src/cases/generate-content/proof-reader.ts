/** How the proof client reads generated content. */
import { isObject } from "../../wire/json.ts";
import type { Has } from "../proof/faults.ts";
import { type AnswerReader, parsed, type Reading, ReportedError } from "../proof/reading.ts";
import type { Json } from "../voice.ts";

// biome-ignore lint/suspicious/noExplicitAny: what comes may have any shape.
type Loose = any;

function reported(data: Json): void {
  if (isObject(data["error"])) throw new ReportedError(String(data["error"]["message"]));
}

export function proofReader(has: Has): AnswerReader {
  let before = "";

  function addText(reading: Reading, text: string): void {
    if (has("drops-repeats") && text === before) return;
    before = text;
    if (!has("drops-blank-pieces") || text.trim() !== "") reading.texts.push(text);
  }

  function addReply(reading: Reading, reply: Json): void {
    if (!has("error-event-swallowed")) reported(reply);
    if (isObject(reply["promptFeedback"]) && reply["promptFeedback"]["blockReason"]) {
      reading.finish = String(reply["promptFeedback"]["blockReason"]);
      reading.isOver = true;
    }
    if (has("content-required")) void (reply as Loose).candidates[0].content.parts[0];
    const [candidate] = Array.isArray(reply["candidates"]) ? reply["candidates"] : [];
    if (!isObject(candidate)) return;
    const content = isObject(candidate["content"]) ? candidate["content"] : {};
    const all = Array.isArray(content["parts"]) ? content["parts"].filter(isObject) : [];
    for (const part of has("first-block-only") ? all.slice(0, 1) : all) {
      if (typeof part["text"] === "string" && (!part["thought"] || has("thoughts-as-text")))
        addText(reading, part["text"]);
      const call = part["functionCall"];
      if (!isObject(call) || (has("first-call-only") && reading.calls.length > 0)) continue;
      reading.calls.push({ name: String(call["name"]), id: undefined, arguments: JSON.stringify(call["args"] ?? {}) });
    }
    if (candidate["finishReason"]) {
      reading.finish = String(candidate["finishReason"]);
      reading.isOver = true;
    }
  }

  return {
    event(reading, _event, data) {
      if (data.trim() === "" || data.trim() === "[DONE]") return;
      const value = parsed(data);
      if (isObject(value)) addReply(reading, value);
    },
    body(reading, body) {
      const replies = Array.isArray(body) ? body : [body];
      if (!replies.every(isObject)) throw new TypeError("the reply is no object");
      for (const reply of replies) addReply(reading, reply);
      reading.isOver = true;
    },
  };
}
