/** Finds faults of a part, or of data in it, on either side. */

import type { Fault } from "../../../check/rule.ts";
import { inWords } from "../../../check/unquoted.ts";
import { base64Problem } from "../../../wire/base64.ts";
import { base64Departure } from "../../common/base64.ts";

type Json = Readonly<Record<string, unknown>>;

/** The kinds of content a part can hold. */
export const partKinds = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
] as const;

const kinds: ReadonlySet<string> = new Set(partKinds);

/** The first member of a part that the document does not list. */
export function unknownMember(part: Json): string | undefined {
  for (const name of Object.keys(part)) if (!kinds.has(name)) return name;
  return undefined;
}

const kindsOf = (part: Json): string[] =>
  partKinds.filter((kind) => Object.hasOwn(part, kind) && part[kind] !== null && part[kind] !== undefined);

/** The fault in the number of kinds a part holds (reading G-PART-UNION), or undefined. */
export function unionFault(part: Json): Pick<Fault, "expected" | "actual" | "reading"> | undefined {
  const held = kindsOf(part);
  // A part of undocumented members only says something that the documents do not; that is not the same as nothing.
  if (held.length === 1 || (held.length === 0 && unknownMember(part) !== undefined)) return undefined;
  const besideText = held.length === 2 && held.includes("text");
  return {
    expected: "exactly one kind of content",
    actual: inWords(held.length === 0 ? "none" : held.join(", ")),
    reading: { id: "G-PART-UNION", default: "warning", strict: besideText ? "warning" : "error" },
  };
}

/** Thought parts are not described, and tolerated. */
export const thoughtReading = { id: "G-THOUGHT", default: "off", strict: "warning" } as const;

/** A fault's remainder for decodable but odd base64 (reading X-BASE64), or undefined. */
export function base64Fault(text: unknown): Pick<Fault, "expected" | "actual" | "hint" | "reading"> | undefined {
  if (typeof text !== "string" || base64Problem(text) !== undefined) return undefined;
  const departure = base64Departure(text);
  return departure && { expected: "base64 in its standard form", actual: text, ...departure };
}
