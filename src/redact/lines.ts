/** Finds credentials that stand alone behind a name that begins a line or a string: files of settings, headers, exports. */
import { backslash, isBlank, isQuote } from "./characters.ts";
import { addSpan, type Scan, textBetween } from "./delimiters.ts";
import type { Naming } from "./names.ts";
import { isExported, isSetting, isStrong } from "./values.ts";

/** The text before a name that begins a line or a string, from the end of the line or the quote before. */
const beforeName =
  /(^|[\n\r]|(\\+)[nr]|(\\*)(["'`]))[+-]?(?:[ \t]|\\+t)*(?:(?:[-*+>#|]|\d{1,2}[.)]|\/\/)[ \t]+)*(?:\*{1,2}|_{1,2})?((?:(?:export|set|setx|env|ENV|ARG|declare|local|readonly)[ \t]+(?:-\w+[ \t]+)?)*|\$env:)$/;
const maxLengthBefore = 64;

/** Behind a line's end of this depth, lines end where the same one comes; a string ends with its quote. */
interface Opened {
  /** Backslashes before the letter of an escaped line end; a power of two. */
  readonly escapes: number;
  /** The quote that ends the string; 0 where it began with the bytes or a line. */
  readonly mark: number;
  readonly exports: boolean;
}

function openedBefore(bytes: Buffer, from: number): Opened | undefined {
  const first = bytes[from - 1];
  // Most names stand behind something else.
  if (first !== undefined && first > 32 && !isQuote(first) && !/[nrt*_:+]/.test(String.fromCharCode(first))) return;
  const start = Math.max(0, from - maxLengthBefore);
  const found = beforeName.exec(bytes.toString("latin1", start, from));
  if (!found || (found[1] === "" && start > 0)) return;
  const exports = found[5] !== "";
  if (found[2] !== undefined) return { escapes: found[2].length, mark: 34, exports };
  if (found[4] !== undefined) return { escapes: found[3]!.length + 1, mark: found[4].charCodeAt(0), exports };
  return { escapes: 1, mark: found[1] === "" ? 34 : 0, exports };
}

/** Lines are read up to here. */
const maxLineLength = 4096;

/** The end of the line or the string that is open at a byte. */
function lineEnd(bytes: Buffer, from: number, { escapes, mark }: Opened): number {
  const last = Math.min(bytes.length, from + maxLineLength);
  let slashes = 0;
  for (let to = from; to < last; to++) {
    const byte = bytes[to]!;
    if (byte === backslash) {
      slashes++;
      continue;
    }
    if (byte === 10 || byte === 13) return to;
    const isEscape =
      slashes > 0 && (byte === 110 || byte === 114) && (slashes < escapes || slashes % (2 * escapes) === escapes);
    // A quote in a shell's string: `'\''`.
    const goesOn = mark === 39 && byte === 39 && /^'\\+''/.test(bytes.toString("latin1", to, to + 8));
    if (isEscape || (isQuote(byte) && byte === mark && slashes < escapes && !goesOn)) return to - slashes;
    // The string around a string ends it as well.
    if (mark !== 34 && mark !== 0 && byte === 34 && slashes < escapes) return to - slashes;
    if (goesOn) {
      while (bytes[to + 1] === backslash) to++;
      to += 2;
    }
    slashes = 0;
  }
  return last;
}

/** A text of words in small letters, as people choose them for a phrase. */
const isPhrase = (text: string): boolean =>
  /^[a-z]+(?: [a-z]+){3,}$/.test(text) &&
  !/\b(?:the|your|you|a|an|is|are|be|must|should|to|of|for|at|with|and|or|not|no|it|this|that|in|on|as|if|here|from)\b/.test(
    text,
  );

/** The end of a value at `at` that takes the rest of its line, where its name at `from` begins the line; else `at`. */
export function lineValue(
  scan: Scan,
  from: number,
  at: number,
  name: string,
  naming: Naming,
  assigned: boolean,
): number {
  const { bytes } = scan;
  const opened = openedBefore(bytes, from);
  if (!opened) return at;
  let to = lineEnd(bytes, at, opened);
  while (to > at && isBlank(bytes[to - 1])) to--;
  const value = textBetween(bytes, at, to);
  // Lists and objects are read item by item.
  if (value === "" || /^[[{].*["':]/s.test(value)) return at;
  if (assigned && /^[A-Z][A-Z0-9_]*$/.test(name)) {
    const counts = naming === "credential" || (value.length >= 8 && /\d/.test(value));
    // A shell takes what stands before a blank.
    const end = opened.exports ? at + /^\S*/.exec(value)![0].length : to;
    return counts && isExported(value) ? addSpan(scan, at, end) : at;
  }
  if (naming !== "credential" || /(?:authorization|auth|cookie)$/i.test(name)) return at;
  const [, first = value, rest = ""] = /^(\S+)[ \t]+(.*)$/s.exec(value) ?? [];
  const strong = isStrong(name);
  const alone = rest === "" || /^(?:#|\/\/|;|--)/.test(rest);
  if (alone ? isSetting(first, strong) : strong && isPhrase(value)) return addSpan(scan, at, to);
  return at;
}

/** Whether anything but a number stands in the rest of a line from a byte on. */
export function inLine(bytes: Buffer, at: number): boolean {
  const byte = bytes[at];
  if (byte === 10 || byte === 13) return false;
  if (byte === backslash) {
    let to = at;
    while (bytes[to] === backslash) to++;
    return bytes[to] !== 110 && bytes[to] !== 114;
  }
  return !(
    byte !== undefined &&
    byte > 48 &&
    byte < 58 &&
    /^\d{1,3}[ \t]*(?:[\r\n]|\\+[nr])/.test(textBetween(bytes, at, at + 12))
  );
}
