/** Generates valid exchanges of derived operations. They prove the clauses and are the basis of probes. */
import type { Example } from "../check/example.ts";
import type { KeyPlace } from "../check/interface.ts";
import { formOf, jsonRequest, jsonResponse, linesResponse, sseEvent, streamResponse } from "../wire/build.ts";
import type { WireRequest, WireResponse } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { replaceAt, resolvePointer, tokensOf } from "../wire/pointer.ts";
import type { EventKind, OperationBodies } from "./body-nodes.ts";
import { faultOf } from "./check-value.ts";
import { targetOf } from "./derive.ts";
import { createMaker, type Maker, tooLarge } from "./make-values.ts";
import { type Node, nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { Reply } from "./operations.ts";
import { parametersSent, withQuery } from "./parameters-sent.ts";
import { headersMade } from "./reply-headers.ts";
import { withKey, withKeyHeader } from "./security.ts";

/** Limits for the values of one node: large values, all values, and their total size as JSON. */
const maxLarge = 40;
const maxValues = 20_000;
const maxBytes = 4 << 20;

/** Maximum number of events in one stream. Every clause on the stream is proven on all of its events. */
const eventsInStream = 6;

/**
 * Returns values that together contain all members and alternatives of a node: a few large ones, then small ones.
 * @param unexampled receives the places that no value shows, each with the reason
 */
function valuesOf(node: Node, maker: Maker, unexampled: Map<string, string>): unknown[] {
  const values = makeValues(node, maker);
  for (const [place, why] of maker.unshown(node)) unexampled.set(place, why);
  return values;
}

function makeValues(node: Node, maker: Maker): unknown[] {
  const values: unknown[] = [];
  if (!maker.takeRoom(0)) return values;
  let bytes = 0;
  const add = (value: unknown): boolean => {
    const size = (JSON.stringify(value) ?? "").length;
    bytes += size;
    return values.push(value) < maxValues && bytes < maxBytes && maker.takeRoom(size);
  };
  for (let before = -1; values.length < maxLarge && maker.shown() > before; ) {
    before = maker.shown();
    const value = maker.make(node);
    if (value === undefined) return values;
    if (!add(value)) return values;
  }
  for (const value of maker.rest(node)) if (!add(value)) break;
  return values;
}

/**
 * Sets the member that requests a stream. Returns the body unchanged if the schema does not describe or allow it.
 * @param at JSON Pointer of the member
 */
function askingForStream(
  body: unknown,
  node: Node | undefined,
  { request }: OperationBodies["shape"],
  at: string,
): unknown {
  if (!node || !isObject(body) || !request(node).properties.has(tokensOf(at)[0]!)) return body;
  const asking = replaceAt(body, at, true);
  return faultOf(asking, node, request) === undefined ? asking : body;
}

/** Location of the key in requests, and JSON Pointer of the member that requests a stream. */
export interface ExamplePlaces {
  readonly key: KeyPlace | undefined;
  readonly streamAt: string;
}

type Head = Pick<WireRequest, "method" | "target" | "headers">;

/** One kind of request body, such as JSON or a form. */
interface Sending {
  readonly node: Node;
  /** JSON Pointers of the examples in the document. */
  readonly shown: readonly string[];
  readonly send: (head: Head, body: unknown) => WireRequest;
}

/**
 * Generates the examples of an operation.
 * @param unexampled receives the places of schemas that no example shows, each with the reason
 */
export function examplesOf(
  doc: OpenApi,
  { described, operation, request: judged, forms, replies, shape }: OperationBodies,
  { key, streamAt }: ExamplePlaces,
  unexampled: Map<string, string>,
): Example[] {
  // If one of several merged operations accepts any body, the body is not judged. Requests still need one.
  const json = described.body?.json;
  const request = judged ?? (json === undefined ? undefined : nodeOf(doc, [json]));
  const ofRequests = createMaker({ doc, shape: shape.request });
  const ofReplies = createMaker({ doc, shape: shape.response });
  const good =
    replies.find(({ reply }) => reply.status.startsWith("2")) ??
    replies.find(({ reply }) => reply.status.startsWith("3"));
  const sent = parametersSent(doc, described, shape.request, operation.parameters, (node, maker) =>
    valuesOf(node, maker, unexampled),
  );
  const target = (query: string, inPath?: Readonly<Record<string, unknown>>): string => {
    const [path = "", asked] = targetOf(described).split("?", 2);
    return withKey(withQuery(withQuery(sent.inPath(path, inPath), asked ?? ""), query), key);
  };
  const headOf = ({ query, headers } = sent.needed, inPath?: Readonly<Record<string, unknown>>): Head => ({
    method: operation.method,
    target: target(query, inPath),
    headers: withKeyHeader(headers, key),
  });
  /** The most likely media type is first. */
  const bodies: readonly Sending[] = [
    ...(request
      ? [
          {
            node: request,
            shown: described.body?.examples ?? [],
            send: ({ method, target, headers }: Head, body: unknown) => jsonRequest(target, headers, body, method),
          },
        ]
      : []),
    ...forms.map(({ node, type, reading }, i) => ({
      node,
      shown: described.body?.forms[i]?.examples ?? [],
      send: (head: Head, body: unknown) => formOf(type, head, reading.write(isObject(body) ? body : {})),
    })),
  ];
  const [first] = bodies;
  const small = first && ofRequests.smallest(first.node);
  const goodNode = good?.json ?? good?.stream;
  const smallReply = goodNode && ofReplies.smallest(goodNode);
  if ((first && small === undefined) || (goodNode && smallReply === undefined)) {
    const parts = bodies.map(({ node }) => [node, ofRequests] as const);
    for (const node of replies.flatMap(({ json, stream }) => [json, stream])) if (node) parts.push([node, ofReplies]);
    for (const [node, maker] of parts) for (const place of maker.unshown(node).keys()) unexampled.set(place, tooLarge);
    // Clauses on the path and its methods need an example, too.
    const { pointer } = described;
    for (const place of [pointer, pointer.slice(0, pointer.lastIndexOf("/"))]) unexampled.set(place, tooLarge);
    return [];
  }
  const ask = (body: unknown, head = headOf()): WireRequest =>
    first?.send(head, body) ?? { ...head, body: new Uint8Array() };
  const status = good && statusOf(good.reply.status);
  /** Returns a stream with a single event. */
  const smallStream = ({ reply, events, stream }: (typeof replies)[number]): WireResponse => {
    const kind = events.find(({ node }) => node !== undefined);
    const data = ofReplies.smallest(kind?.node ?? stream!);
    return data === undefined ? streamOf([], reply) : streamOf([{ data, name: kind?.name }], reply);
  };
  const headersFor = new Map(replies.map(({ reply }) => [reply, headersMade(reply, { doc, shape: shape.response })]));
  /** Adds the documented headers to a response. */
  const headed = (response: WireResponse, of: Reply | undefined): WireResponse => ({
    ...response,
    headers: [...response.headers, ...((of && headersFor.get(of)) ?? [])],
  });
  /** Undefined if the document lists statuses and none of them is 2xx or 3xx. */
  const plain: WireResponse | undefined = good?.json
    ? jsonResponse(smallReply, status)
    : good?.stream
      ? smallStream(good)
      : good || described.statuses.length === 0
        ? { status: status ?? 200, headers: [], body: new Uint8Array() }
        : undefined;
  const reply = plain ? headed(plain, good?.reply) : null;
  const streamed = good?.stream ? headed(smallStream(good), good.reply) : reply;
  const asksForStream = (body: unknown): boolean => resolvePointer(body, streamAt) === true;
  const examples: Example[] = [];
  const add = (what: string, one: WireRequest, other: WireResponse | null): void =>
    void examples.push({
      name: `${described.id}: ${what} ${examples.length + 1}`,
      exchange: { request: one, response: other },
    });
  add("the smallest request", ask(small), reply);
  if (sent.hasMore) add("all parameters", ask(small, headOf(sent.all)), reply);
  for (const more of sent.more()) add("a parameter", ask(small, headOf(more, more.inPath)), reply);
  for (const { node, send } of bodies)
    for (const body of valuesOf(node, createMaker({ doc, shape: shape.request }), unexampled))
      add("request", send(headOf(), body), reply);
  for (const { node, send, shown } of bodies)
    for (const body of shown.map((pointer) => doc.at(pointer)))
      if (faultOf(body, node, shape.request) === undefined)
        add("an example of the document", send(headOf(), body), asksForStream(body) ? streamed : reply);
  for (const { reply: one, json, stream, events: kinds } of replies) {
    const code = statusOf(one.status);
    if (json)
      for (const body of valuesOf(json, createMaker({ doc, shape: shape.response }), unexampled))
        add(`reply ${one.status}`, ask(small), headed(jsonResponse(body, code), one));
    else if (one !== good?.reply && !stream && (code < 300 || !good || headersFor.get(one)!.length > 0))
      add(`reply ${one.status}`, ask(small), headed({ status: code, headers: [], body: new Uint8Array() }, one));
    if (!stream || code >= 300) continue;
    const maker = createMaker({ doc, shape: shape.response });
    const events = kinds.flatMap((kind) => eventsOf(kind, maker, unexampled));
    for (let i = 0; i < events.length; i += eventsInStream)
      add(
        "stream",
        ask(askingForStream(small, first?.node, shape, streamAt)),
        headed(streamOf(events.slice(i, i + eventsInStream), one), one),
      );
  }
  return examples;
}

/** Returns a streamed response with the event framing of its media type. */
const streamOf = (events: readonly MadeEvent[], { lines }: Reply): WireResponse =>
  lines === undefined
    ? streamResponse(events.map(({ data, name }) => sseEvent(data, name)))
    : linesResponse(
        events.map(({ data }) => data),
        lines,
      );

interface MadeEvent {
  readonly data: unknown;
  readonly name: string | undefined;
}

/** Returns events that together show all data of one kind. */
const eventsOf = ({ node, name }: EventKind, maker: Maker, unexampled: Map<string, string>): MadeEvent[] =>
  node ? valuesOf(node, maker, unexampled).map((data) => ({ data, name })) : [];

/** Returns a numeric status for a documented one: 400 for `4XX` and `default`. */
const statusOf = (status: string): number =>
  /^\d{3}$/.test(status) ? Number(status) : /^[1-5]XX$/.test(status) ? Number(status[0]) * 100 : 400;
