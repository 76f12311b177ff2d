/** Breaks good exchanges alike, whole or streamed; the rules' tools for counterexamples. */
import { isObject } from "../../check/subject.ts";
import { editEvents, editJson } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";

/** Any JSON as spoiling code handles it. */
// biome-ignore lint/suspicious/noExplicitAny: examples are known to be good, and a miss is caught by the proof
export type Loose = any;

/** Changes the request's JSON; undefined where `change` returns false. */
export function editRequest(exchange: Exchange, change: (body: Loose) => boolean | void): Exchange | undefined {
  let changed = true;
  const edited = editJson(exchange, "request", (body) => {
    changed = change(body) !== false;
  });
  return changed ? edited : undefined;
}

function isStream({ response }: Exchange): boolean {
  return response !== null && /^\s*(data|event|id|retry)?:/.test(Buffer.from(response.body.subarray(0, 64)).toString());
}

/** Changes every piece of a reply (the body, or each event) until `change` says true; undefined when none does. */
export function editPieces(exchange: Exchange, change: (piece: Loose) => boolean | void): Exchange | undefined {
  let changed = false;
  const once = (piece: unknown): void => {
    if (!changed && isObject(piece)) changed = change(piece) === true;
  };
  const edited = isStream(exchange)
    ? editEvents(exchange, (events) => {
        for (const { data } of events) once(data);
      })
    : editJson(exchange, "response", (body) => once(body));
  return changed ? edited : undefined;
}

/** As `editPieces`, for the first candidate that `change` says true to. */
export function editCandidate(exchange: Exchange, change: (candidate: Loose) => boolean | void): Exchange | undefined {
  return editPieces(exchange, ({ candidates }) => Array.isArray(candidates) && candidates.some((one) => change(one)));
}

/** As `editPieces`, for all pieces; undefined when none changed. */
export function editAllPieces(exchange: Exchange, change: (piece: Loose) => boolean | void): Exchange | undefined {
  let changed = false;
  const each = (piece: unknown): void => {
    if (isObject(piece) && change(piece) === true) changed = true;
  };
  const edited = isStream(exchange)
    ? editEvents(exchange, (events) => {
        for (const { data } of events) each(data);
      })
    : editJson(exchange, "response", (body) => each(body));
  return changed ? edited : undefined;
}
