/** Formats allowed values for a finding's `expected`, shortened to what people read. */
import { headOfJson } from "./excerpt.ts";

/** Characters of a list that are written; a list that is longer says how many there are. */
const maxLength = 300;

/** The parts joined, or the first of them and the number of all. */
export function formatList<T>(parts: readonly T[], separator: string, write: (part: T) => string): string {
  let text = "";
  for (let i = 0; i < parts.length; i++) {
    if (text.length > maxLength) return `${text.slice(0, maxLength)}… (${parts.length} in all)`;
    if (i > 0) text += separator;
    text += write(parts[i]!);
  }
  return text.length > maxLength ? `${text.slice(0, maxLength)}… (${parts.length} in all)` : text;
}

/** A value as JSON, of a long one its beginning. */
export const quoted = (value: unknown): string => headOfJson(value, maxLength);
