/** The replies that the reference implementation makes. */
import { utf8 } from "../wire/build.ts";
import { isObject } from "../wire/json.ts";
import type { Piece, Reply } from "../wire/listen.ts";

/** Tokens that a picture, a sound or a document of bytes counts. */
export const perMedium = 64;

/** The token counts of parts of some types, however deep they lie. */
export function mediaTokens(value: unknown, types: ReadonlySet<unknown>): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + mediaTokens(one, types), 0);
  if (!isObject(value)) return 0;
  return types.has(value["type"]) ? perMedium : mediaTokens(Object.values(value), types);
}

/** A reply of one JSON document. */
export function jsonReply(status: number, body: unknown): Reply {
  return {
    status,
    headers: [["Content-Type", "application/json"]],
    pieces: [{ bytes: utf8(JSON.stringify(body)) }],
  };
}

/** A streamed reply, one write an event; `events` as `sseEvent` writes them. */
export function streamReply(events: readonly string[]): Reply {
  return {
    status: 200,
    headers: [
      ["Content-Type", "text/event-stream"],
      ["Cache-Control", "no-cache"],
    ],
    pieces: events.map((event): Piece => ({ bytes: utf8(event) })),
  };
}
