/** Finds credentials that are lists of byte values behind their names: `[90, 107, …]`, `bytes([90, …])`, `<Buffer 5a 6b …>`. */
import { addSpan, type Scan } from "./delimiters.ts";
import { isMember } from "./values.ts";

/** The text before the first byte value: names of types, brackets, and the beginning of a buffer in JSON. */
const opening =
  /^(?:\\*["'])?(?:new )?(?:[A-Za-z_][\w.]{0,31}(?:\(\d{0,6}\))? ?)?(?:\[\](?:byte|uint8) ?)?(?:[([{]{1,2}|\{\s*\\*"type\\*"\s*:\s*\\*"Buffer\\*"\s*,\s*\\*"data\\*"\s*:\s*\[|<Buffer )(?:\s|\\+[nrt])*(?=\d|[\da-f]{2} )/;
const maxOpening = 96;

/** Blanks, line ends and a comma between byte values. */
const between = /^(?:(?:\s|\\+[nrt]){0,32},?(?:\s|\\+[nrt]){0,32})/;
const maxBetween = 96;

/** Longer lists are data. */
const maxBytes = 4096;
/** Fewer bytes are counts or a version. */
const [minText, minBinary, minDistinct] = [6, 16, 8];

/** Whether bytes are a value that a program wrote as a list, rather than small numbers. */
function isValue(bytes: readonly number[]): boolean {
  if (bytes.length >= minText && bytes.every((byte) => byte > 32 && byte < 127))
    return isMember(String.fromCharCode(...bytes));
  return bytes.length >= minBinary && new Set(bytes).size >= minDistinct && bytes.some((byte) => byte > 127);
}

/** Adds each byte value of a list that begins at `at` behind the name of a credential. Returns the end of the last one, or `at`. */
export function listedValue(scan: Scan, at: number): number {
  const { bytes } = scan;
  const open = opening.exec(bytes.toString("latin1", at, at + maxOpening))?.[0];
  if (open === undefined) return at;
  const digits = open.endsWith("<Buffer ") ? /^[\da-f]{2}(?![\w.])/ : /^(?:0x[\da-fA-F]{1,2}|\d{1,3})(?![\w.])/;
  const values: number[] = [];
  const places: [from: number, to: number][] = [];
  for (let from = at + open.length; values.length < maxBytes; ) {
    const [digit] = digits.exec(bytes.toString("latin1", from, from + 5)) ?? [];
    const value = digit === undefined ? 256 : Number(digits.source.startsWith("^[") ? `0x${digit}` : digit);
    if (value > 255) break;
    values.push(value);
    const to = from + digit!.length;
    places.push([from, to]);
    from = to + between.exec(bytes.toString("latin1", to, to + maxBetween))![0].length;
  }
  if (!isValue(values)) return at;
  for (const [from, to] of places) addSpan(scan, from, to);
  return places.at(-1)![1];
}
