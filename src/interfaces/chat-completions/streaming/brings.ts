/** What a chunk brings: members of deltas that say something, the reason why a choice ended, usage. */
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
