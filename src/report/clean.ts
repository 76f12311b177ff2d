/** Makes what a target sent safe to print: no control characters reach a terminal or an XML file. */
import { controls, escapeUnit } from "../check/controls.ts";

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const everyControl = new RegExp(controls, "g");

/** Characters of one text that are shown, whoever wrote the results. */
const mostShown = 20_000;

const cut = (text: string): string =>
  text.length > mostShown ? `${text.slice(0, mostShown)}… (${text.length} characters)` : text;

const escaped = (c: string): string => named[c] ?? escapeUnit(c);

/** The text with control characters, direction marks and lone surrogates written as escapes. */
export function printable(text: string): string {
  return cut(text).replace(loneSurrogates, escaped).replace(everyControl, escaped);
}

/** A text as XML character data or attribute value: escaped, and without what XML 1.0 cannot hold. */
export function xmlText(text: string): string {
  return cut(text)
    .replace(loneSurrogates, escaped)
    .replace(everyControl, (c) => (c === "\n" || c === "\r" || c === "\t" ? c : escaped(c)))
    .replace(/[\ufffe\uffff]/g, escaped)
    .replace(/[&<>"'\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`);
}
