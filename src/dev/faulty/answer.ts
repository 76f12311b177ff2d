/** The requests and answers of the small server's interfaces, before bytes. */
import { sseEvent, utf8 } from "../../wire/build.ts";
import type { Exchange, WireResponse } from "../../wire/exchange.ts";
import type { FormPart } from "../../wire/multipart.ts";

export type Json = Record<string, unknown>;

/** A request that keeps all rules, read. */
export interface IncomingRequest {
  readonly exchange: Exchange;
  /** The JSON body, or the texts of a form by name. */
  readonly body: Json;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The files of a form. */
  readonly uploads: readonly FormPart[];
  /** The address of the server. */
  readonly base: string;
  /** A number no other answer of this server has. */
  readonly serial: number;
}

export interface Event {
  readonly event?: string;
  readonly data: unknown;
}

export type Answer = { readonly body: Json } | { readonly events: readonly Event[] };

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A member that should be an object: empty where it is none. */
export const objectAt = (value: Json, name: string): Json => (isJson(value[name]) ? (value[name] as Json) : {});

/** The objects of a member that should be a list of them. */
export const objectsAt = (value: Json, name: string): Json[] =>
  Array.isArray(value[name]) ? (value[name] as unknown[]).filter(isJson) : [];

export const integerAt = (value: Json, name: string): number | undefined =>
  typeof value[name] === "number" ? value[name] : undefined;

/** Seconds since 1970. */
export const now = (): number => Math.floor(Date.now() / 1000);

export const whole = (status: number, body: unknown): WireResponse => ({
  status,
  headers: [["content-type", "application/json"]],
  body: utf8(JSON.stringify(body)),
});

export function response(answer: Answer): WireResponse {
  if ("body" in answer) return whole(200, answer.body);
  const pieces = answer.events.map(({ data, event }) => utf8(sseEvent(data, event)));
  return {
    status: 200,
    headers: [["content-type", "text/event-stream"]],
    body: Buffer.concat(pieces),
    chunks: pieces.map((piece, i) => [i, piece.length] as const),
  };
}
