/** Makes good exchanges of derived operations: what their clauses are proven on, and probes are made from. */
import type { Example } from "../check/example.ts";
import type { KeyPlace } from "../check/interface.ts";
import { jsonRequest, jsonResponse, sseEvent, streamResponse } from "../wire/build.ts";
import type { WireRequest, WireResponse } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { replaceAt, tokensOf } from "../wire/pointer.ts";
import type { OperationBodies } from "./body-nodes.ts";
import { faultOf } from "./check-value.ts";
import { targetOf } from "./derive.ts";
import { createMaker, type Maker } from "./make-values.ts";
import type { Node } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import { type Pairs, parametersSent, withQuery } from "./parameters-sent.ts";
import { keyHeaders, withKey } from "./security.ts";

/** Values of one node that are made at most. */
const maxValues = 400;

/** Events of one stream: each of its clauses is proven on the whole of it. */
const eventsInStream = 6;

/** Values that show all alternatives of a node between them. */
function valuesOf(node: Node, maker: Maker): unknown[] {
  const values: unknown[] = [];
  for (let before = -1; values.length < maxValues && maker.shown() > before; ) {
    before = maker.shown();
    values.push(maker.make(node));
  }
  return values;
}

/** A request that asks for a stream, where its schema knows the member that does. @param at its place */
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

/** Where requests carry their key, and the pointer of the member that asks for a stream. */
export interface ExamplePlaces {
  readonly key: KeyPlace | undefined;
  readonly streamAt: string;
}

/** The examples of an operation. */
export function examplesOf(
  doc: OpenApi,
  { described, operation, request, replies, shape }: OperationBodies,
  { key, streamAt }: ExamplePlaces,
): Example[] {
  const ofRequests = createMaker({ doc, shape: shape.request });
  const ofReplies = createMaker({ doc, shape: shape.response });
  const good = replies.find(({ reply }) => reply.status.startsWith("2"));
  const sent = parametersSent(doc, described, shape.request);
  const target = (query: Pairs): string =>
    withKey(
      withQuery(
        targetOf(described).replace(/\{([^}]*)\}/g, (_, name) => sent.inPath(name)),
        query,
      ),
      key,
    );
  const ask = (body: unknown, { query, headers } = sent.needed): WireRequest =>
    body === undefined
      ? {
          method: operation.method,
          target: target(query),
          headers: [...keyHeaders(key), ...headers],
          body: new Uint8Array(),
        }
      : jsonRequest(target(query), [...keyHeaders(key), ...headers], body, operation.method);
  const small = request && ofRequests.smallest(request);
  const status = good ? statusOf(good.reply.status) : 200;
  const reply: WireResponse = good?.json
    ? jsonResponse(ofReplies.smallest(good.json), status)
    : good?.stream
      ? streamResponse([sseEvent(ofReplies.smallest(good.stream))])
      : { status, headers: [], body: new Uint8Array() };
  const examples: Example[] = [];
  const add = (what: string, one: WireRequest, other: WireResponse): void =>
    void examples.push({
      name: `${described.id}: ${what} ${examples.length + 1}`,
      exchange: { request: one, response: other },
    });
  add("the smallest request", ask(small), reply);
  if (sent.all.query.length + sent.all.headers.length > sent.needed.query.length + sent.needed.headers.length)
    add("all parameters", ask(small, sent.all), reply);
  if (request)
    for (const body of valuesOf(request, createMaker({ doc, shape: shape.request }))) add("request", ask(body), reply);
  for (const { reply: one, json, stream } of replies) {
    const code = statusOf(one.status);
    if (json)
      for (const body of valuesOf(json, createMaker({ doc, shape: shape.response })))
        add(`reply ${one.status}`, ask(small), jsonResponse(body, code));
    if (!stream || code >= 300) continue;
    const events = valuesOf(stream, createMaker({ doc, shape: shape.response })).map((data) => sseEvent(data));
    for (let i = 0; i < events.length; i += eventsInStream)
      add(
        "stream",
        ask(askingForStream(small, request, shape, streamAt)),
        streamResponse(events.slice(i, i + eventsInStream)),
      );
  }
  return examples;
}

/** A status that stands for what a document writes: 400 for `4XX` and `default`. */
const statusOf = (status: string): number =>
  /^\d{3}$/.test(status) ? Number(status) : /^[1-5]XX$/.test(status) ? Number(status[0]) * 100 : 400;
