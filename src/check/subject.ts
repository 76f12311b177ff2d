/** An exchange read once for all checks: headers by name, bodies decoded and parsed, stream events in order. */

import { isUtf8 } from "node:buffer";
import { decodeContent } from "../wire/encoding.ts";
import type { Exchange, HeaderPairs } from "../wire/exchange.ts";
import { headerValue, mediaType } from "../wire/headers.ts";
import type { Hidden, JsonResult } from "../wire/json.ts";
import { type FormPart, parseForm } from "../wire/multipart.ts";
import { isStream, lastLineEnd, readEvents, readJson } from "../wire/read.ts";
import type { SseEvent } from "../wire/sse.ts";
import { type Budget, createBudget, isTooMuch, tooMuchToJudge } from "./budget.ts";
import type { Interface, Operation, Spelling } from "./interface.ts";
import type { Names } from "./names.ts";

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
  readonly hidden: Hidden | undefined;
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
      readonly hidden: Hidden | undefined;
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

/** Header values by lower-case name; neutral names stand beside the bound ones. Without prototype. */
export type HeaderTable = Readonly<Record<string, string>>;

export interface Subject {
  readonly exchange: Exchange;
  readonly interface: Interface;
  readonly operation: Operation;
  readonly names: Names;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly request: { readonly headers: HeaderTable; readonly body: Body };
  readonly response: {
    readonly status: number;
    /** Status 200 to 299. */
    readonly ok: boolean;
    /** Read when first asked for: replies carry many headers, and good ones are asked for few. */
    readonly headers: HeaderTable;
    /** `type/subtype` in lower case. */
    readonly mediaType: string | undefined;
    readonly body: Body;
  } | null;
  /** The request's JSON as an object; an empty one where it is none, so that rules need not ask. */
  readonly requestJson: Readonly<Record<string, unknown>>;
  /** The successful whole reply's JSON; undefined where it failed, was streamed, is unreadable or no object. */
  readonly replyJson: Readonly<Record<string, unknown>> | undefined;
  /** The events of a successful streamed reply. */
  readonly streamEvents: readonly StreamEvent[] | undefined;
  /** Whether the request asked for a stream. */
  readonly streamed: boolean;
  /** Whether the exchange broke off, was too long to be read, or its stream reported an error, so that an end cannot be demanded. */
  readonly interrupted: boolean;
  /** Whether the request was sent broken on purpose, to see it refused (reading X-ENFORCE). */
  readonly probe: boolean;
  /** Whether a credential that is not there was not sent either (reading X-MASKED): live traffic, or a binding that says so. */
  readonly credentialsKept: boolean;
  /** Clause ids of error-level findings on the request, known before response rules run. */
  readonly requestFaults: readonly string[];
  /** What `remember` derived from it, by the number of what derives it. */
  readonly derived: unknown[];
  readonly budget: Budget;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

let derivations = 0;
const nothing = Symbol("nothing");

/** Makes of `compute` a function that computes once a subject, however many rules ask. Call it once a module, not once a rule run. */
export function remember<T>(compute: (subject: Subject) => T): (subject: Subject) => T {
  const slot = derivations++;
  return (subject) => {
    const { derived } = subject;
    const known = derived[slot];
    if (known !== undefined) return (known === nothing ? undefined : known) as T;
    const value = compute(subject);
    derived[slot] = value === undefined ? nothing : value;
    return value;
  };
}

function headerTable(headers: HeaderPairs, names: Names): HeaderTable {
  const table: Record<string, string> = Object.create(null);
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    table[key] = key in table ? `${table[key]}, ${value}` : value;
  }
  for (const neutral of names.boundHeaders) {
    const value = table[names.header(neutral)];
    if (value !== undefined) table[neutral] ??= value;
  }
  return table;
}

const noMembers: Readonly<Record<string, never>> = Object.freeze(Object.create(null));

function queryTable(target: string): Readonly<Record<string, string>> {
  const from = target.indexOf("?");
  if (from < 0) return noMembers;
  const table: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(target.slice(from + 1))) table[name] ??= value;
  return table;
}

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
function readBody(message: Message, asked: Asked): Body {
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
    const { text, json, hidden } = readJson(bytes);
    if (json.ok) {
      const canonical = operation.canonical?.(json.value, side, budget);
      const { value, original, spelling } = canonical ?? { value: json.value, original: identity };
      return { kind: "json", value, sent: json.value, text, utf8: isUtf8(bytes), original, spelling, hidden };
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
    hidden,
    terminated,
    open,
  } = readEvents(end === undefined ? bytes : bytes.subarray(0, end));
  const stop = values.findIndex((value) => !value.ok && value.beyond === true);
  const whole = end === undefined && stop < 0;
  // An event that was under way when the exchange broke off never came.
  const arrived = stop >= 0 ? raw.slice(0, stop) : open && (brokenOff || !whole) ? raw.slice(0, -1) : raw;
  const events: StreamEvent[] = [];
  for (let i = 0; i < arrived.length; i++)
    events.push(readEvent(arrived[i]!, values[i]!, hidden?.[i], i, operation, budget));
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
  hidden: Hidden | undefined,
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
  return { event, data, offset, position, kind, value, sent, problem, original, spelling, hidden };
}

/** A request's target without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

/** Reads an exchange of a known operation. Never throws on what the wire carried. */
export function readSubject(
  exchange: Exchange,
  of: { interface: Interface; operation: Operation },
  names: Names,
  probe = false,
): Subject & { requestFaults: readonly string[] } {
  const { request, response } = exchange;
  const { operation } = of;
  const budget = createBudget(exchange);
  const requestHeaders = headerTable(request.headers, names);
  const brokenOff = exchange.aborted !== undefined;
  const responseBody = response && readBody(response, [operation, "response", brokenOff, budget]);
  let responseHeaders: HeaderTable | undefined;
  const requestBody = readBody(request, [operation, "request", brokenOff, budget]);
  const ok = response !== null && response.status >= 200 && response.status < 300;
  const subject: Subject & { requestFaults: readonly string[]; streamed: boolean } = {
    exchange,
    interface: of.interface,
    operation,
    names,
    path: pathOf(request.target),
    query: queryTable(request.target),
    request: { headers: requestHeaders, body: requestBody },
    response:
      response && responseBody
        ? {
            status: response.status,
            ok,
            get headers() {
              responseHeaders ??= headerTable(response.headers, names);
              return responseHeaders;
            },
            mediaType: mediaType(headerValue(response.headers, "content-type")),
            body: responseBody,
          }
        : null,
    requestJson: requestBody.kind === "json" && isObject(requestBody.value) ? requestBody.value : noMembers,
    replyJson: ok && responseBody?.kind === "json" && isObject(responseBody.value) ? responseBody.value : undefined,
    streamEvents: ok && responseBody?.kind === "stream" ? responseBody.events : undefined,
    streamed: false,
    interrupted:
      brokenOff ||
      (responseBody?.kind === "stream" &&
        (!responseBody.whole || responseBody.events.some(({ kind }) => kind === "error"))),
    probe,
    credentialsKept: (names.credentials ?? (exchange.imported ? "may-be-dropped" : "kept")) === "kept",
    requestFaults: [],
    derived: new Array(derivations),
    budget,
  };
  subject.streamed = operation.streams?.(subject) ?? false;
  return subject;
}
