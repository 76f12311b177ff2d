/** The parts that an event brings: parts by what they hold, the reason why a candidate ended, usage; and its pieces of text. */
import { isObject } from "../../../wire/json.ts";
import { memberOf, objectsIn } from "../reading/reply.ts";

const ofPart = ["text", "functionCall", "inlineData", "executableCode", "codeExecutionResult"];

const says = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

export function bringsOf(data: unknown): string[] {
  if (!isObject(data)) return [];
  const brought = new Set<string>();
  for (const { value: candidate } of objectsIn(data["candidates"])) {
    for (const { value: part } of objectsIn(memberOf(candidate, "content")["parts"])) {
      const said = part["thought"] === true ? "thought" : "";
      for (const name of ofPart) if (says(part[name])) brought.add(said || name);
    }
    if (says(candidate["finishReason"])) brought.add("finishReason");
  }
  for (const name of ["promptFeedback", "usageMetadata"]) if (says(data[name])) brought.add(name);
  return [...brought];
}

/** Texts of parts; a call comes whole, so that it is none. */
export const piecesOf = (data: unknown): string[] =>
  objectsIn(isObject(data) ? data["candidates"] : undefined)
    .flatMap(({ value }) => objectsIn(memberOf(value, "content")["parts"]))
    .map(({ value: part }) => part["text"])
    .filter((text): text is string => typeof text === "string" && text !== "");
