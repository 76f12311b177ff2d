/** Makes what a target sent safe to print: no control characters reach a terminal or an XML file. */
import { controls, escapeUnit } from "../check/controls.ts";

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const everyControl = new RegExp(controls, "g");

/** Characters of one text that are shown, whoever wrote the results. */
const maxShown = 20_000;

/** At most `maxLength` characters of the text, and how many it had where that is less; cuts no character in two. */
export function shortened(text: string, maxLength = maxShown): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")}… (${text.length} characters)`;
}

const escaped = (c: string): string => named[c] ?? escapeUnit(c);

/** The text with control characters, direction marks and lone surrogates written as escapes. */
export function printable(text: string): string {
  return shortened(text).replace(loneSurrogates, escaped).replace(everyControl, escaped);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * A text as XML character data: escaped, and without what XML 1.0 cannot hold. Line feeds and tabs stay; what stands in an
 * attribute, where XML reads them as spaces, is made `printable` before.
 */
export function xmlText(text: string): string {
  return shortened(text)
    .replace(loneSurrogates, escaped)
    .replace(everyControl, (c) => (c === "\n" || c === "\t" ? c : escaped(c)))
    .replace(/[\ufffe\uffff]/g, escaped)
    .replace(/[&<>"']/g, (c) => entities[c]!);
}
