/** How the proof client reads chat completions. */
import { isObject } from "../../wire/json.ts";
import type { Has } from "../proof/faults.ts";
import { type AnswerReader, parsed, type Reading, ReportedError } from "../proof/reading.ts";
import type { Json } from "../voice.ts";

// biome-ignore lint/suspicious/noExplicitAny: what comes may have any shape.
type Loose = any;

const contentText = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map((part: Loose) => (typeof part?.text === "string" ? part.text : "")).join("")
      : "";

function reported(data: Json): void {
  if (!isObject(data["error"]) && typeof data["error"] !== "string") return;
  throw new ReportedError(isObject(data["error"]) ? String(data["error"]["message"]) : String(data["error"]));
}

/** Adds a piece of a call to those that came. */
function addCall(reading: Reading, piece: Loose, has: Has, slots: Map<unknown, number>): void {
  const { index, id, function: own } = piece ?? {};
  if (has("index-required") && index === undefined) return;
  const { calls } = reading;
  const last = calls.at(-1);
  const isNewId = typeof id === "string" && id !== "" && last !== undefined && last.id !== id;
  const at = has("index-ignored")
    ? isNewId || !last
      ? undefined
      : calls.length - 1
    : index === undefined
      ? isNewId || !last
        ? undefined
        : calls.length - 1
      : slots.get(index);
  const known = at === undefined ? undefined : calls[at];
  // Calls that share an index and have ids of their own are several.
  if (!known || (isNewId && known === last && own?.name)) {
    if (index !== undefined) slots.set(index, calls.length);
    const given = typeof own?.arguments === "string" ? own.arguments : JSON.stringify(own?.arguments ?? {});
    calls.push({ name: own?.name ?? "", id, arguments: own?.arguments === undefined ? "" : given });
    return;
  }
  if (typeof own?.arguments !== "string") return;
  known.arguments = has("arguments-replaced") ? own.arguments : known.arguments + own.arguments;
}

export function proofReader(has: Has): AnswerReader {
  const slots = new Map<unknown, number>();
  let before = "";

  function addText(reading: Reading, text: string): void {
    if (has("drops-repeats") && text === before) return;
    before = text;
    if (!has("drops-blank-pieces") || text.trim() !== "") reading.texts.push(text);
  }

  return {
    event(reading, _event, data) {
      const marker = has("done-exact") ? data : data.trim();
      if (marker === "[DONE]") {
        reading.isEnded = true;
        return;
      }
      if (reading.isEnded) return;
      if (data.trim() === "") return;
      const chunk = parsed(data);
      if (has("first-choice-unchecked")) void (chunk as Loose).choices[0].delta.content;
      if (!isObject(chunk)) return;
      if (!has("error-event-swallowed")) reported(chunk);
      const [choice] = Array.isArray(chunk["choices"])
        ? chunk["choices"].filter((one) => isObject(one) && !one["index"])
        : [];
      if (!isObject(choice)) return;
      const delta = isObject(choice["delta"]) ? choice["delta"] : {};
      if (has("thoughts-as-text")) addText(reading, contentText(delta["reasoning_content"]));
      const text = contentText(delta["content"]);
      if (text !== "") addText(reading, text);
      if (Array.isArray(delta["tool_calls"]))
        for (const piece of delta["tool_calls"]) addCall(reading, piece, has, slots);
      if (choice["finish_reason"]) {
        reading.finish = String(choice["finish_reason"]);
        reading.isOver = true;
      }
    },
    body(reading, body) {
      if (!isObject(body)) throw new TypeError("the reply is no object");
      reported(body);
      const [choice] = Array.isArray(body["choices"]) ? body["choices"] : [];
      if (!isObject(choice) || !isObject(choice["message"])) throw new TypeError("the reply has no choice");
      const { content, tool_calls: calls } = choice["message"];
      const text = contentText(content);
      if (!has("drops-blank-pieces") || text.trim() !== "") reading.texts.push(text);
      for (const { id, function: own } of Array.isArray(calls) ? (calls as Loose[]) : []) {
        const given = typeof own.arguments === "string" ? own.arguments : JSON.stringify(own.arguments);
        reading.calls.push({ name: own.name, id, arguments: given });
      }
      reading.finish = typeof choice["finish_reason"] === "string" ? choice["finish_reason"] : undefined;
      reading.isOver = true;
    },
  };
}
