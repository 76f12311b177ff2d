/** Finds credentials that a sentence, a column, a call or a fallback in code names: nothing but their looks tells them from words. */
import { blank, inName, isBlank } from "./characters.ts";
import { addSpan, looseEnd, quotedEnd, type Scan, textBetween, valueStart } from "./delimiters.ts";
import { maxNameLength, namingAt } from "./label-names.ts";
import { isCrypt, isRandom } from "./looks.ts";
import { namingOf } from "./names.ts";
import { lastSentence, mayBeValue } from "./prose.ts";
import { isMember, isProseValue, isQuoted } from "./values.ts";

/** Whether a text is drawn at random, or mixes letters, digits and signs as only passwords do. */
export const isStriking = (said: string): boolean =>
  isProseValue(said) &&
  (isRandom(said) ||
    isCrypt(said) ||
    (said.length >= 8 &&
      /\d/.test(said) &&
      /[A-Za-z]/.test(said) &&
      /[!@#$%^&*+~]/.test(said) &&
      // Addresses of mail, expressions, and what an equals sign names.
      !/^[\w.+-]+@[\w-]+\.[\w.-]+$|\\|^[\w.-]+[=(]|:\/\//.test(said)));

/** The end of a striking value behind a byte; `none` where there is no such. */
function strikingEnd(scan: Scan, from: number, none: number): number {
  const { bytes } = scan;
  if (!mayBeValue(bytes, from)) return none;
  const value = valueStart(bytes, from);
  const to = value.mark === 0 ? looseEnd(scan, value.at) : quotedEnd(scan, value.at, value.mark, value.escapes);
  const said = textBetween(bytes, value.at, to).replace(/[.!?]$/, "");
  return isStriking(said) ? addSpan(scan, value.at, value.at + said.length) : none;
}

/** Whether the one or two words that end at a byte name a credential. */
function isNamed(bytes: Buffer, end: number): boolean {
  let from = end;
  while (from > end - maxNameLength && inName[bytes[from - 1]!] === 1) from--;
  if (from === end || namingAt(bytes, from, end) === "credential") return from < end;
  if (!isBlank(bytes[from - 1])) return false;
  let word = from - 1;
  while (word > from - maxNameLength && inName[bytes[word - 1]!] === 1) word--;
  return word < from - 1 && namingAt(bytes, word, end) === "credential";
}

/** `API key - …`, `| API key | … |`: the end of the value behind a dash or a bar at `at` with blanks around it; else `at`. */
export const partedValue = (scan: Scan, at: number): number =>
  mayBeValue(scan.bytes, at + 2) && isNamed(scan.bytes, at - 1) ? strikingEnd(scan, at + 2, at) : at;

/** How far before "to" the words are read that say what was changed. */
const maxChangeLength = 96;
const isChange =
  /\b(?:changed?|set|reset|updated?|rotated?|switch(?:ed)?|equal)(?: back| over| again)? to$|\b(?:change|set|reset|update|rotate|switch)\b[^.!?;:"]{1,64} to$/i;

/** `the password was changed to …`: the end of the value behind a blank at `at` that follows "to"; else `at`. */
function changedValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  if (!mayBeValue(bytes, at + 1)) return at;
  const text = textBetween(bytes, Math.max(0, at - maxChangeLength), at);
  if (!isChange.test(text)) return at;
  const words = text.slice(lastSentence(text)).trim().split(" ");
  const names = words.some(
    (word, i) => namingOf(word) === "credential" || namingOf(`${words[i - 1]} ${word}`) === "credential",
  );
  return names ? strikingEnd(scan, at + 1, at) : at;
}

/** `with password …`, `login me password …`: the end of the value behind a blank at `at` and the name itself; else `at`. */
function besideValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  // Words in other scripts are many.
  if ((bytes[at - 1]! > 127 && !mayBeValue(bytes, at + 1)) || !isNamed(bytes, at)) return at;
  // A line of `.netrc`.
  if (/\blogin[ \t]+\S+(?:\s|\\+[nrt])+password$/.test(textBetween(bytes, Math.max(0, at - 96), at))) {
    const to = looseEnd(scan, at + 1);
    if (isMember(textBetween(bytes, at + 1, to))) return addSpan(scan, at + 1, to);
  }
  return strikingEnd(scan, at + 1, at);
}

/** `process.env.API_KEY ?? "…"`: the end of the string behind a blank at `at`, where it stands in for a credential; else `at`. */
function fallbackValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  const text = textBetween(bytes, Math.max(0, at - maxNameLength), at);
  const name =
    /([A-Za-z_$][\w$.]*)\\*["'`]?[\])]* ?(?:\?\?|\|\|)$/.exec(text) ??
    /([A-Za-z_$][\w$.]*)\\*["'`]?[\])]+ or$/.exec(text);
  if (!name || namingOf(name[1]!) !== "credential") return at;
  const value = valueStart(bytes, at + 1);
  const to = quotedEnd(scan, value.at, value.mark, value.escapes);
  return value.mark !== 0 && isQuoted(textBetween(bytes, value.at, to)) ? addSpan(scan, value.at, to) : at;
}

/** How words and signs end behind which a blank and a value may follow: `to`, `password`, `or`, `??`, `||`, words of other scripts. */
export const endsBeside = new Uint8Array(256).fill(1, 128);
for (const byte of Buffer.from("odr?|")) endsBeside[byte] = 1;

/** The end of a value behind a blank at `at` that such a word or sign stands before; else `at`. `quoted` where a quote follows the blank. */
export function besideBlank(scan: Scan, at: number, quoted: boolean): number {
  const { bytes } = scan;
  const last = bytes[at - 1]!;
  const before = bytes[at - 2];
  if (last === 111) return before === 116 && bytes[at - 3] === blank ? changedValue(scan, at) : at;
  if (last === 100) return before === 114 && bytes[at - 3] === 111 ? besideValue(scan, at) : at;
  if (last > 127) return besideValue(scan, at);
  return quoted && before === (last === 114 ? 111 : last) ? fallbackValue(scan, at) : at;
}

/** The beginning of a call whose argument is no value, but the name of one, or a password to be looked at. */
const asksFor =
  /^(?:get|read|load|fetch|find|hash|verify|check|compare|validate|is|has|use|parse|from|create|generate|require|resolve|lookup|describe|test|delete|remove|encrypt|decrypt)/i;

/** `setApiKey("…")`, `new ApiKeyCredential("…")`: the end of the string behind a bracket at `at`, where a call so named takes it; else `at`. */
export function calledValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  let from = at;
  while (from > at - maxNameLength && inName[bytes[from - 1]!] === 1) from--;
  if (from === at || bytes[at - 1] === blank) return at;
  const name = textBetween(bytes, from, at).replace(/^.*\./, "");
  if (namingOf(name) !== "credential" || asksFor.test(name)) return at;
  return strikingEnd(scan, at + 1, at);
}
