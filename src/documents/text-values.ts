/** Parses the values of parameters and form fields. */
import type { Schema } from "./clauses.ts";
import type { TypeName } from "./json-types.ts";

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses a text as one of its types; returns the text if it has none of them. Accepts spellings such as `True`. */
export function valueBehind(text: string, types: ReadonlySet<TypeName>): unknown {
  if (types.has("string")) return text;
  if ((types.has("integer") || types.has("number")) && number.test(text)) return Number(text);
  if (types.has("boolean") && /^(?:true|false|1|0)$/i.test(text)) return /^(?:true|1)$/i.test(text);
  return types.has("null") && /^(?:null|)$/.test(text) ? null : text;
}

/** Placeholder for an unknown value: redacted, or ambiguous text. */
export const unknownValue = "[redacted]";

/** Whether a part of a text is redacted. */
export const isRedacted = (text: string): boolean => text.includes(unknownValue);

/** A partly redacted value. It is not judged. */
export const redacted: Schema = { type: "string", pattern: "\\[redacted\\]" };
