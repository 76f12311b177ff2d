/** A recorded response as the reply to send: the same bytes in the same pieces, at the recorded pace or another. */
import type { Exchange, HeaderPairs, WireResponse } from "../wire/exchange.ts";
import { hopByHop } from "../wire/headers.ts";
import type { Piece, Reply } from "../wire/listen.ts";

/** How many times as fast as recorded; `Infinity` is at once. */
export type Pace = number;

/** No answer at all: the connection breaks off. */
const silence: Reply = { status: 500, headers: [], pieces: [], abort: "unanswered" };

export const isBodyless = (method: string, status: number): boolean =>
  method === "HEAD" || status === 204 || status === 304;

/** A Transfer-Encoding as recorded, where its last coding frames the body as it must. */
const chunkedLast = (value: string): string => (/(?:^|,)\s*chunked\s*$/i.test(value) ? value : "chunked");

/**
 * The header fields as recorded, without those of the connection they came over. Transfer-Encoding stays in its place
 * where the body is to be chunked, Content-Length where it says how much follows.
 */
export function fieldsOf({ status, headers, body }: WireResponse, bodyless: boolean, broken: boolean): HeaderPairs {
  const named = new Set<string>();
  let chunked = false;
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === "connection") for (const token of value.toLowerCase().split(",")) named.add(token.trim());
    if (lower === "transfer-encoding") chunked = true;
  }
  const measured = !chunked && headers.some(([name]) => name.toLowerCase() === "content-length");
  let framed = false;
  return headers.flatMap(([name, value]): HeaderPairs => {
    const lower = name.toLowerCase();
    if (lower === "transfer-encoding" || lower === "content-length") {
      // Said twice, or in two ways, the end of a body is anyone's guess.
      if (framed || (chunked && lower === "content-length")) return [];
      framed = true;
      // Behind HEAD it says what GET would give; with these two it must not stand.
      if (lower === "transfer-encoding") return status === 204 || status === 304 ? [] : [[name, chunkedLast(value)]];
      if (bodyless || (broken ? Number(value) > body.length : Number(value) === body.length)) return [[name, value]];
      // A length that was reached would make a body that broke off look whole.
      return broken ? [] : [[name, String(body.length)]];
    }
    if (lower === "trailer") return measured || bodyless ? [] : [[name, value]];
    return hopByHop.has(lower) || (named.has(lower) && lower !== "content-type") ? [] : [[name, value]];
  });
}

function piecesOf({ body, chunks, time }: WireResponse, pace: Pace): Piece[] {
  const known = chunks !== undefined && chunks.reduce((sum, [, length]) => sum + length, 0) === body.length;
  const marks = known ? chunks : [[time ?? 0, body.length] as const];
  let from = 0;
  const pieces = marks.map(([at, length]): Piece => ({ bytes: body.subarray(from, (from += length)), at: at / pace }));
  // The end may come later than the last byte did.
  if (time !== undefined) pieces.push({ bytes: new Uint8Array(0), at: time / pace });
  return pieces;
}

/** The reply for a recorded exchange. A reply that was broken off breaks off where it did; one that was not kept whole, where it was cut. */
export function replyOf({ response, aborted }: Exchange, method: string, pace: Pace): Reply {
  // A final answer has a status from 200 up.
  if (!response || response.status < 200) return silence;
  const { status, reason, trailers } = response;
  const broken = aborted !== undefined || response.cut !== undefined;
  const bodyless = isBodyless(method, status);
  return {
    status,
    ...(reason !== undefined && { reason }),
    headers: fieldsOf(response, bodyless, broken),
    pieces: piecesOf(bodyless ? { ...response, body: new Uint8Array(0) } : response, pace),
    ...(trailers && { trailers }),
    exact: true,
    ...(broken && !bodyless && { abort: true }),
  };
}
