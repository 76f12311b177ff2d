/** Copies exchanges with one thing changed: the tool of counterexamples. Every function leaves its argument as it was. */
import { sseEvent, utf8 } from "./build.ts";
import type { Exchange, HeaderPairs } from "./exchange.ts";
import { parseEvents } from "./sse.ts";

const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

/** Changes the JSON body of one side; `change` gets a copy it may alter, and may return another value instead. */
export function editJson(exchange: Exchange, side: "request" | "response", change: (body: never) => unknown): Exchange {
  const message = exchange[side];
  if (!message) return exchange;
  const body: unknown = JSON.parse(decode(message.body));
  const changed = change(body as never) ?? body;
  const { chunks: _chunks, ...rest } = message as typeof message & { chunks?: unknown };
  return { ...exchange, [side]: { ...rest, body: utf8(JSON.stringify(changed)) } };
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
  const events = parseEvents(response.body).events.map(({ event, data }): EditableEvent => {
    try {
      return { ...(event !== undefined && { event }), data: JSON.parse(data) };
    } catch {
      return { ...(event !== undefined && { event }), data };
    }
  });
  const pieces = (change(events) ?? events).map(({ event, data }) => utf8(sseEvent(data, event)));
  return {
    ...exchange,
    response: {
      ...response,
      body: Buffer.concat(pieces),
      chunks: pieces.map((piece, i) => [i, piece.length] as const),
    },
  };
}

/** Sets a header of one side, or removes it where `value` is undefined. */
export function editHeader(
  exchange: Exchange,
  side: "request" | "response",
  name: string,
  value: string | undefined,
): Exchange {
  const message = exchange[side];
  if (!message) return exchange;
  const others = message.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
  const headers: HeaderPairs = value === undefined ? others : [...others, [name, value]];
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
