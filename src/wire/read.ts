/**
 * What the bytes of bodies say, read once however many ask: a body that is recorded is searched for secrets and judged, one
 * right after the other. Bodies are never changed in place, so that the bytes themselves tell whether they were read before.
 */
import { createGlance } from "./alike.ts";
import { type Decoded, decodeContent } from "./encoding.ts";
import { glance, type Hidden, hiddenIn, type JsonResult, oddKeys, parseJson } from "./json.ts";
import { parseEvents, type SseReading } from "./sse.ts";

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
  /** Whether all of them are JSON, or words such as `[DONE]`, that say all their text says. */
  readonly plain: boolean;
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
  for (const [i, { data }] of reading.events.entries()) {
    const value = parseJson(data);
    values.push(value);
    if (!value.ok) {
      plain &&= /^\[\w+\]$/.test(data);
      continue;
    }
    const odd = look(data);
    if (odd === 0) continue;
    if (odd & oddKeys) plain = false;
    const found = hiddenIn(data, odd);
    if (found) (hidden ??= [])[i] = found;
  }
  return { ...reading, values, hidden, plain };
});

const openingBrace = 123;
const streamStart = /^\uFEFF?(?:(?:data|event|id|retry)(?::|\r|\n)|:)/;

/** Whether a decoded body begins as a stream of events does. */
export function isStream(bytes: Uint8Array): boolean {
  return bytes[0] !== openingBrace && streamStart.test(viewOf(bytes).toString("utf8", 0, 16));
}
