/** One thing that is wrong at other people's servers, as data: what users see, and what a run must say of it. */

import type { ProbeChoice } from "../../run/send/probes.ts";
import { utf8Text } from "../../wire/bytes.ts";
import { editBody, editEvents, editHeader, editJson } from "../../wire/edit.ts";
import type { Exchange, WireRequest, WireResponse } from "../../wire/exchange.ts";
import { isEventStream } from "../../wire/headers.ts";
import { isObject, parseJsonBytes } from "../../wire/json.ts";

/** The verdict a clause must get. */
export interface Expected {
  readonly clause: string;
  readonly level: "fail" | "warning" | "unenforced";
}

export const fail = (clause: string): Expected => ({ clause, level: "fail" });
/** By one reading of the documents, or where the field agrees on what they leave open. */
export const warning = (clause: string): Expected => ({ clause, level: "warning" });
/** A rule on requests whose violation is accepted. */
export const unenforced = (clause: string): Expected => ({ clause, level: "unenforced" });

/** A refusal in the shape of an interface. */
export type Refuse = (of: string, status: number, message: string) => WireResponse;

export interface Fault {
  readonly name: string;
  /** The report of users. */
  readonly users: string;
  /** The clause a run must name, and how. */
  readonly expected: Expected;
  /** Clauses that the same fault breaks. */
  readonly alsoBreaks?: readonly string[];
  /** It shows in probes alone; they are left out of the run otherwise. */
  readonly probes?: ProbeChoice;
  /** Changes the answer. `memory` lasts as long as the server. */
  readonly spoils?: (exchange: Exchange, memory: Map<string, unknown>) => Exchange;
  /** Milliseconds before an answer, and before each further piece of it. */
  readonly waits?: (exchange: Exchange) => readonly [first: number, others: number];
  /** Requests are heard like this. */
  readonly hears?: (request: WireRequest) => WireRequest;
  /** Rules on requests that are not enforced. */
  readonly lets?: (clause: string) => boolean;
  /** Requests that are let in without the right key. */
  readonly opens?: (request: WireRequest) => boolean;
  /** Every model is known. */
  readonly knowsAll?: boolean;
  /** Answers in place of the server; undefined leaves it to that. */
  readonly answers?: (request: WireRequest, refuse: Refuse) => WireResponse | undefined;
  /** Why a request is refused that keeps all rules. */
  // biome-ignore lint/suspicious/noExplicitAny: faults reach deep into bodies whose shape the interface fixes.
  readonly refuses?: (body: any) => string | false | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: faults reach deep into bodies whose shape the interface fixes.
type Loose = any;

const succeeded = ({ response }: Exchange): boolean => response?.status === 200;

/** The JSON body of a request; an empty object where it is none. */
export function asked({ request }: Exchange): Loose {
  const json = parseJsonBytes(request.body);
  return json.ok && isObject(json.value) ? json.value : {};
}

/** Whether a temperature of next to 0 is asked for, as questions do whose answers are compared. */
export function isCold(exchange: Exchange): boolean {
  const { generationConfig, temperature } = asked(exchange);
  return (temperature ?? generationConfig?.temperature) <= 0.01;
}

/** Changes whole replies; `body` is that of the request. */
export const inReply =
  (change: (reply: Loose, request: { readonly body: Loose }) => void) =>
  (exchange: Exchange): Exchange =>
    succeeded(exchange) && !isEventStream(exchange.response)
      ? editJson(exchange, "response", (reply: Loose) => void change(reply, { body: asked(exchange) }))
      : exchange;

/** Hears JSON bodies changed. */
export const heard =
  (change: (body: Loose) => void) =>
  (request: WireRequest): WireRequest =>
    editJson({ request, response: null }, "request", (body: Loose) => {
      if (isObject(body)) change(body);
    }).request;

/** Changes the events of streamed replies; what is returned replaces them. */
export const inStream =
  (change: (events: { event?: string; data: Loose }[]) => { event?: string; data: Loose }[] | void) =>
  (exchange: Exchange): Exchange =>
    isEventStream(exchange.response) ? editEvents(exchange, change) : exchange;

/** Changes what is said about the choices of a chat, whole or streamed. */
export const inEvents = (change: (data: Loose) => void): ((exchange: Exchange) => Exchange) =>
  inStream((events) => {
    for (const { data } of events) if (typeof data === "object") change(data);
  });

/** Changes the text of every reply. */
export const inText =
  (change: (text: string) => string) =>
  (exchange: Exchange): Exchange =>
    editBody(exchange, "response", Buffer.from(change(utf8Text(exchange.response!.body))));

/** Answers refusals with another status, and body where one is given. */
export const inRefusal =
  (status: number, body?: unknown) =>
  (exchange: Exchange): Exchange => {
    if (exchange.response!.status < 400) return exchange;
    const changed = { ...exchange, response: { ...exchange.response!, status } };
    return body === undefined ? changed : editBody(changed, "response", Buffer.from(JSON.stringify(body)));
  };

export const withType =
  (type: string, when: (exchange: Exchange) => boolean = succeeded) =>
  (exchange: Exchange): Exchange =>
    when(exchange) ? editHeader(exchange, "response", "content-type", type) : exchange;
