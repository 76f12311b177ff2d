/** Reads texts of parameters and forms as the values that they stand for. */
import type { Schema } from "./clauses.ts";
import type { TypeName } from "./json-types.ts";

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The value that a text stands for; the text itself where its types know no such one. Spellings of languages are taken. */
export function valueBehind(text: string, types: ReadonlySet<TypeName>): unknown {
  if (types.has("string")) return text;
  if ((types.has("integer") || types.has("number")) && number.test(text)) return Number(text);
  if (types.has("boolean") && /^(?:true|false|1|0)$/i.test(text)) return /^(?:true|1)$/i.test(text);
  return types.has("null") && /^(?:null|)$/.test(text) ? null : text;
}

/** Placeholder for an unknown value: redacted, or ambiguous text. */
export const unknownValue = "[redacted]";

/** Whether redaction left a part of a text. */
export const isRedacted = (text: string): boolean => text.includes(unknownValue);

/** A value of which redaction left a part: nothing is known of it. */
export const redacted: Schema = { type: "string", pattern: "\\[redacted\\]" };
