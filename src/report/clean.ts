/** Makes what a target sent safe to print: no control characters reach a terminal or an XML file. */
import { controls, escapeUnit } from "../check/controls.ts";

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const everyControl = new RegExp(controls, "g");

const escaped = (c: string): string => named[c] ?? escapeUnit(c);

/** The text with control characters, direction marks and lone surrogates written as escapes. */
export function printable(text: string): string {
  return text.replace(loneSurrogates, escaped).replace(everyControl, escaped);
}

/** A text as XML character data or attribute value: escaped, and without what XML 1.0 cannot hold. */
export function xmlText(text: string): string {
  return text
    .replace(loneSurrogates, escaped)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, escaped)
    .replace(/[&<>"'\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`);
}
