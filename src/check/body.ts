/** A body read: its encoding undone, then JSON, a form, or a stream's events in order. */
import { isUtf8 } from "node:buffer";
import { decodeContent } from "../wire/encoding.ts";
import type { HeaderPairs, KnownBody } from "../wire/exchange.ts";
import { headerValue, mediaType } from "../wire/headers.ts";
import { isExact, type JsonResult, jsonFault } from "../wire/json.ts";
import type { LexicalIssues } from "../wire/json-issues.ts";
import { isJsonLines } from "../wire/json-lines.ts";
import { type FormPart, parseForm, parseUrlencoded } from "../wire/multipart.ts";
import { isStream, type JsonReading, lastLineEnd, readEvents, readJson, readText, readValue } from "../wire/read.ts";
import type { SseEvent } from "../wire/sse.ts";
import { type Budget, isTooMuch, tooMuchToJudge } from "./budget.ts";
import type { Operation, Spelling } from "./operation.ts";

/** One event of a stream, its data parsed where it is JSON. */
export interface StreamEvent {
  /** The `event:` field. */
  readonly event: string | undefined;
  /** The `data:` lines joined with a line feed. */
  readonly data: string;
  /** First byte of the event's block in the decoded body. */
  readonly offset: number;
  /** 0-based position in the stream. */
  readonly position: number;
  /** `json`, the operation's `terminator`, an `error` reported in mid-stream, or `invalid` (no JSON). */
  readonly kind: "json" | "terminator" | "error" | "invalid";
  /** In canonical spelling; `original` maps pointers into it back to `sent`. */
  readonly value: unknown;
  /** As sent; the same object where there was nothing to respell. */
  readonly sent: unknown;
  readonly original: Original | undefined;
  readonly spelling: Spelling | undefined;
  /** The JSON parser's message about `invalid` data. */
  readonly problem: string | undefined;
  /** Repeated keys and integers written with a fraction; undefined where there are none, as nearly always. */
  readonly lexicalIssues: LexicalIssues | undefined;
}

/** From a pointer into a canonical value to the pointer of what was sent. */
export type Original = (pointer: string) => string;

export type Body =
  | { readonly kind: "empty" }
  /** `value` in canonical spelling, `sent` as it came; `original` maps pointers into the one to the other. */
  | {
      readonly kind: "json";
      readonly value: unknown;
      readonly sent: unknown;
      readonly text: () => string;
      /** Whether its bytes are UTF-8; where they are not, the text holds replacement characters. */
      readonly utf8: boolean;
      readonly original: Original;
      readonly spelling: Spelling | undefined;
      /** Repeated keys and integers written with a fraction; undefined where there are none, as nearly always. */
      readonly lexicalIssues: LexicalIssues | undefined;
    }
  | {
      readonly kind: "form";
      /** Its media type. */
      readonly type: string | undefined;
      readonly parts: readonly FormPart[];
      readonly problem?: string;
    }
  | {
      readonly kind: "stream";
      readonly events: readonly StreamEvent[];
      readonly terminated: boolean;
      /** False where the rest is too much to read. */
      readonly whole: boolean;
      /** Positions of events whose bytes are not UTF-8. */
      readonly notUtf8: readonly number[];
    }
  /** Text that is neither JSON nor a stream, with what the JSON parser said. */
  | { readonly kind: "text"; readonly text: string; readonly problem: string }
  /** Not judged: cut short by a recorder, its content encoding could not be undone, or (`tooMuch`) there is too much of it. */
  | { readonly kind: "unreadable"; readonly problem: string; readonly tooMuch?: true };

const urlencoded = "application/x-www-form-urlencoded";

const identity = (text: string): string => text;

const beyond = (problem: string): Body => ({ kind: "unreadable", problem, tooMuch: true });

interface Message {
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
  readonly cut?: number;
  readonly redacted?: readonly string[];
}

type BodyQuestion = readonly [operation: Operation, side: "request" | "response", brokenOff: boolean, budget: Budget];

/**
 * Reads a body; what exhausts memory or the budget on the way is too much to judge.
 * @param known what its bytes say, where nobody need read them for it
 */
export function readBody(message: Message, asked: BodyQuestion, known?: KnownBody): Body {
  try {
    return readWithin(message, asked, known);
  } catch (error) {
    if (isTooMuch(error)) return beyond(tooMuchToJudge);
    throw error;
  }
}

function readWithin(message: Message, asked: BodyQuestion, known: KnownBody | undefined): Body {
  const [operation, side] = asked;
  if (message.cut && message.redacted?.includes("/body")) return beyond("it decodes to more than is read");
  if (message.cut) return { kind: "unreadable", problem: `${message.cut} bytes were not recorded` };
  if (known === undefined && message.body.length === 0) return { kind: "empty" };
  const encoding = headerValue(message.headers, "content-encoding");
  const type = headerValue(message.headers, "content-type");
  const media = mediaType(type);
  const isMultipart = side === "request" && media?.startsWith("multipart/") === true;
  const isUrlencoded = side === "request" && media === urlencoded && operation.forms?.[urlencoded] !== undefined;
  const mayBeForm = isMultipart || isUrlencoded || (side === "request" && operation.schemas.form !== undefined);
  const lines = side === "response" && operation.lines && isJsonLines(type) ? type : undefined;
  if (known !== undefined && lines === undefined && encoding === undefined && !mayBeForm) {
    const reading = readKnown(known);
    const body = reading && jsonBody(reading, true, asked);
    if (body) return body;
  }
  const decoded = decodeContent(message.body, encoding);
  if (!decoded.ok) return decoded.tooLarge ? beyond(decoded.problem) : { kind: "unreadable", problem: decoded.problem };
  if (mayBeForm) {
    const form = isUrlencoded ? parseUrlencoded(decoded.bytes) : parseForm(decoded.bytes, type);
    if (!form.ok && form.beyond) return beyond(form.problem);
    if (form.ok) return { kind: "form", type: media, parts: form.parts };
    if (isMultipart) return { kind: "form", type: media, parts: [], problem: form.problem };
  }
  const { bytes } = decoded;
  if (lines === undefined && (side === "request" || !isStream(bytes))) {
    const reading = readJson(bytes);
    const body = jsonBody(reading, isUtf8(bytes), asked);
    if (body) return body;
    if (!reading.json.ok && (side === "request" || media !== "text/event-stream"))
      return { kind: "text", text: reading.text(), problem: jsonFault(reading.json) };
  }
  return streamBody(bytes, asked, lines);
}

/** Reads a body of which it is known what it says; undefined for what is no JSON, as a stream of events. */
function readKnown(known: KnownBody): JsonReading | undefined {
  if ("text" in known) return known.text[0] === "{" ? readText(known.text) : undefined;
  return isExact(known.json) ? readValue(known.json) : readText(JSON.stringify(known.json));
}

/** A body of JSON, also of more than is read; undefined where it is none. */
function jsonBody(
  { text, json, lexicalIssues }: JsonReading,
  utf8: boolean,
  [operation, side, , budget]: BodyQuestion,
): Body | undefined {
  if (!json.ok) return json.beyond ? beyond(json.problem) : undefined;
  const sent = json.value;
  const canonical = operation.canonical?.(sent, side, budget);
  if (!canonical)
    return { kind: "json", value: sent, sent, text, utf8, original: identity, spelling: undefined, lexicalIssues };
  const { value, original, spelling } = canonical;
  return { kind: "json", value, sent, text, utf8, original, spelling, lexicalIssues };
}

function streamBody(
  bytes: Uint8Array,
  [operation, , brokenOff, budget]: BodyQuestion,
  lines: string | undefined,
): Body {
  // A body too large to read is judged as far as it was read, like one that broke off there.
  const end = lastLineEnd(bytes);
  const {
    events: raw,
    values,
    lexicalIssues,
    terminated,
    open,
  } = readEvents(end === undefined ? bytes : bytes.subarray(0, end), lines);
  const stop = values.findIndex((value) => !value.ok && value.beyond === true);
  const whole = end === undefined && stop < 0;
  // An event that was under way when the exchange broke off never came.
  const arrived = stop >= 0 ? raw.slice(0, stop) : open && (brokenOff || !whole) ? raw.slice(0, -1) : raw;
  const events: StreamEvent[] = [];
  for (let i = 0; i < arrived.length; i++)
    events.push(readEvent(arrived[i]!, values[i]!, lexicalIssues?.[i], i, operation, budget));
  const notUtf8 = isUtf8(bytes) ? [] : brokenEvents(bytes, raw).filter((position) => position < arrived.length);
  return { kind: "stream", events, terminated, whole, notUtf8 };
}

/** Positions of events with bytes that are not UTF-8; reading replaced these, as the standard says. */
function brokenEvents(bytes: Uint8Array, events: readonly SseEvent[]): number[] {
  return events.flatMap(({ data, offset }, i) => {
    if (!data.includes("\ufffd")) return [];
    return isUtf8(bytes.subarray(offset, events[i + 1]?.offset ?? bytes.length)) ? [] : [i];
  });
}

function readEvent(
  { event, data, offset }: SseEvent,
  json: JsonResult,
  lexicalIssues: LexicalIssues | undefined,
  position: number,
  operation: Operation,
  budget: Budget,
): StreamEvent {
  let kind: StreamEvent["kind"] = "terminator";
  let value: unknown;
  let sent: unknown;
  let problem: string | undefined;
  let original: Original | undefined;
  let spelling: Spelling | undefined;
  if (data !== operation.terminator) {
    if (json.ok) {
      kind = operation.isStreamError?.(json.value) ? "error" : "json";
      const canonical = operation.canonical?.(json.value, "response", budget);
      sent = json.value;
      value = canonical ? canonical.value : sent;
      original = canonical?.original;
      spelling = canonical?.spelling;
    } else {
      kind = "invalid";
      problem = jsonFault(json);
    }
  }
  // One shape for every event: what the engine reads fastest.
  return { event, data, offset, position, kind, value, sent, problem, original, spelling, lexicalIssues };
}
