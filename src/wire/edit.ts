/** Copies exchanges with one thing changed: the tool of counterexamples. Every function leaves its argument as it was. */
import { jsonLine, sseEvent, utf8 } from "./build.ts";
import { decodeContent } from "./encoding.ts";
import type { Exchange, HeaderPairs, WireRequest, WireResponse } from "./exchange.ts";
import { headerValue } from "./headers.ts";
import { parseJson } from "./json.ts";
import { isJsonLines, parseJsonLines } from "./json-lines.ts";
import { parseEvents } from "./sse.ts";

/** The body's bytes with content encodings undone, as far as they can be. */
function plainBody(message: WireRequest | WireResponse): Buffer {
  const decoded = decodeContent(message.body, headerValue(message.headers, "content-encoding"));
  return Buffer.from(decoded.ok ? decoded.bytes : message.body);
}

/** A message with another body, sent plain: headers that spoke of the old one's bytes are dropped or set right. */
function withBody<M extends WireRequest | WireResponse>(message: M, body: Uint8Array): M {
  const { chunks: _chunks, ...rest } = message as M & { chunks?: unknown };
  const headers = message.headers
    .filter(([name]) => name.toLowerCase() !== "content-encoding")
    .map(([name, value]) => [name, name.toLowerCase() === "content-length" ? String(body.length) : value] as const);
  return { ...rest, headers, body } as unknown as M;
}

/** The JSON of a message, its encodings undone; undefined where it is none. */
export function jsonBodyOf(message: WireRequest | WireResponse): unknown {
  const body = parseJson(plainBody(message).toString("utf8"));
  return body.ok ? body.value : undefined;
}

/** Replaces the body of one side by other bytes. */
export function editBody(exchange: Exchange, side: "request" | "response", body: Uint8Array): Exchange {
  const message = exchange[side];
  return message ? { ...exchange, [side]: withBody<WireRequest | WireResponse>(message, body) } : exchange;
}

/**
 * Changes the JSON body of one side; `change` gets a copy it may alter, and may return another value instead.
 * A body that is no JSON stays as it is.
 */
export function editJson(exchange: Exchange, side: "request" | "response", change: (body: never) => unknown): Exchange {
  const message = exchange[side];
  if (!message) return exchange;
  const body = parseJson(plainBody(message).toString("utf8"));
  if (!body.ok) return exchange;
  const changed = change(body.value as never);
  return editBody(exchange, side, utf8(JSON.stringify(changed === undefined ? body.value : changed)));
}

/** One event of a stream as `editEvents` hands it out: JSON data parsed, anything else as text. */
export interface EditableEvent {
  event?: string;
  data: unknown;
}

/** Changes a streamed response: `change` gets the events and may alter them or return another list. */
export function editEvents(exchange: Exchange, change: (events: EditableEvent[]) => EditableEvent[] | void): Exchange {
  const { response } = exchange;
  if (!response) return exchange;
  const type = headerValue(response.headers, "content-type");
  const isLines = isJsonLines(type);
  const body = plainBody(response);
  const { events: read } = isLines ? parseJsonLines(body, type) : parseEvents(body);
  const events = read.map(({ event, data }): EditableEvent => {
    const json = parseJson(data);
    return { ...(event !== undefined && { event }), data: json.ok ? json.value : data };
  });
  const pieces = (change(events) ?? events).map(({ event, data }) =>
    utf8(isLines ? jsonLine(data, type) : sseEvent(data, event)),
  );
  return {
    ...exchange,
    response: {
      ...withBody(response, Buffer.concat(pieces)),
      chunks: pieces.map((piece, i) => [i, piece.length] as const),
    },
  };
}

/** Sets a header of one side where it stood first, or at the end; removes it where `value` is undefined. */
export function editHeader(
  exchange: Exchange,
  side: "request" | "response",
  name: string,
  value: string | undefined,
): Exchange {
  const message = exchange[side];
  if (!message) return exchange;
  const isOther = ([key]: readonly [string, string]): boolean => key.toLowerCase() !== name.toLowerCase();
  const before = message.headers.findIndex((pair) => !isOther(pair));
  const others = message.headers.filter(isOther);
  const headers: HeaderPairs =
    value === undefined ? others : others.toSpliced(before < 0 ? others.length : before, 0, [name, value]);
  return { ...exchange, [side]: { ...message, headers } };
}

/** Replaces the request's path and query. */
export function editTarget(exchange: Exchange, change: (target: string) => string): Exchange {
  return { ...exchange, request: { ...exchange.request, target: change(exchange.request.target) } };
}

/** Replaces the response's status. */
export function editStatus(exchange: Exchange, status: number): Exchange {
  return exchange.response ? { ...exchange, response: { ...exchange.response, status } } : exchange;
}
