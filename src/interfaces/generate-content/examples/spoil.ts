/** Mutations that the `spoil` of several rules share, for whole replies and streams. */

import { editEvents, editJson } from "../../../wire/edit.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { isEventStream } from "../../../wire/headers.ts";
import { isObject } from "../../../wire/json.ts";

/** Any JSON as spoiling code handles it: without asking first, since what has another shape cannot be spoilt. */
// biome-ignore lint/suspicious/noExplicitAny: see above; `attempt` turns a wrong guess into "cannot be spoilt"
export type Loose = any;

function attempt(edit: () => Exchange | undefined): Exchange | undefined {
  try {
    return edit();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Changes the request's JSON; undefined where `change` returns false, or finds another shape than it expects. */
export function editRequest(exchange: Exchange, change: (body: Loose) => boolean | void): Exchange | undefined {
  return attempt(() => {
    let changed = true;
    const edited = editJson(exchange, "request", (body) => {
      changed = change(body) !== false;
    });
    return changed ? edited : undefined;
  });
}

/** Changes the error object of a failed reply. */
export function editError(exchange: Exchange, change: (error: Loose) => void): Exchange | undefined {
  return attempt(() => editJson(exchange, "response", ({ error }: Loose) => void change(error)));
}

/** Hands the reply's body, or every event of a stream, to `visit`. */
function overPieces(exchange: Exchange, visit: (piece: Loose) => boolean): Exchange | undefined {
  return attempt(() => {
    let changed = false;
    const each = (piece: unknown): void => {
      if (isObject(piece) && visit(piece)) changed = true;
    };
    const edited = isEventStream(exchange.response)
      ? editEvents(exchange, (events) => {
          for (const { data } of events) each(data);
        })
      : editJson(exchange, "response", (body) => each(body));
    return changed ? edited : undefined;
  });
}

/** Changes every piece of a reply; undefined where `change` says true to none. */
export function editAllPieces(exchange: Exchange, change: (piece: Loose) => boolean | void): Exchange | undefined {
  return overPieces(exchange, (piece) => change(piece) === true);
}

/** Changes the first piece of a reply that `change` says true to; undefined where there is none. */
export function editPieces(exchange: Exchange, change: (piece: Loose) => boolean | void): Exchange | undefined {
  let done = false;
  return overPieces(exchange, (piece) => {
    if (done) return false;
    done = change(piece) === true;
    return done;
  });
}

/** As `editPieces`, for the first candidate that `change` says true to. */
export function editCandidate(exchange: Exchange, change: (candidate: Loose) => boolean | void): Exchange | undefined {
  return editPieces(exchange, ({ candidates }) => Array.isArray(candidates) && candidates.some((one) => change(one)));
}
