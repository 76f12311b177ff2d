/** Meets the structure of one exchange: headers, query, bodies, events. Words, numbers and times are left out. */
import type { Body, StreamEvent } from "../check/body.ts";
import { formValue } from "../check/multipart-value.ts";
import type { Operation } from "../check/operation.ts";
import type { Subject } from "../check/subject.ts";
import { saidOfKey } from "../interfaces/common/auth.ts";
import { droppedHeaders } from "../run/send/retarget.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { hopByHop, mediaParameter, mediaType } from "../wire/headers.ts";
import { describedBy, undocumented } from "./document-schema.ts";
import type { Orders } from "./event-order.ts";
import type { Place, Places, Visit } from "./observed-schema.ts";
import { newOccurrence, type Side, see } from "./occurrence.ts";
import { labelsOf, pieceTwice, repeatsIn, sentTwice } from "./repeats.ts";
import { bytesOf, visitSpelling } from "./spelling.ts";

/** Headers that say when, how long and over which connection, in lower case. */
const ofTransport = new Set([
  ...hopByHop,
  "date",
  "content-length",
  "age",
  "trailer",
  "expires",
  "last-modified",
  "etag",
]);

/** Headers whose value is a word of a protocol, and what of it is structure. */
const words: Readonly<Record<string, (value: string) => string>> = {
  "content-type": (value) => {
    const charset = mediaParameter(value, "charset")?.toLowerCase();
    const type = mediaType(value) ?? "";
    return charset === undefined ? type : `${type}; charset=${charset}`;
  },
  "content-encoding": (value) => value.toLowerCase(),
  "www-authenticate": (value) => value.split(" ", 1)[0]!.toLowerCase(),
};

/** The kind of body a message has: a JSON value, or what is no JSON; undefined where it cannot be read. */
export type BodyKind =
  | "JSON"
  | "JSON that is no reply"
  | "stream of events"
  | "stream with an error"
  | "form"
  | "text"
  | "nothing";

const kinds = { json: "JSON", stream: "stream of events", form: "form", text: "text", empty: "nothing" } as const;

/** One response as it is compared with others. */
export interface Outcome {
  /** The status, or what stands for it: `no answer`, `broken off`. */
  readonly status: string;
  readonly body: BodyKind | undefined;
  /** It refuses the key, or says that there is none. */
  readonly refusesKey?: true;
}

/** How the root of a kind of message is found again: its operation, and where it stands. */
export interface RootName {
  readonly interface: string;
  readonly operation: string;
  readonly side: "request" | "response";
  readonly in: "headers" | "query" | "body" | "form" | "stream" | "status";
  /** The kind of answer, since failures have a structure of their own; empty for requests. */
  readonly answer: "success" | "failure" | "";
  /** Id of the schema that describes it, empty where none does; or one of the two below. */
  readonly schema: string;
}

/** The root of what is to be said of a body as a whole, and that of how its JSON was written. */
export const ofBody = "body";
export const spelling = "spelling";

const visitOf = (side: Side, exchange: number, areModes = false): Visit => ({
  side,
  exchange,
  areModes,
  touched: [],
  structure: 0,
});

/** The root of a kind of message of this exchange; its name is its key. */
function rootOf(
  places: Places,
  subject: Subject,
  name: Omit<RootName, "interface" | "operation" | "schema">,
  id?: string,
): Place {
  const { interface: of, operation } = subject;
  const key: RootName = { interface: of, operation: operation.name, ...name, schema: id ?? "" };
  const ofClients = operation.ofClients ?? [];
  const said = (schema: string | undefined) =>
    schema?.startsWith("/") ? describedBy(schema, ofClients, places.schemaFiles) : undocumented;
  const isReply = name.side === "response" && name.in === "body" && name.answer === "success";
  const described = () => (isReply ? { ...said(id), asked: said(operation.schemas.request) } : said(id));
  return places.root(JSON.stringify(key), described, ofClients);
}

/** Values of a header, and names of events, that are counted. */
const maxValues = 100;

function countValue(place: Place, visit: Visit, value: string): void {
  const { values } = place.sides[visit.side];
  let seen = values.get(value);
  if (!seen && values.size >= maxValues) return;
  if (!seen) values.set(value, (seen = newOccurrence()));
  see(seen, visit.exchange);
}

/** Names without values, but of those that are words of the protocol. */
function visitNames(places: Places, root: Place, pairs: readonly (readonly [string, string])[], visit: Visit): void {
  places.observe(root, visit);
  see(root.sides[visit.side].objects, visit.exchange);
  const met = new Set<string>();
  for (const [name] of pairs) {
    if (met.has(name)) continue;
    met.add(name);
    const place = places.member(root, name);
    if (!place) continue;
    places.observe(place, visit);
    if (!Object.hasOwn(words, name)) continue;
    // Most headers may stand in several lines; these may not, and some clients take the first, others the last.
    const all = pairs.filter(([other]) => other === name).map(([, own]) => words[name]!(own));
    countValue(place, visit, all.join(" and ").slice(0, 200));
  }
}

const namesOf = (headers: HeaderPairs): (readonly [string, string])[] =>
  headers.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => !ofTransport.has(name));

/** Meets the structure of a request; gives a number that requests of the same structure share. */
export function visitRequest(places: Places, subject: Subject, side: Side, exchange: number): number {
  const { request, query, operation } = subject;
  const visit = visitOf(side, exchange, true);
  const root = (where: RootName["in"], id?: string): Place =>
    rootOf(places, subject, { side: "request", in: where, answer: "" }, id);
  // A client's facts about itself and its connection are no part of its request.
  const names = namesOf(subject.exchange.request.headers).filter(([name]) => !droppedHeaders.test(name));
  const ofHead = visitOf(side, exchange);
  visitNames(places, root("headers"), names, ofHead);
  places.close(ofHead);
  visitNames(places, root("query"), Object.entries(query), visit);
  const { body } = request;
  meetBody(places, root("body", ofBody), body, visit);
  if (body.kind === "json") {
    const at = root("body", operation.schemas.request);
    places.walk(at, body.value, visit);
    visitSpelling(places, root("body", spelling), at, body, visit);
  }
  const form = formValue(operation, body);
  if (form) places.walk(root("form", form.schema), form.value, visit);
  places.close(visit);
  return visit.structure;
}

/** Facts about a body as a whole. For a request they include its kind; outcomes say this of an answer. */
function meetBody(places: Places, root: Place, body: Body, visit: Visit, isKindTold = true): void {
  if (body.kind === "unreadable") return;
  places.observe(root, visit);
  see(root.sides[visit.side].objects, visit.exchange);
  for (const said of bytesOf(body)) places.observe(places.part(root, said), visit);
  if (!isKindTold) return;
  const kind = places.part(root, "kind");
  places.observe(kind, visit);
  const isBroken = body.kind === "form" && body.problem !== undefined;
  countValue(kind, visit, isBroken ? "a form that cannot be read" : kinds[body.kind]);
}

/** The schema of a successful whole reply. */
const schemaOf = ({ schemas: { response } }: Operation, body: unknown, status: number): string | undefined =>
  typeof response === "function" ? response(body, status) : response;

/** Statuses that refuse who asks, or refuse without saying why: they are about the key where their body says so. */
const unspecific = new Set([400, 403, 407]);

function refusesKey(subject: Subject): boolean {
  const status = subject.response?.status ?? 0;
  return status === 401 || (unspecific.has(status) && !["other", "nothing"].includes(saidOfKey(subject)));
}

/** The outcome of a request, as far as it can be compared at once. */
export function outcomeOf(subject: Subject): Outcome {
  const { exchange, operation, response } = subject;
  if (!response) return { status: "no answer", body: undefined };
  if (exchange.aborted === "client") return { status: String(response.status), body: undefined };
  if (exchange.aborted) return { status: `${response.status}, broken off`, body: undefined };
  const { body } = response;
  const status = String(response.status);
  if (body.kind === "stream" && body.events.some(({ kind }) => kind === "error"))
    return { status, body: "stream with an error" };
  // A failure that comes as a success is none of the replies that the document describes.
  if (response.ok && body.kind === "json" && schemaOf(operation, body.value, response.status) === undefined)
    return { status, body: "JSON that is no reply" };
  const kind = body.kind === "unreadable" ? undefined : kinds[body.kind];
  return { status, body: kind, ...(refusesKey(subject) && { refusesKey: true as const }) };
}

/** Meets the structure of a response; false where none of its body can be compared. */
export function visitResponse(places: Places, orders: Orders, subject: Subject, side: Side, exchange: number): boolean {
  const { response, operation } = subject;
  if (!response) return false;
  const answer = response.ok ? "success" : "failure";
  const root = (where: RootName["in"], id?: string): Place =>
    rootOf(places, subject, { side: "response", in: where, answer }, id);
  const ofHead = visitOf(side, exchange);
  visitNames(places, root("headers"), namesOf(subject.exchange.response!.headers), ofHead);
  places.close(ofHead);
  const { body } = response;
  // Nobody knows how a broken body would have gone on.
  if (subject.interrupted || body.kind === "unreadable") return false;
  const visit = visitOf(side, exchange);
  if (body.kind === "json" || body.kind === "stream")
    meetBody(places, root(body.kind === "json" ? "body" : "stream", ofBody), body, visit, false);
  if (body.kind === "json") {
    const { error } = operation.schemas;
    const ofFailure = typeof error === "function" ? error(response.status) : error;
    const at = root("body", response.ok ? schemaOf(operation, body.value, response.status) : ofFailure);
    places.walk(at, body.value, visit);
    visitSpelling(places, root("body", spelling), at, body, visit);
  }
  if (body.kind === "stream") visitStream(places, root, subject, body.events, visit);
  places.close(visit);
  if (body.kind === "stream")
    orders.add(
      subject,
      side,
      exchange,
      body.events.map((event) => labelsOf(operation, event)),
    );
  return true;
}

/**
 * The content of the `event:` line. If it repeats a member by which events are told apart, the name of that member. An event
 * whose member says otherwise, but whose line is one that others have, has another member, not another line.
 */
function eventName({ event, value }: StreamEvent, { discriminators, members }: Place): string {
  const named = discriminators.find(
    (name) =>
      (value as Readonly<Record<string, unknown>>)?.[name] === event ||
      members.get(name)?.sides.some(({ values }) => values.has(event!)),
  );
  return named === undefined ? event!.slice(0, 100) : `its ${named}`;
}

function visitStream(
  places: Places,
  root: (where: "stream", id?: string) => Place,
  { operation }: Subject,
  events: readonly StreamEvent[],
  visit: Visit,
): void {
  const whole = root("stream", ofBody);
  const written = root("stream", spelling);
  const { schemas } = operation;
  /** A stream as a whole has a property, or not, however often it shows it. */
  const parts = new Set<string>();
  for (const one of events) {
    const { kind, value, data, event } = one;
    if (kind === "terminator") parts.add(data);
    if (kind === "invalid") parts.add("data that is no JSON");
    if (kind !== "json") continue;
    const at = root("stream", typeof schemas.event === "function" ? schemas.event(value, event) : schemas.event);
    places.walk(at, value, visit);
    visitSpelling(places, written, at, one, visit);
    if (event === undefined) continue;
    const line = places.part(at, "event: line");
    places.observe(line, visit);
    countValue(line, visit, eventName(one, at));
  }
  const repeats = repeatsIn(operation, events);
  // If whole events come again, pieces do so along with them.
  if (repeats.piece && repeats.things.size === 0) parts.add(pieceTwice);
  for (const part of parts) places.observe(places.part(whole, part), visit);
  if (repeats.things.size === 0) return;
  const twice = places.part(whole, sentTwice);
  places.observe(twice, visit);
  for (const thing of repeats.things) countValue(twice, visit, thing);
}
