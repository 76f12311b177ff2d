/** Exchanges to cassette text: one line each, or a whole document laid out for people. */
import type { Exchange, WireResponse } from "../wire/exchange.ts";
import { bodyPieces, chunkPieces, encodeBody, encodeChunks } from "./body.ts";
import {
  type BodyJson,
  type Cassette,
  type CassetteHeader,
  cassetteVersion,
  type ExchangeJson,
  type Extras,
  type Recorded,
} from "./format.ts";

/** How bodies become JSON. */
interface Encoders {
  readonly body: (body: Uint8Array) => BodyJson;
  readonly chunks: typeof encodeChunks;
}
const exact: Encoders = { body: (body) => encodeBody(body), chunks: encodeChunks };

/**
 * Writes a response body: in one piece if it came so (`arrived` keeps the time) or its pieces are unknown, else as chunks,
 * whatever its media type.
 */
function responseBody({ body, chunks }: WireResponse, encode: Encoders): { body?: BodyJson; arrived?: number } {
  const known = chunks !== undefined && chunks.reduce((sum, [, length]) => sum + length, 0) === body.length;
  if (known && chunks.length === 1) return { body: encode.body(body), arrived: chunks[0]![0] };
  if (known) return { body: encode.chunks(body, chunks) };
  return body.length > 0 ? { body: encode.body(body) } : {};
}

/** Whether a date can be made of it, whatever a foreign file said. */
export const isTime = (started: number | undefined): started is number =>
  !Number.isNaN(new Date(started ?? Number.NaN).getTime());

/** An exchange as it stands in a cassette; `bind`, `asked` and `gap` are kept beside it. The start is kept to the millisecond. */
export function encodeExchange(exchange: Exchange, extras: Extras = {}, encode = exact): ExchangeJson {
  const { started, origin, request, response, aborted, imported } = exchange;
  return {
    ...(isTime(started) && { started: new Date(started).toISOString() }),
    ...(origin !== undefined && { origin }),
    request: {
      method: request.method,
      target: request.target,
      headers: request.headers,
      ...(request.body.length > 0 && { body: encode.body(request.body) }),
      ...(request.cut !== undefined && { cut: request.cut }),
      ...(request.redacted !== undefined && { redacted: request.redacted }),
      ...(request.judged !== undefined && { judged: request.judged }),
    },
    response: response && {
      status: response.status,
      ...(response.reason !== undefined && { reason: response.reason }),
      headers: response.headers,
      ...responseBody(response, encode),
      ...(response.trailers !== undefined && { trailers: response.trailers }),
      ...(response.time !== undefined && { time: response.time }),
      ...(response.upgraded !== undefined && { upgraded: response.upgraded }),
      ...(response.cut !== undefined && { cut: response.cut }),
      ...(response.redacted !== undefined && { redacted: response.redacted }),
      ...(response.judged !== undefined && { judged: response.judged }),
    },
    ...(aborted !== undefined && { aborted }),
    ...(imported !== undefined && { imported }),
    ...(extras.bind !== undefined && { bind: extras.bind }),
    ...(extras.asked !== undefined && { asked: extras.asked }),
    ...(extras.gap !== undefined && { gap: extras.gap }),
  };
}

/** First line of a `.jsonl`, without its line end. */
export function headerLine(header: CassetteHeader): string {
  return JSON.stringify({ touchstone: cassetteVersion, ...header });
}

/** Larger bodies stand as text in a line, which nobody reads unaided: it is much faster, and a recorder has to keep up. */
const maxJson = 1024;

const inLines: Encoders = { body: (body) => encodeBody(body, maxJson), chunks: encodeChunks };

/** One exchange as a line of a `.jsonl`, without its line end. */
export function exchangeLine(exchange: Exchange, extras?: Extras): string {
  return JSON.stringify(encodeExchange(exchange, extras, inLines));
}

/** A body of more bytes is written in pieces. */
const large = 1 << 20;

/** The same line in pieces, so that large bodies need not become one text. */
export function* linePieces(exchange: Exchange, extras?: Extras): Generator<string> {
  const later = new Map<unknown, Iterable<string>>();
  const standIn = (pieces: Iterable<string>): { chunks: [] } => {
    const one: { chunks: [] } = { chunks: [] };
    later.set(one, pieces);
    return one;
  };
  const encoded = encodeExchange(exchange, extras, {
    body: (body) => (body.length > large ? standIn(bodyPieces(body)) : inLines.body(body)),
    chunks: (body, marks) => (body.length > large ? standIn(chunkPieces(body, marks)) : inLines.chunks(body, marks)),
  });
  yield* jsonPieces(encoded, later);
}

/** The JSON text of an object, with what comes later put in its place. */
function* jsonPieces(object: object, later: ReadonlyMap<unknown, Iterable<string>>): Generator<string> {
  let before = "{";
  for (const [key, member] of Object.entries(object)) {
    yield `${before}${JSON.stringify(key)}:`;
    before = ",";
    const pieces = later.get(member);
    if (pieces) yield* pieces;
    else if (member && (key === "request" || key === "response")) yield* jsonPieces(member, later);
    else yield JSON.stringify(member);
  }
  yield "}";
}

/** Whether a line is better written in pieces. */
export const isLarge = ({ request, response }: Exchange): boolean =>
  request.body.length > large || (response?.body.length ?? 0) > large;

/** The line of an exchange, whole or in pieces as is better. */
export const piecesOf = ({ exchange, ...extras }: Recorded): Iterable<string> =>
  isLarge(exchange) ? linePieces(exchange, extras) : [exchangeLine(exchange, extras)];

/** Lists no longer than this stand on one line, e.g. a header or a chunk. */
const widest = 100;

/** JSON with two blanks a level; short lists of plain values on one line. */
function layOut(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== "object" || item === null)) {
      const line = `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
      if (value.length <= 3 || line.length <= widest) return line;
    }
    return `[\n${value.map((item) => inner + layOut(item, inner)).join(",\n")}\n${indent}]`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${inner}${JSON.stringify(key)}: ${layOut(member, inner)}`);
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${indent}}`;
}

/** A whole `.json` cassette, laid out for people, with its closing line end. */
export function formatCassette({ header, exchanges }: Cassette): string {
  const document = {
    touchstone: cassetteVersion,
    ...header,
    exchanges: exchanges.map(({ exchange, ...extras }) => encodeExchange(exchange, extras)),
  };
  return `${layOut(document, "")}\n`;
}
