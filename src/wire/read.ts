/**
 * What the bytes of bodies say, read once however many ask: a body that is recorded is searched for secrets and judged, one
 * right after the other. Bodies are never changed in place, so that the bytes themselves tell whether they were read before.
 */
import { createGlance } from "./alike.ts";
import { type Decoded, decodeContent } from "./encoding.ts";
import { completed, glance, type Hidden, hiddenIn, type JsonResult, oddKeys, parseJson } from "./json.ts";
import { createEventReader, parseEvents, type SseReading } from "./sse.ts";

/** A body read as JSON. */
export interface JsonReading {
  readonly text: string;
  readonly json: JsonResult;
  /** What parsing hid; undefined where that is nothing, or where the text is no JSON. */
  readonly hidden: Hidden | undefined;
  /** Whether it is JSON that says all its text says, in keys spelt out. */
  readonly plain: boolean;
}

/** A body read as server-sent events, with the data of each read as JSON. */
export interface EventsReading extends SseReading {
  readonly values: readonly JsonResult[];
  /** What parsing hid of each; undefined where that is nothing for all of them, as nearly always. */
  readonly hidden: readonly (Hidden | undefined)[] | undefined;
  /** Whether all of them are JSON, or words such as `[DONE]`, that say all their text says; a torn one aside. */
  readonly plain: boolean;
  /** Whether the body ended within the last one, which is no JSON so. */
  readonly torn: boolean;
}

/** A request and its response are read in turn. */
const remembered = 2;
/** Larger ones are read again rather than kept. */
const mostRemembered = 4 << 20;

/** The same function, which remembers what it made of the last bodies. */
function once<A extends readonly unknown[], T>(read: (bytes: Uint8Array, ...rest: A) => T): typeof read {
  const last: { bytes: Uint8Array; rest: A; made: T }[] = [];
  return (bytes, ...rest) => {
    for (const one of last) if (one.bytes === bytes && rest.every((value, i) => value === one.rest[i])) return one.made;
    const made = read(bytes, ...rest);
    if (bytes.length > mostRemembered) return made;
    if (last.length === remembered) last.shift();
    last.push({ bytes, rest, made });
    return made;
  };
}

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** `decodeContent` with its own limit. */
export const readContent: (body: Uint8Array, contentEncoding: string | undefined) => Decoded = once(
  (body, contentEncoding: string | undefined) => decodeContent(body, contentEncoding),
);

/** A decoded body as JSON. Never throws. */
export const readJson: (bytes: Uint8Array) => JsonReading = once((bytes) => {
  const text = viewOf(bytes).toString("utf8");
  const json = parseJson(text);
  const odd = json.ok ? glance(bytes) : 0;
  return { text, json, hidden: hiddenIn(text, odd), plain: json.ok && !(odd & oddKeys) };
});

/** A decoded body as events. Never throws. */
export const readEvents: (bytes: Uint8Array) => EventsReading = once((bytes) => {
  const reading = parseEvents(bytes);
  const look = createGlance(reading.events.length);
  const values: JsonResult[] = [];
  let hidden: (Hidden | undefined)[] | undefined;
  let plain = !reading.quotes;
  let torn = false;
  for (const [i, { data }] of reading.events.entries()) {
    const value = parseJson(data);
    values.push(value);
    if (!value.ok) {
      if (reading.open && i === reading.events.length - 1) torn = true;
      else plain &&= isWord(data);
      continue;
    }
    const odd = look(data);
    if (odd === 0) continue;
    if (odd & oddKeys) plain = false;
    const found = hiddenIn(data, odd);
    if (found) (hidden ??= [])[i] = found;
  }
  return { ...reading, values, hidden, plain, torn };
});

/** Lines of a stream that are read: some 300,000 events. All that a recording keeps may be millions, which take gigabytes once read. */
const mostLines = 1_000_000;

/** Where reading a stream stops, since it has more lines than that; undefined for all but hostile ones. */
export function lastLineEnd(bytes: Uint8Array): number | undefined {
  let lines = 0;
  for (let i = 0; i < bytes.length && bytes.length > mostLines; i++)
    if (bytes[i] === 10 || (bytes[i] === 13 && bytes[i + 1] !== 10)) if (++lines > mostLines) return i + 1;
  return undefined;
}

/** Bytes of a large stream that are read in one go. */
const stride = 256 << 10;

/**
 * What a body's JSON says, or that of its events one after another; of a large stream none is kept. Ends with false where one
 * is no JSON, or does not say all its text says.
 * @param broken whether the body was broken off: what is left of its last event is read all the same
 */
export function* valuesOf(bytes: Uint8Array, broken: boolean): Generator<unknown, boolean> {
  if (!isStream(bytes)) {
    const { json, plain } = readJson(bytes);
    if (json.ok && plain) yield json.value;
    return plain;
  }
  // What is broken off is often not judged, and then nobody else wants all of it.
  if (bytes.length > (broken ? stride : mostRemembered)) return yield* valuesOfLarge(bytes, broken);
  const { events, values, plain, torn } = readEvents(bytes);
  if (!plain || (torn && !broken)) return false;
  for (const value of values) if (value.ok) yield value.value;
  return torn ? yield* valueOfTorn(events.at(-1)!.data) : true;
}

function* valuesOfLarge(bytes: Uint8Array, broken: boolean): Generator<unknown, boolean> {
  const reader = createEventReader();
  const look = createGlance(bytes.length);
  for (let from = 0; from < bytes.length; from += stride)
    for (const { data } of reader.push(bytes.subarray(from, from + stride))) {
      const value = parseJson(data);
      if (value.ok ? look(data) & oddKeys : !isWord(data)) return false;
      if (value.ok) yield value.value;
    }
  const { events, quotes } = reader.end();
  if (quotes) return false;
  for (const { data } of events) {
    const value = parseJson(data);
    if (!value.ok) return broken ? yield* valueOfTorn(data) : false;
    if (look(data) & oddKeys) return false;
    yield value.value;
  }
  return true;
}

function* valueOfTorn(data: string): Generator<unknown, boolean> {
  const text = completed(data);
  if (text === undefined || glance(Buffer.from(text)) & oddKeys) return false;
  yield JSON.parse(text);
  return true;
}

const isWord = (data: string): boolean => /^\[\w+\]$/.test(data);

const openingBrace = 123;
const streamStart = /^\uFEFF?(?:(?:data|event|id|retry)(?::|\r|\n)|:)/;

/** Whether a decoded body begins as a stream of events does. */
export function isStream(bytes: Uint8Array): boolean {
  return bytes[0] !== openingBrace && streamStart.test(viewOf(bytes).toString("utf8", 0, 16));
}
