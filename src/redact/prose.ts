/** Finds credentials that follow their names in prose or code, where only a blank stands between them. */
import { backslash, blank, ends, inName, isBlank, isQuote } from "./characters.ts";
import { addSpan, longestLook, quotedEnd, type Scan, textOf, unquotedEnd, valueStart } from "./delimiters.ts";
import { longestName, namingAt } from "./label-names.ts";
import { isProseValue, isWords, shortestKey } from "./values.ts";

/**
 * `PASSWORD '…'`, `the key is …`: the end of the value behind a blank at `at`, where it is a credential; else `at`.
 * @param quoting whether a quote may follow the blank
 */
export function proseValue(scan: Scan, at: number, quoting: boolean): number {
  const { bytes } = scan;
  const isIs = bytes[at - 1] === 115 && bytes[at - 2] === 105 && bytes[at - 3] === blank;
  if (quoting && !isIs && bytes[at + 1] === backslash && !isQuote(bytes[at + 2])) return at;
  // Most words are short and of letters.
  let to = at + 1;
  while (bytes[to] === backslash || isQuote(bytes[to])) to++;
  for (const first = to; to < first + shortestKey; to++) {
    const byte = bytes[to] ?? 0;
    if (ends[byte] === 1) return at;
    if (byte < 58 && byte > 47) break;
  }
  const end = isIs ? at - 3 : at;
  let from = end;
  while (from > end - longestName && inName[bytes[from - 1]!] === 1) from--;
  let naming = namingAt(bytes, from, end);
  // `API key`, `access token`
  if (naming !== "credential" && isBlank(bytes[from - 1]) && (bytes[end - 1] === 121 || bytes[end - 1] === 110)) {
    let word = from - 1;
    while (word > from - longestName && inName[bytes[word - 1]!] === 1) word--;
    naming = namingAt(bytes, word, end);
  }
  if (naming !== "credential") return at;
  const value = valueStart(bytes, at + 1);
  to = value.mark === 0 ? unquotedEnd(scan, value.at) : quotedEnd(scan, value.at, value.mark, value.escapes);
  const said = textOf(bytes, value.at, to).replace(/[.!?]$/, "");
  if (!isProseValue(said) || isWords(said) || /^[a-z]+\d?$/i.test(said)) return at;
  return addSpan(scan, value.at, value.at + Math.min(to - value.at, said.length === longestLook ? to : said.length));
}
