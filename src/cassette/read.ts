/** Opens recordings: `.jsonl` line by line, `.json`, HAR and VCR whole, each also gzipped, from files, bytes or a stream. */
import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { reasonOf, UserError } from "../user-error.ts";
import { isObject, maxValues, parseJson } from "../wire/json.ts";
import { decodeExchange, decodeHeader, decodeKept, type Kept } from "./decode.ts";
import type { Cassette, CassetteHeader, Gap, Recorded } from "./format.ts";
import { fromHar } from "./har.ts";
import { plainExchange } from "./kept.ts";
import { type Line, linesOf, maxLineLength, readSize } from "./lines.ts";
import { fromVcr, isVcr, looksLikeVcr, parseVcr } from "./vcr.ts";

/** One exchange and its 0-based position in the source. */
export interface SourceEntry extends Recorded {
  readonly index: number;
}

/** An open recording; iterate it once. */
export interface Source extends AsyncIterable<SourceEntry> {
  /** Its name in findings: the path as given; `-` for standard input. */
  readonly name: string;
  /** Empty for a HAR file or a VCR cassette. */
  readonly header: CassetteHeader;
  /** Notes on what was passed over, as sentences; whole only after the last exchange. */
  readonly notes: readonly string[];
}

const neither = (name: string): UserError =>
  new UserError(
    `${name}: neither a cassette nor a HAR file`,
    "Give what touchstone record wrote, or a HAR 1.2 export of a browser or proxy.",
  );

/** The stream, gunzipped where its first two bytes say so; read errors become UserError. */
export async function* plainPieces(name: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = stream[Symbol.asyncIterator]();
  const whole = async function* (head: Uint8Array): AsyncGenerator<Uint8Array> {
    yield head;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  };
  try {
    let head = Buffer.alloc(0);
    while (head.length < 2) {
      const { done, value } = await pieces.next();
      if (done) break;
      head = Buffer.concat([head, value]);
    }
    if (head[0] !== 0x1f || head[1] !== 0x8b) yield* whole(head);
    else {
      const gunzip = createGunzip();
      // Failures of either side come out of the iteration below.
      pipeline(Readable.from(whole(head)), gunzip, () => undefined);
      yield* gunzip;
    }
  } catch (error) {
    throw new UserError(`${name}: cannot be read: ${reasonOf(error)}`, "Check the path and the file.");
  } finally {
    await pieces.return?.();
  }
}

/** Values of one exchange that are read: marks of its pieces, mostly. */
const maxLineValues = 4 * maxValues;

/** Bytes as text without blanks around it. */
function trimmedText(name: string, bytes: Buffer): string {
  if (bytes.length <= maxLineLength) return bytes.toString("utf8").trim();
  throw new UserError(
    `${name}: more than ${maxLineLength >> 20} MiB are too many to be read in one piece`,
    "Keep recordings of this size as .jsonl.",
  );
}

const gapSentence = ({ from, to, exchanges }: Gap): string =>
  exchanges === 1
    ? `the next exchange is missing: it ended at ${from}, while the disk refused it.`
    : `the next ${exchanges} exchanges are missing: they ended between ${from} and ${to}, while the disk refused them.`;

/**
 * The exchange of a line behind the header. Undefined for a blank line, and for a torn last line, as a killed recorder leaves
 * it, which is noted. Throws UserError.
 */
export function exchangeOfLine(name: string, { bytes, number, ended }: Line, notes: string[]): Kept | undefined {
  const place = `${name}:${number}`;
  const text = trimmedText(place, bytes);
  if (text === "") return undefined;
  const parsed = parseJson(text, maxLineValues);
  if (parsed.ok) {
    const kept = decodeKept(parsed.value, place);
    if (kept.gap) notes.push(`${place}: ${gapSentence(kept.gap)}`);
    return kept;
  }
  if (ended)
    throw new UserError(`${place}: the line is damaged: ${parsed.problem}`, "Delete that line to judge the others.");
  notes.push(`${place}: the last line is torn; what it began to record was dropped.`);
  return undefined;
}

async function* entriesOf(name: string, lines: AsyncIterator<Line>, notes: string[]): AsyncGenerator<SourceEntry> {
  let index = 0;
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const kept = exchangeOfLine(name, next.value, notes);
    if (kept) yield { ...kept, exchange: plainExchange(kept.exchange), index: index++ };
  }
}

async function* numbered(exchanges: readonly Recorded[]): AsyncGenerator<SourceEntry> {
  for (const [index, recorded] of exchanges.entries()) yield { ...recorded, index };
}

/** A document read whole: a `.json` cassette, a HAR file or a VCR cassette. */
function readWhole(name: string, value: unknown): Cassette {
  if (!isObject(value)) throw neither(name);
  if ("touchstone" in value) {
    const header = decodeHeader(value, name);
    const { exchanges } = value;
    if (!Array.isArray(exchanges))
      throw new UserError(`${name}: /exchanges is not a list`, "A .json cassette holds all of its exchanges there.");
    return { header, exchanges: exchanges.map((item, i) => decodeExchange(item, name, ["exchanges", i])) };
  }
  if ("log" in value) return { header: {}, exchanges: fromHar(value, name) };
  if (isVcr(value)) return { header: {}, exchanges: fromVcr(value, name) };
  throw neither(name);
}

/** All lines that are left, each behind a line feed; no more of them than can be read. */
async function remaining(lines: AsyncIterator<Line>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let held = 0;
  for (let next = await lines.next(); !next.done && held <= maxLineLength; next = await lines.next()) {
    pieces.push(Buffer.from("\n"), next.value.bytes);
    held += next.value.bytes.length + 1;
  }
  return Buffer.concat(pieces);
}

/** Opens what a stream carries under a name of the caller's choice; throws UserError. */
export async function openStream(name: string, stream: AsyncIterable<Uint8Array>): Promise<Source> {
  const notes: string[] = [];
  const lines = linesOf(plainPieces(name, stream));
  let first = await lines.next();
  while (!first.done && trimmedText(name, first.value.bytes) === "") first = await lines.next();
  if (first.done)
    throw new UserError(`${name}: the file is empty`, "Record a session first: touchstone record URL --out FILE.");
  const head = parseJson(trimmedText(name, first.value.bytes));
  const source = (header: CassetteHeader, entries: AsyncIterable<SourceEntry>): Source => ({
    name,
    header,
    notes,
    [Symbol.asyncIterator]: () => entries[Symbol.asyncIterator](),
  });
  if (head.ok && isObject(head.value) && "touchstone" in head.value && !("exchanges" in head.value))
    return source(decodeHeader(head.value, `${name}:${first.value.number}`), entriesOf(name, lines, notes));
  if (head.ok && isObject(head.value) && "request" in head.value)
    throw new UserError(
      `${name}:${first.value.number}: the header line is missing`,
      'Put {"touchstone":1} on a line of its own before the first exchange.',
    );
  const more = await remaining(lines);
  // A document on one line is parsed by now; one on several begins with a line that is none by itself.
  const whole = head.ok && trimmedText(name, more) === "";
  const text = whole ? "" : trimmedText(name, Buffer.concat([first.value.bytes, more]));
  const parsed = whole ? head : parseJson(text);
  if (!parsed.ok && !looksLikeVcr(text))
    throw new UserError(`${name}: not JSON: ${parsed.problem}`, "Give a cassette or a HAR 1.2 file.");
  const { header, exchanges } = readWhole(name, parsed.ok ? parsed.value : await parseVcr(text, name));
  return source(header, numbered(exchanges));
}

/** Opens a recording by its path, or standard input by `-`; throws UserError. */
export async function openSource(path: string): Promise<Source> {
  return openStream(path, path === "-" ? process.stdin : createReadStream(path, { highWaterMark: readSize }));
}

/** Reads a whole recording by its path or its bytes; `name` stands in complaints about bytes. Throws UserError. */
export async function readCassette(input: string | Uint8Array, name = "cassette"): Promise<Cassette> {
  const source = await (typeof input === "string" ? openSource(input) : openStream(name, Readable.from([input])));
  const exchanges: Recorded[] = [];
  for await (const { index: _index, ...recorded } of source) exchanges.push(recorded);
  return { header: source.header, exchanges };
}
