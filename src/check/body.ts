/** A body read: its encoding undone, then JSON, a form, or a stream's events in order. */
import { isUtf8 } from "node:buffer";
import { decodeContent } from "../wire/encoding.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { headerValue, mediaType } from "../wire/headers.ts";
import type { JsonResult } from "../wire/json.ts";
import type { LexicalIssues } from "../wire/json-issues.ts";
import { type FormPart, parseForm } from "../wire/multipart.ts";
import { isStream, lastLineEnd, readEvents, readJson } from "../wire/read.ts";
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
  /** What the JSON parser said of `invalid` data. */
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
      readonly text: string;
      /** Whether its bytes are UTF-8; where they are not, the text holds replacement characters. */
      readonly utf8: boolean;
      readonly original: Original;
      readonly spelling: Spelling | undefined;
      /** Repeated keys and integers written with a fraction; undefined where there are none, as nearly always. */
      readonly lexicalIssues: LexicalIssues | undefined;
    }
  | { readonly kind: "form"; readonly parts: readonly FormPart[]; readonly problem?: string }
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

const identity = (text: string): string => text;

const beyond = (problem: string): Body => ({ kind: "unreadable", problem, tooMuch: true });

interface Message {
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
  readonly cut?: number;
  readonly redacted?: readonly string[];
}

type Asked = readonly [operation: Operation, side: "request" | "response", brokenOff: boolean, budget: Budget];

/** Reads a body; what exhausts memory or the budget on the way is too much to judge. */
export function readBody(message: Message, asked: Asked): Body {
  try {
    return readWithin(message, asked);
  } catch (error) {
    if (isTooMuch(error)) return beyond(tooMuchToJudge);
    throw error;
  }
}

function readWithin(message: Message, [operation, side, brokenOff, budget]: Asked): Body {
  if (message.cut && message.redacted?.includes("/body")) return beyond("it decodes to more than is read");
  if (message.cut) return { kind: "unreadable", problem: `${message.cut} bytes were not recorded` };
  if (message.body.length === 0) return { kind: "empty" };
  const decoded = decodeContent(message.body, headerValue(message.headers, "content-encoding"));
  if (!decoded.ok) return decoded.tooLarge ? beyond(decoded.problem) : { kind: "unreadable", problem: decoded.problem };
  const type = headerValue(message.headers, "content-type");
  const isMultipart = side === "request" && mediaType(type)?.startsWith("multipart/") === true;
  if (isMultipart || (side === "request" && operation.schemas.form)) {
    const form = parseForm(decoded.bytes, type);
    if (!form.ok && form.beyond) return beyond(form.problem);
    if (form.ok || isMultipart)
      return form.ok ? { kind: "form", parts: form.parts } : { kind: "form", parts: [], problem: form.problem };
  }
  const { bytes } = decoded;
  if (side === "request" || !isStream(bytes)) {
    const { text, json, lexicalIssues } = readJson(bytes);
    if (json.ok) {
      const canonical = operation.canonical?.(json.value, side, budget);
      const { value, original, spelling } = canonical ?? { value: json.value, original: identity };
      return { kind: "json", value, sent: json.value, text, utf8: isUtf8(bytes), original, spelling, lexicalIssues };
    }
    if (json.beyond) return beyond(json.problem);
    if (side === "request" || mediaType(type) !== "text/event-stream")
      return { kind: "text", text, problem: json.problem };
  }
  // What is too much to read is judged as far as it was read, like what broke off there.
  const end = lastLineEnd(bytes);
  const {
    events: raw,
    values,
    lexicalIssues,
    terminated,
    open,
  } = readEvents(end === undefined ? bytes : bytes.subarray(0, end));
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
      problem = json.problem;
    }
  }
  // One shape for every event: what the engine reads fastest.
  return { event, data, offset, position, kind, value, sent, problem, original, spelling, lexicalIssues };
}
