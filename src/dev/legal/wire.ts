/** Sends an exchange in another of the ways the wire allows: line ends, comments, encodings, header case, prefixes, breaks. */
import * as zlib from "node:zlib";
import { type FormField, utf8 } from "../../wire/build.ts";
import { utf8Text } from "../../wire/bytes.ts";
import type { ChunkMark, Exchange, HeaderPairs, WireRequest, WireResponse } from "../../wire/exchange.ts";
import { headerValue, isEventStream, mediaType } from "../../wire/headers.ts";
import { parseJson } from "../../wire/json.ts";
import { parseForm } from "../../wire/multipart.ts";
import { parseEvents } from "../../wire/sse.ts";
import type { Chance } from "./chance.ts";
import { writeForm } from "./form.ts";
import { writeJson } from "./json.ts";

const setHeader = (headers: HeaderPairs, name: string, value: string): HeaderPairs => [
  ...headers.filter(([key]) => key.toLowerCase() !== name),
  [name, value],
];
const bodyText = ({ body }: WireRequest | WireResponse): string => utf8Text(body);

/** A text with some letters in the other case. */
const cased = (text: string, { pick }: Chance): string => pick([text, text.toLowerCase(), text.toUpperCase()]);

function form(request: WireRequest, chance: Chance): WireRequest {
  const parsed = parseForm(request.body, headerValue(request.headers, "content-type"));
  if (!parsed.ok) return request;
  const fields = parsed.parts.map(
    ({ name, filename, contentType, bytes, text }): FormField => [
      name,
      filename === undefined ? (text ?? "") : { filename, ...(contentType && { contentType }), bytes },
    ],
  );
  const { contentType, body } = writeForm(fields, chance);
  return { ...request, headers: setHeader(request.headers, "content-type", contentType), body };
}

function json<M extends WireRequest | WireResponse>(message: M, chance: Chance): M {
  const parsed = parseJson(bodyText(message));
  if (message.body.length === 0 || !parsed.ok) return message;
  const type = headerValue(message.headers, "content-type") ?? "application/json";
  const sent = chance.pick([
    type,
    type.toUpperCase(),
    `${type}; charset=utf-8`,
    `${type};charset="UTF-8"`,
    `${type} ; a=b`,
  ]);
  return {
    ...message,
    headers: setHeader(message.headers, "content-type", sent),
    body: utf8(writeJson(parsed.value, chance)),
  };
}

/** Anything that means nothing between two events. */
const noise = [": ping", ":", "retry: 10", "id: 7", "id", "unknown: field", "data-like: no"];

/** A stream framed anew; `named` streams may name their events by their type only. */
function stream(response: WireResponse, named: boolean, chance: Chance): WireResponse {
  const ends = chance.pick([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"]]);
  const end = (): string => chance.pick(ends);
  const space = chance.pick(["", " "]);
  const hasNoise = chance.once(2);
  const labels = chance.once(2);
  let body = chance.once(8) ? "\uFEFF" : "";
  if (chance.once(4)) body += `: hello${end()}${end()}`;
  for (const { event, data } of parseEvents(response.body).events) {
    const parsed = parseJson(data);
    const lines = (parsed.ok ? writeJson(parsed.value, chance) : data)
      .split(/\r\n|\n/)
      .map((line) => `data:${line.startsWith(" ") ? " " : space}${line}`);
    const label = named && !chance.once(15) ? event : chance.pick([event, "message", "chunk"]);
    if (labels && label !== undefined) lines.splice(chance.pick([0, lines.length]), 0, `event:${space}${label}`);
    if (hasNoise) lines.splice(chance.below(lines.length + 1), 0, chance.pick(noise));
    body += lines.map((line) => line + end()).join("") + end();
    if (hasNoise && chance.once(3)) body += chance.pick(["", `event: ping${end()}`, `: x${end()}`]) + end();
  }
  // A last blank line that is missing warns.
  return { ...response, body: utf8(chance.once(15) ? body.trimEnd() : body) };
}

const encoders: Readonly<Record<string, (body: Uint8Array) => Buffer>> = {
  gzip: (body) => zlib.gzipSync(body, { level: 1 }),
  "x-gzip": (body) => zlib.gzipSync(body, { level: 1 }),
  deflate: (body) => zlib.deflateSync(body, { level: 1 }),
  br: (body) => zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

function encoded<M extends WireRequest | WireResponse>(message: M, chance: Chance): M {
  if (message.body.length === 0 || headerValue(message.headers, "content-encoding") !== undefined) return message;
  const codings = chance.pick([["gzip"], ["x-gzip"], ["deflate"], ["br"], ["gzip", "br"], ["identity"]]);
  const body = codings.reduce((bytes: Uint8Array, coding) => encoders[coding]?.(bytes) ?? bytes, message.body);
  return { ...message, body, headers: [...message.headers, ["Content-Encoding", cased(codings.join(", "), chance)]] };
}

const strangers: HeaderPairs = [
  ["X-Request-Id", "1"],
  ["via", "1.1 gateway"],
  ["Traceparent", "00-0-0-00"],
];

function dressed<M extends WireRequest | WireResponse>(message: M, chance: Chance): M {
  const bearer = ([name, value]: readonly [string, string]): readonly [string, string] =>
    name.toLowerCase() === "authorization"
      ? [name, value.replace(/^Bearer/, () => chance.pick(["Bearer", "bearer", "BEARER"]))]
      : [name, value];
  const headers = [...message.headers.map(bearer), ...strangers.filter(() => chance.once(4))];
  return {
    ...message,
    headers: chance.shuffled(headers).map(([name, value]) => [cased(name, chance), value] as const),
  };
}

/** Pieces of any length, empty ones too. */
function cut(response: WireResponse, chance: Chance): WireResponse {
  const chunks: ChunkMark[] = [];
  for (let left = response.body.length; left > 0; ) {
    const length = Math.min(left, chance.below(chance.pick([2, 20, 5000])));
    chunks.push([chunks.length, length]);
    left -= length;
    if (chunks.length > 500) return response;
  }
  return { ...response, chunks };
}

const prefixes = ["", "", "/proxy", "/gateway/some-vendor", "/v1", "/%C3%BC/a.b"];

function retargeted(request: WireRequest, chance: Chance): WireRequest {
  const [path = "", query] = request.target.split("?", 2);
  const parameters = chance.shuffled([...(query ? query.split("&") : []), ...(chance.once(4) ? ["trace=1"] : [])]);
  return {
    ...request,
    target: chance.pick(prefixes) + path + (parameters.length > 0 ? `?${parameters.join("&")}` : ""),
  };
}

/** The exchange broken off at any byte by either party. */
function broken(exchange: Exchange, chance: Chance): Exchange {
  const { response } = exchange;
  if (!response) return exchange;
  const { chunks: _chunks, ...rest } = response;
  const body = response.body.subarray(0, chance.below(response.body.length + 1));
  return { ...exchange, response: { ...rest, body }, aborted: chance.pick(["client", "upstream"]) };
}

/** Bodies are known by their content: another media type, or none, warns at most (reading X-CT-RESPONSE). */
function mislabelled(response: WireResponse, { pick }: Chance): WireResponse {
  // Under another name, a stream that opens with a field nobody knows looks like any text.
  if (/^\uFEFF?(?:unknown|data-like):/.test(bodyText(response))) return response;
  const others = response.headers.filter(([name]) => name.toLowerCase() !== "content-type");
  const type = pick([undefined, "text/plain", "application/octet-stream", "application/problem+json"]);
  return { ...response, headers: type === undefined ? others : [...others, ["content-type", type]] };
}

/** The same exchange as another peer would have sent it. */
export function rewired(exchange: Exchange, chance: Chance): Exchange {
  let { request, response } = exchange;
  const isForm = mediaType(headerValue(request.headers, "content-type")) === "multipart/form-data";
  if (chance.once(2)) request = isForm ? form(request, chance) : json(request, chance);
  if (chance.once(2)) request = retargeted(request, chance);
  if (chance.once(4)) request = encoded(request, chance);
  if (chance.once(2)) request = dressed(request, chance);
  if (response) {
    const streams = isEventStream(response);
    const named = request.target.includes("/messages");
    if (chance.once(2)) response = streams ? stream(response, named, chance) : json(response, chance);
    if (chance.once(15)) response = mislabelled(response, chance);
    if (chance.once(4)) response = encoded(response, chance);
    if (chance.once(2)) response = dressed(response, chance);
    if (chance.once(4)) response = cut(response, chance);
  }
  const sent: Exchange = { ...exchange, request, response };
  return response && chance.once(12) ? broken(sent, chance) : sent;
}
