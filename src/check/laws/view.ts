/** One exchange as laws read it: JSON bodies, events and headers. A draft is the same for an exchange that is being changed. */
import { editEvents, editHeader, editJson, editStatus, jsonBodyOf } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { headerValue, isEventStream } from "../../wire/headers.ts";
import { isObject, parseJson } from "../../wire/json.ts";
import { isJsonLines } from "../../wire/json-lines.ts";
import { tokensOf } from "../../wire/pointer.ts";
import { spend } from "../budget.ts";
import type { Place, Side } from "../clause.ts";
import { remember, type Subject } from "../subject.ts";
import { Key } from "./key.ts";

/** A place in an exchange. */
export interface Spot {
  readonly side: Side;
  readonly in: Place;
  readonly event?: number;
  readonly pointer: string;
}

export interface ViewEvent {
  /** The `event:` line. */
  event?: string | undefined;
  /** JSON, or the text of data that is not JSON, such as `[DONE]`. */
  data: unknown;
  /** Whether the data is JSON. */
  readonly isJson: boolean;
}

export interface View {
  readonly request: unknown;
  /** JSON of a successful response that is no stream. */
  readonly response: unknown;
  /** JSON of a response with an error status. */
  readonly error: unknown;
  /** Events of a successful stream, in order. */
  readonly events: readonly ViewEvent[] | undefined;
  readonly status: number | undefined;
  /** Values by lower-case name. */
  readonly headers: Readonly<Record<Side, Readonly<Record<string, string | undefined>>>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Whether the response broke off, so that its end shows nothing. */
  readonly interrupted: boolean;
  /** Where clauses of shape are violated. Laws do not judge these values. */
  readonly misshapen: readonly Spot[];
  /** Tokens of their pointers; filled when a law asks for them. */
  readonly tokens: (readonly string[])[];
  /** Root of the keys of `by`. */
  readonly keys: Key;
  /** Positions of events by type, and of data that is not JSON; absent for drafts, whose events change. */
  readonly index?: EventIndex;
  /** Spends steps of the budget; absent if nothing limits them. */
  readonly spend?: (steps: number) => void;
}

/** Positions of the events of a stream, in order. */
export interface EventIndex {
  readonly json: readonly number[];
  readonly ofType: ReadonlyMap<string, readonly number[]>;
  /** Positions for several types, by their JSON; filled when a selector asks for them. */
  readonly ofTypes: Map<string, readonly number[]>;
  readonly other: readonly number[];
}

/** Indexes events, so that a selector only reads those of its types. */
export function indexEvents(events: readonly ViewEvent[]): EventIndex {
  const json: number[] = [];
  const other: number[] = [];
  const ofType = new Map<string, number[]>();
  for (let i = 0; i < events.length; i++) {
    const event = events[i]!;
    if (!event.isJson) {
      other.push(i);
      continue;
    }
    json.push(i);
    const type = typeOfEvent(event) ?? "";
    const known = ofType.get(type);
    if (known) known.push(i);
    else ofType.set(type, [i]);
  }
  return { json, ofType, ofTypes: new Map(), other };
}

/** Returns a view of nothing but these events. */
export const viewOfEvents = (events: readonly ViewEvent[]): View => ({
  request: undefined,
  response: undefined,
  error: undefined,
  events,
  status: undefined,
  headers: { request: {}, response: {} },
  query: {},
  interrupted: false,
  misshapen: [],
  tokens: [],
  keys: new Key(),
});

/** Misshapen values that are kept; a view with more of them is not judged by laws. */
export const maxMisshapen = 100;

/** Returns the tokens of the pointer of a misshapen value. */
export function misshapenTokens({ misshapen, tokens }: View, i: number): readonly string[] {
  return (tokens[i] ??= tokensOf(misshapen[i]!.pointer));
}

/** Reads the type of an event: the member `type` of its data, or else its `event:` line. */
export function typeOfEvent({ data, event }: ViewEvent): string | undefined {
  const type = isObject(data) ? data["type"] : undefined;
  return typeof type === "string" ? type : event;
}

/** Returns the view of an exchange that is judged. */
export const viewOf = remember((subject: Subject): View => {
  const { request, response, interrupted, misshapen, query } = subject;
  const isFailed = response !== null && !response.ok;
  const events = subject.streamEvents?.map(({ event, data, value, kind }) => {
    const isJson = kind === "json" || kind === "error";
    return { event, data: isJson ? value : data, isJson };
  });
  return {
    request: request.body.kind === "json" ? request.body.value : undefined,
    response: response?.ok && response.body.kind === "json" ? response.body.value : undefined,
    error: isFailed && response.body.kind === "json" ? response.body.value : undefined,
    events,
    ...(events && { index: indexEvents(events) }),
    spend: (steps) => spend(subject.budget, steps),
    status: response?.status,
    headers: { request: request.headers, response: response?.headers ?? {} },
    query,
    interrupted,
    misshapen,
    tokens: [],
    keys: new Key(),
  };
});

/** An exchange that is being changed. */
export interface Draft extends View {
  readonly events: ViewEvent[] | undefined;
  request: unknown;
  response: unknown;
  error: unknown;
  status: number | undefined;
  readonly headers: Readonly<Record<Side, Record<string, string | undefined>>>;
}

const headersIn = (pairs: Exchange["request"]["headers"]): Record<string, string | undefined> =>
  Object.assign(Object.create(null), Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])));

/** Returns a draft of an exchange: a deep copy. */
export function draftOf(exchange: Exchange): Draft {
  const { request, response } = exchange;
  const isGood = response !== null && response.status >= 200 && response.status < 300;
  const type = response ? headerValue(response.headers, "content-type") : undefined;
  const isStream = isGood && (isEventStream(response) || isJsonLines(type));
  const events: ViewEvent[] = [];
  if (isStream)
    editEvents(exchange, (all) => {
      for (const { event, data } of all)
        events.push({ event, data, isJson: typeof data !== "string" || parseJson(data).ok });
    });
  const body = response && !isStream ? jsonBodyOf(response) : undefined;
  return {
    request: jsonBodyOf(request),
    response: isGood ? body : undefined,
    error: isGood ? undefined : body,
    events: isStream ? events : undefined,
    status: response?.status,
    headers: { request: headersIn(request.headers), response: headersIn(response?.headers ?? []) },
    query: Object.fromEntries(new URLSearchParams(request.target.split("?", 2)[1] ?? "")),
    interrupted: false,
    misshapen: [],
    tokens: [],
    keys: new Key(),
  };
}

/** Returns the exchange with what the draft changed. */
export function withDraft(exchange: Exchange, draft: Draft): Exchange {
  const before = draftOf(exchange);
  const isChanged = (part: "request" | "response" | "error" | "events"): boolean =>
    JSON.stringify(before[part]) !== JSON.stringify(draft[part]);
  let changed = exchange;
  if (isChanged("request")) changed = editJson(changed, "request", () => draft.request);
  if (isChanged("response")) changed = editJson(changed, "response", () => draft.response);
  if (isChanged("error")) changed = editJson(changed, "response", () => draft.error);
  if (isChanged("events"))
    changed = editEvents(changed, () =>
      draft.events!.map(({ event, data }) => ({ ...(event !== undefined && { event }), data })),
    );
  for (const side of ["request", "response"] as const)
    for (const name of new Set([...Object.keys(before.headers[side]), ...Object.keys(draft.headers[side])]))
      if (before.headers[side][name] !== draft.headers[side][name])
        changed = editHeader(changed, side, name, draft.headers[side][name]);
  return draft.status === before.status || draft.status === undefined ? changed : editStatus(changed, draft.status);
}

/** The whole JSON value that contains a place, and how to replace it. */
function rootOf(draft: Draft, { side, in: place, event }: Spot): { readonly root: unknown; put(value: unknown): void } {
  if (place === "stream") {
    const one = draft.events![event!]!;
    return { root: one.data, put: (value) => void (one.data = value) };
  }
  const part = side === "request" ? "request" : draft.error === undefined ? "response" : "error";
  return { root: draft[part], put: (value) => void (draft[part] = value) };
}

/** Sets the value at a place, or removes it if `value` is undefined. Does nothing if the place's parent is missing. */
export function setAt(draft: Draft, spot: Spot, value: unknown): void {
  if (spot.in === "headers") draft.headers[spot.side][spot.pointer.slice(1)] = value as string | undefined;
  if (spot.in === "status") draft.status = value as number;
  if (spot.in !== "body" && spot.in !== "stream") return;
  const tokens = tokensOf(spot.pointer);
  const last = tokens.pop();
  const { root, put } = rootOf(draft, spot);
  if (last === undefined) {
    put(value);
    return;
  }
  let parent = root;
  for (const token of tokens) parent = (parent as Record<string, unknown> | undefined)?.[token];
  if (Array.isArray(parent) && value === undefined) parent.splice(Number(last), 1);
  else if (Array.isArray(parent)) parent[Number(last)] = value;
  else if (isObject(parent) && value === undefined) delete parent[last];
  else if (isObject(parent)) (parent as Record<string, unknown>)[last] = value;
}
