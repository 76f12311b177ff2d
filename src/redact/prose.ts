/** Finds credentials that follow their names in prose or code, where only a blank stands between them. */
import { backslash, blank, ends, inName, isBlank, isQuote } from "./characters.ts";
import { addSpan, looseEnd, maxLookahead, quotedEnd, type Scan, textBetween, valueStart } from "./delimiters.ts";
import { maxNameLength, namingAt } from "./label-names.ts";
import { isCrypt, isRandom, isScrambled, isWords, shortestKey } from "./looks.ts";
import { type Naming, namingOf } from "./names.ts";
import { isProseValue, isSetting } from "./values.ts";

/** The bytes of words, and those that may follow one. */
const inWords = new Uint8Array(256).fill(1, 128);
for (const byte of Buffer.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-./:?")) inWords[byte] = 1;

/** How long the word for "is" is that ends at a byte, behind a blank; 0 where none does: `is`, `ist`, `es`, `est`. */
export function copulaBefore(bytes: Buffer, at: number): number {
  let end = at;
  if (bytes[end - 1] === 116) end--;
  if (bytes[end - 1] !== 115 || bytes[end - 3] !== blank) return 0;
  return bytes[end - 2] === 105 || bytes[end - 2] === 101 ? at - end + 2 : 0;
}

/** Whether a value may begin at a byte that is no word: most words are short and of letters. */
export function mayBeValue(bytes: Buffer, at: number): boolean {
  let to = at;
  while (bytes[to] === backslash || isQuote(bytes[to])) to++;
  for (const first = to; to < first + shortestKey; to++) {
    const byte = bytes[to] ?? 0;
    if (ends[byte] === 1) return false;
    if ((byte < 58 && byte > 47) || inWords[byte] === 0 || (byte < 91 && bytes[to - 1]! > 96)) return true;
  }
  return true;
}

/**
 * `PASSWORD '…'`, `the key is …`: the end of the value behind a blank at `at`, where it is a credential; else `at`.
 * @param quoting whether a quote may follow the blank
 */
export function proseValue(scan: Scan, at: number, quoting: boolean): number {
  const { bytes } = scan;
  const copula = copulaBefore(bytes, at);
  const isIs = copula > 0;
  if (quoting && !isIs && bytes[at + 1] === backslash && !isQuote(bytes[at + 2])) return at;
  if (!mayBeValue(bytes, at + 1)) return at;
  const end = isIs ? at - copula - 1 : at;
  if (isIs) {
    const to = phrasedValue(scan, at, end);
    if (to > at) return to;
  }
  let from = end;
  while (from > end - maxNameLength && inName[bytes[from - 1]!] === 1) from--;
  let naming = namingAt(bytes, from, end);
  // `API key`, `access token`, `mot de passe`
  let word = from;
  for (let words = 0; words < (isIs ? 2 : 1) && naming !== "credential" && isBlank(bytes[word - 1]); words++) {
    if (!isIs && bytes[end - 1] !== 121 && bytes[end - 1] !== 110) break;
    word--;
    while (word > from - maxNameLength && inName[bytes[word - 1]!] === 1) word--;
    naming = namingAt(bytes, word, end);
  }
  if (naming !== "credential") return at;
  const value = valueStart(bytes, at + 1);
  const to = value.mark === 0 ? looseEnd(scan, value.at) : quotedEnd(scan, value.at, value.mark, value.escapes);
  const said = textBetween(bytes, value.at, to).replace(/[.!?]$/, "");
  if (!isProseValue(said) || (!isScrambled(said) && (isWords(said) || /^[a-z]+\d?$/i.test(said)))) return at;
  return addSpan(scan, value.at, value.at + Math.min(to - value.at, said.length === maxLookahead ? to : said.length));
}

/** How far before a value the words are read that say what it is. */
const maxPhraseLength = 96;

/** The words after the name of a credential in a phrase: `the API key for prod is`. */
const inPhrase =
  /^(?:for|of|to|on|in|from|at|we|you|i|that|which|as|with|your|our|my|now|currently|still|used|is|was)$/;

/** The beginning of the last sentence of a text. An expression for it would try every start: each event of a stream asks. */
export function lastSentence(text: string): number {
  let from = text.length;
  while (from > 0 && !'.!?;:\n"'.includes(text[from - 1]!)) from--;
  return from;
}

/** The meaning of a credential's name that a sentence has before a byte, with further words behind the name. */
function namedBefore(bytes: Buffer, end: number): Naming {
  const text = textBetween(bytes, Math.max(0, end - maxPhraseLength), end);
  const words = text
    .slice(lastSentence(text))
    // `my key (prod) is`, `Password (temporary):`
    .replace(/\([^()]{0,40}\)$/, "is")
    .replace(/\([^()]{0,40}\)/g, "")
    .trim()
    .split(/\s+/);
  for (let i = words.length - 2; i >= 0 && i > words.length - 10; i--) {
    if (!inPhrase.test(words[i + 1]!.toLowerCase())) continue;
    const word = words[i]!.replace(/^.*\\n/, "");
    const together =
      i > 0 && /^(?:key|token|code|phrase)s?$/i.test(word) ? namingOf(`${words[i - 1]} ${word}`) : "none";
    if (namingOf(word) === "credential" || together === "credential")
      return /pass$/i.test(word) ? "none" : "credential";
    if (together === "maybe") return together;
  }
  return "none";
}

/** The end of a value behind the blank at `at` and a phrase that ends at `end`, where it looks like a credential; else `at`. */
export function phrasedValue(scan: Scan, at: number, end: number): number {
  const { bytes } = scan;
  const naming = mayBeValue(bytes, at + 1) ? namedBefore(bytes, end) : "none";
  if (naming === "none") return at;
  const value = valueStart(bytes, at + 1);
  const to = value.mark === 0 ? looseEnd(scan, value.at) : quotedEnd(scan, value.at, value.mark, value.escapes);
  const said = textBetween(bytes, value.at, to).replace(/[.!?]$/, "");
  const holds = isProseValue(said) && (naming === "maybe" ? isRandom(said) : isPhrased(said));
  return holds ? addSpan(scan, value.at, value.at + said.length) : at;
}

/** Whether a value after so many words is no name of a model or a version: `gpt-4o-2024`. */
const isPhrased = (said: string): boolean =>
  isRandom(said) ||
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(said) ||
  isScrambled(said) ||
  isCrypt(said) ||
  /^\d{6,}$/.test(said) ||
  (said.length >= 8 &&
    !isWords(said) &&
    ((/\d/.test(said) && /[a-z]/.test(said) && /[A-Z]/.test(said)) || /[^\w./:,-]/.test(said)));

/** Marks of three bytes that stand between a name and its value: a wide colon and words for "is" in scripts without blanks, dashes and arrows. */
export const wideMarks: readonly Buffer[] = ["：", "是", "は", "为", "為", "는", "은", "—", "–", "→", "⇒"].map((mark) =>
  Buffer.from(mark),
);
const firstDash = wideMarks.length - 4;

/** `密码：…`: the end of the value behind a wide mark whose last byte stands at `at`, where it is a credential; else `at`. */
export function wideValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  const mark = wideMarks.findIndex(
    (one) => one[2] === bytes[at] && one[1] === bytes[at - 1] && one[0] === bytes[at - 2],
  );
  if (mark < 0) return at;
  const isDash = mark >= firstDash;
  const end = isDash && bytes[at - 3] === blank ? at - 3 : at - 2;
  if (isDash) {
    const to = phrasedValue(scan, at + 1, end);
    if (to > at + 1) return to;
  }
  const value = valueStart(bytes, at + 1);
  // Text that people write in these scripts is no value; a part that they quote or spell in ASCII may be.
  for (let i = value.at; i < value.at + 4; i++) if ((bytes[i] ?? 0) <= 32 || bytes[i]! > 126) return at;
  let from = end;
  while (from > at - maxNameLength && inName[bytes[from - 1]!] === 1) from--;
  let naming = namingAt(bytes, from, end);
  if (isDash && naming !== "credential" && isBlank(bytes[from - 1])) {
    // `API key — …`
    from--;
    while (from > at - maxNameLength && inName[bytes[from - 1]!] === 1) from--;
    naming = namingAt(bytes, from, end);
  }
  if (naming !== "credential") return at;
  let to = value.mark === 0 ? looseEnd(scan, value.at) : quotedEnd(scan, value.at, value.mark, value.escapes);
  const said = /^[\x21-\x7e]*/.exec(textBetween(bytes, value.at, to))![0];
  to = value.at + said.length;
  const holds = mark === 0 ? isSetting(said, true) : isProseValue(said) && (!isDash || isPhrased(said));
  return holds ? addSpan(scan, value.at, to) : at;
}
