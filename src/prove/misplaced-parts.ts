/** Parts of a message in a place that is forbidden for them: whole ones, taken from where they are allowed in the same request. */
import type { Part } from "../check/schema-targets.ts";
import { isObject } from "../wire/json.ts";
import { replaceAt } from "../wire/pointer.ts";
import type { Traced, Variant } from "./counterexamples.ts";
import { putBack } from "./place.ts";
import type { Visit } from "./trace.ts";

/** Whether a keyword forbids a type of parts at its place. */
export const isPlace = ({ keyword, pointer }: Visit): boolean => keyword === "not" && pointer.endsWith("/type");

/** The first object of this type in a value. */
function partOf(type: unknown, value: unknown): unknown {
  if (Array.isArray(value) || isObject(value)) {
    if (isObject(value) && value["type"] === type) return value;
    for (const inner of Object.values(value)) {
      const found = partOf(type, inner);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/**
 * Requests in which a part stands in a forbidden place as well. They differ from a request that has the very part in a legal
 * place. A target that accepts that one and refuses these objects to the place alone.
 */
export function* misplacedParts({ exchange, subject }: Traced, part: Part, visit: Visit): Generator<Variant> {
  const forbidden = visit.node["not"] as { readonly const?: unknown; readonly enum?: readonly unknown[] };
  const place = visit.pointer.slice(0, -"/type".length);
  for (const type of forbidden.enum ?? [forbidden.const]) {
    const moved = partOf(type, part.value);
    if (moved === undefined) continue;
    const changed = putBack(exchange, subject, part, replaceAt(part.value, place, structuredClone(moved)));
    if (changed) yield { clause: visit.clause, breaks: true, exchange: changed, how: `a ${type} part at ${place}` };
  }
}
