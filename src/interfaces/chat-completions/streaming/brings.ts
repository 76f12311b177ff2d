/** The parts that a chunk brings: members of deltas that say something, the reason why a choice ended, usage; and its pieces of text. */
import { isObject } from "../../../wire/json.ts";

const ofDelta = ["role", "content", "refusal", "tool_calls", "function_call"];

const says = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

export function bringsOf(data: unknown): string[] {
  if (!isObject(data)) return [];
  const brought = new Set<string>();
  for (const choice of Array.isArray(data["choices"]) ? data["choices"] : []) {
    if (!isObject(choice)) continue;
    const { delta, finish_reason } = choice;
    for (const name of isObject(delta) ? ofDelta : [])
      if (says((delta as Record<string, unknown>)[name])) brought.add(`delta.${name}`);
    if (says(finish_reason)) brought.add("finish_reason");
  }
  if (says(data["usage"])) brought.add("usage");
  return [...brought];
}

/** Texts of deltas, whatever they are called, and of arguments; the role is none that comes in pieces, nor is the start of a call. */
export function piecesOf(data: unknown): string[] {
  const choices = isObject(data) && Array.isArray(data["choices"]) ? data["choices"] : [];
  return choices.flatMap((choice: unknown) => {
    const delta = isObject(choice) && isObject(choice["delta"]) ? choice["delta"] : {};
    const texts = Object.entries(delta).flatMap(([name, value]) => (name === "role" ? [] : [value]));
    const calls = (Array.isArray(delta["tool_calls"]) ? delta["tool_calls"] : []).filter(isObject);
    const pieces = calls.filter(({ id }) => !says(id)).map(({ function: called }) => called);
    return [
      ...texts.filter((text): text is string => typeof text === "string" && text !== ""),
      ...[...pieces, ...(says(delta["function_call"]) ? [delta["function_call"]] : [])].map((one) =>
        isObject(one) && typeof one["arguments"] === "string" ? one["arguments"] : "",
      ),
    ];
  });
}
