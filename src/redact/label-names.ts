/** Reads the name before a separator, and what it says of the value behind it. */
import {
  backslash,
  blank,
  colon,
  dash,
  equals,
  greater,
  inName,
  isBlank,
  isQuote,
  opening,
  square,
  star,
} from "./characters.ts";
import { quotedEnd, type Scan, textBetween, valueStart } from "./delimiters.ts";
import { type Naming, namesCode, namesInQuery, namingOf } from "./names.ts";
import {
  nameBehind,
  nameOfAccessors,
  nameOfPair,
  nameOfProperty,
  nameOfTyped,
  nameOfVariable,
  tagBefore,
  typeOfInput,
} from "./notations.ts";

/** Longer names are not read. */
export const maxNameLength = 96;
/** Longer gaps between a name and its value are not read. */
export const maxGap = 16;

/** Signs before `=` that assign, too: `:=`, `?=`, `+=`, `||=`. */
const assigns = new Uint8Array(256);
for (const byte of Buffer.from(":?+|")) assigns[byte] = 1;

/** How words begin whose value goes by another name: `value`, `content`, `string`. */
const beginElsewhere = new Uint8Array(256);
for (const byte of Buffer.from("VvCcSs")) beginElsewhere[byte] = 1;

/** Whether the value behind a name may go by another one, where a colon stands between; true for a little more. */
export const mayElsewhere = (bytes: Buffer, from: number, end: number): boolean =>
  end - from === 5 && beginElsewhere[bytes[from]!] === 1;

/** The meaning of the last names: they come again and again. Each is kept with its bytes, since senders may choose names of equal hash. */
const slots = 4096;
const slotName = new Array<Uint8Array>(slots).fill(new Uint8Array());
const slotNaming = new Array<Naming>(slots).fill("none");

function isSame(bytes: Buffer, from: number, to: number, name: Uint8Array): boolean {
  if (name.length !== to - from) return false;
  for (let i = 0; i < name.length; i++) if (bytes[from + i] !== name[i]) return false;
  return true;
}

/** The meaning of a name for its value. `digest` is its hash, from its last byte to its first, where somebody made it already. */
export function namingAt(bytes: Buffer, from: number, to: number, digest?: number): Naming {
  let hash = digest ?? 0;
  if (digest === undefined) for (let i = to - 1; i >= from; i--) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
  const slot = (hash ^ (hash >>> 15)) & (slots - 1);
  if (isSame(bytes, from, to, slotName[slot]!)) return slotNaming[slot]!;
  const naming = namingOf(bytes.toString("latin1", from, to));
  slotName[slot] = Uint8Array.prototype.slice.call(bytes, from, to);
  slotNaming[slot] = naming;
  return naming;
}

/** Whether a type may end at a byte: `String`, `String?`, `Option<String>`, `str | None`, `string | undefined`. */
function endsType(bytes: Buffer, end: number): boolean {
  const last = bytes[end - 1]!;
  if (last === 63 || last === 33 || last === greater || last === square) return true;
  const from = end - 9;
  return (
    (last === 103 || last === 114 || last === 101 || last === 100 || last === 108) &&
    /(?:str|string|none|undefined|null|secretstr)$/i.test(textBetween(bytes, Math.max(0, from), end))
  );
}

/** The meaning of another name for a value: that of a pair, a property or a typed variable. */
function namingElsewhere(scan: Scan, from: number, end: number, separator: number, at: number): Naming {
  const { bytes } = scan;
  const size = end - from;
  if (separator === equals) {
    let type = at;
    while (type > at - maxGap && isBlank(bytes[type - 1])) type--;
    if (endsType(bytes, type)) return namingOf(nameOfTyped(bytes, type) ?? "");
    if (bytes[type - 1] === 125) return namingOf(nameOfAccessors(bytes, type) ?? "");
  }
  if (separator === equals && size === 7 && textBetween(bytes, from, end) === "default")
    return namingOf(nameOfVariable(bytes, from) ?? "");
  if (beginElsewhere[bytes[from]!] === 0 || (size !== 5 && separator === colon)) return "none";
  let name: string | undefined;
  if (size === 5 && separator !== greater && /^value$/i.test(textBetween(bytes, from, end))) {
    name = nameOfPair(bytes, from);
    if (separator === equals && namingOf(name ?? "") !== "credential") name = typeOfInput(bytes, from) ?? name;
    if (name === undefined) {
      const value = valueStart(bytes, at + 1);
      if (value.mark !== 0) name = nameBehind(bytes, quotedEnd(scan, value.at, value.mark, value.escapes));
    }
  } else if (separator === equals && size === 7 && textBetween(bytes, from, end) === "content")
    name = nameOfPair(bytes, from);
  else if (separator === greater && size === 6 && textBetween(bytes, from, end) === "string")
    name = nameOfProperty(bytes, from);
  return name === undefined ? "none" : namingOf(name);
}

/** A name in quotes with escapes of JSON in it, as the text it is. */
function quotedName(bytes: Buffer, end: number, mark: number): string | undefined {
  const start = Math.max(0, end - 2 * maxNameLength);
  const text = bytes.toString("latin1", start, end);
  const escaped = text.slice(text.lastIndexOf(String.fromCharCode(mark)) + 1);
  return text.length === escaped.length && start > 0
    ? undefined
    : escaped.replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Words of code before a name: they are no part of it. */
const declares = /^(?:const|let|var|val|final|static|import|export|type|return|def|class|public|private|local|auto) /;

/** Reads the name that ends before a separator at `at`, keeps where it stands, and gives what it says of the value. */
export function readName(scan: Scan, at: number, separator: number): Naming {
  const { bytes } = scan;
  // The name ends before blanks, its closing quote and backslashes.
  let end = at;
  const least = at - maxGap;
  while (end > least && bytes[end - 1]! <= blank) end--;
  if (bytes[end - 2] === backslash && isQuote(bytes[end - 3]) && /^[nrt]$/.test(textBetween(bytes, end - 1, end)))
    end -= 2;
  const arrow = separator === greater && (bytes[end - 1] === equals || bytes[end - 1] === dash);
  if (arrow) end--;
  // `:=`, `?=`, `+=`, `||=`, `??=`
  else if (separator === equals) for (let signs = 0; signs < 2 && assigns[bytes[end - 1] ?? 0] === 1; signs++) end--;
  // `char password[] = …`
  if (bytes[end - 1] === square && bytes[end - 2] === opening) end -= 2;
  while (end > least && (isBlank(bytes[end - 1]) || bytes[end - 1] === star || bytes[end - 1] === square)) end--;
  let closed = 0;
  if (isQuote(bytes[end - 1])) {
    closed = bytes[end - 1]!;
    end--;
    const minEnd = end - 64;
    while (end > minEnd && bytes[end - 1] === backslash) end--;
  }
  let from = end;
  const first = Math.max(0, end - maxNameLength);
  let hash: number | undefined = 0;
  for (; from > first; from--) {
    const byte = bytes[from - 1]!;
    if (inName[byte] === 0) break;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  scan.arrow = arrow;
  scan.nameQuote = closed;
  scan.nameFrom = from;
  scan.nameEnd = end;
  if (from === end) return separator === equals ? namingElsewhere(scan, from, end, separator, at) : "none";
  // `"contrase\u00f1a"`
  if (closed !== 0 && bytes[from - 1] === backslash && bytes[from] === 117) {
    const name = quotedName(bytes, end, closed);
    if (name !== undefined) return namingOf(name);
  }
  // An escape such as `\n` or `%20` belongs to nobody's name.
  if (closed === 0 && bytes[from - 1] === backslash) {
    scan.nameFrom = ++from;
    hash = undefined;
  }
  let naming = namingAt(bytes, from, end, hash);
  if (closed === 0 && naming !== "credential" && isBlank(bytes[from - 1]) && inName[bytes[from - 2]!] === 1) {
    // Prose writes names apart: `API key: …`.
    let word = from - 1;
    while (word > first && inName[bytes[word - 1]!] === 1) word--;
    const together = namingAt(bytes, word, end);
    // `42 tests pass: …`
    if (together === "credential" && !/pass$/i.test(textBetween(bytes, from, end))) {
      naming = together;
      if (!declares.test(textBetween(bytes, word, from))) scan.nameFrom = word;
    } else if (isBlank(bytes[word - 1]) && inName[bytes[word - 2]!] === 1) {
      // `mot de passe : …`
      let third = word - 1;
      while (third > first && inName[bytes[third - 1]!] === 1) third--;
      if (namingAt(bytes, third, end) === "credential" && !/pass$/i.test(textBetween(bytes, from, end))) {
        naming = "credential";
        scan.nameFrom = third;
      }
    }
  }
  // `<name attribute="…">`
  if (separator === greater && closed !== 0 && !arrow) naming = namingOf(tagBefore(bytes, at) ?? "");
  else if (naming === "none") naming = namingElsewhere(scan, from, end, separator, at);
  if (naming !== "none" || separator !== equals) return naming;
  const last = bytes[end - 1]! | 32;
  const before = bytes[from - 1];
  if ((from === 0 || before === 38 || before === 63) && namesCode(textBetween(bytes, from, end))) return "maybe";
  return (last === 121 || last === 103 || last === 101) && namesInQuery(textBetween(bytes, from, end))
    ? "maybe"
    : "none";
}
