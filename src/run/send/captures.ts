/** Copies values from earlier answers into later requests, such as the id of a tool call. */

import type { Bind } from "../../cassette/format.ts";
import { withJson } from "../../interfaces/model.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { resolvePointer, tokensOf } from "../../wire/pointer.ts";

export type TakenOver =
  | { readonly ok: true; readonly request: WireRequest }
  /** The value that an earlier answer should have held. */
  | { readonly ok: false; readonly needs: string };

/**
 * Replaces every bound value.
 * @param replies the JSON of the answers so far, undefined where there was none
 */
export function takeOver(request: WireRequest, binds: readonly Bind[], replies: readonly unknown[]): TakenOver {
  let bound = request;
  for (const { from, to } of binds) {
    const value = resolvePointer(replies[from.exchange], from.pointer);
    if (value === undefined)
      return { ok: false, needs: `a value at ${from.pointer} of the answer to exchange ${from.exchange}` };
    bound = withJson(bound, (body) => replaceAt(body, tokensOf(to), value));
  }
  return { ok: true, request: bound };
}

function replaceAt(document: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(document))
    return document.map((item, i) => (String(i) === first ? replaceAt(item, rest, value) : item));
  if (!isObject(document)) return document;
  return Object.fromEntries(Object.entries({ ...document, [first]: replaceAt(document[first], rest, value) }));
}
