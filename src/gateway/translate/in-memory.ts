/** Carries requests and answers through the translator without a socket, as trips. */
import { interfaceNamed } from "../../check/interface.ts";
import type { RequestFacts } from "../../interfaces/common/facts/model.ts";
import { factWriters } from "../../interfaces/fact-writers.ts";
import type { Exchange, WireRequest, WireResponse } from "../../wire/exchange.ts";
import type { Route, Trip } from "../trip.ts";
import { withKey } from "./keys.ts";
import {
  isStream,
  type Translated,
  type TranslateOptions,
  translateAnswer,
  translateRequest,
  translateStream,
} from "./translate.ts";

/** A request as a client of an interface writes it. */
export function requestOf(name: string, asked: RequestFacts, { catalogue }: TranslateOptions): WireRequest {
  const { key } = interfaceNamed(catalogue.interfaces, name) ?? {};
  const written = factWriters[name]!.writeRequest(asked);
  return key ? withKey(written, "proof", key) : written;
}

/** Milliseconds between two pieces of the upstream's stream. */
const pace = 10;

/** The stream that the client gets, each event as a chunk that comes with what brought it. */
function streamed(
  translated: Translated,
  answered: Exchange,
  options: TranslateOptions,
): Pick<Exchange, "response" | "aborted"> {
  const { body, chunks = [] } = answered.response!;
  const stream = translateStream(translated, options);
  const texts: [number, Buffer][] = [];
  let from = 0;
  for (const [at, length] of chunks.length > 0 ? chunks : [[0, body.length] as const]) {
    texts.push([at, Buffer.from(stream.push(body.subarray(from, from + length)))]);
    from += length;
  }
  const { text, isWhole } = stream.end();
  texts.push([texts.at(-1)?.[0] ?? 0, Buffer.from(text)]);
  const last = texts.at(-1)![0];
  const sent = texts.filter(([, bytes]) => bytes.length > 0);
  const response: WireResponse = {
    status: 200,
    headers: [["content-type", "text/event-stream"]],
    body: Buffer.concat(sent.map(([, bytes]) => bytes)),
    chunks: sent.map(([at, bytes]) => [options.change.holdsBack ? last + pace : at, bytes.length]),
  };
  return { response, ...(!(isWhole && !answered.aborted) && { aborted: "upstream" as const }) };
}

/** The times at which a stream's events leave the upstream, one after the other. */
export function paced(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (!response || !isStream(response.headers)) return exchange;
  const body = Buffer.from(response.body);
  const chunks: [number, number][] = [];
  for (let from = 0; from < body.length; ) {
    const found = [body.indexOf("\n\n", from), body.indexOf("\r\n\r\n", from)].filter((at) => at >= 0);
    const to = found.length > 0 ? Math.min(...found) + (body[Math.min(...found)] === 13 ? 4 : 2) : body.length;
    chunks.push([(chunks.length + 1) * pace, to - from]);
    from = to;
  }
  return { ...exchange, response: { ...response, chunks } };
}

/**
 * A trip of one request; undefined where the translator takes none such.
 * @param answer what the upstream answers; nothing where only the request is looked at
 */
export function carry(
  id: string,
  request: WireRequest,
  route: Route,
  options: TranslateOptions,
  answer?: Pick<Exchange, "response" | "aborted">,
): Trip | undefined {
  const translated = translateRequest(request, route, options);
  if (!translated) return undefined;
  const upstream = paced({ request: translated.request, response: null, ...answer });
  if (!upstream.response) return { id, client: { request, response: null }, upstream: [upstream] };
  const isStreamed = upstream.response.status < 300 && isStream(upstream.response.headers);
  const reply = isStreamed
    ? streamed(translated, upstream, options)
    : { response: translateAnswer(translated, upstream, options) };
  const ended = upstream.response.chunks?.at(-1)?.[0];
  return {
    id,
    client: { request, ...reply },
    upstream: [upstream],
    ...(isStreamed && ended !== undefined && { situation: "slow", timing: { upstreamEnded: ended } }),
  };
}
