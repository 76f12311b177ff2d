/** Says where in a stream one clause is violated, of all events in which that could be: what clients make of it differs by that. */
import type { Finding } from "../check/clause.ts";
import { isObject } from "../wire/json.ts";

/** In the first of the events that could violate the clause, in the last one, in one between, or in all of them. */
export type Spread = "first" | "last" | "between" | "all";

const everywhere: readonly Spread[] = ["all", "between", "first", "last"];

/** Findings of a kind that are listed. */
const maxFound = 100;

/** The value whose member a pointer names; undefined if there is no such thing. */
function parentAt(value: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1, -1);
  return names.reduce<unknown>(
    (at, name) =>
      typeof at === "object" && at !== null
        ? (at as Record<string, unknown>)[name.replaceAll("~1", "/").replaceAll("~0", "~")]
        : undefined,
    value,
  );
}

const typeOf = (value: unknown): unknown => (isObject(value) ? value["type"] : undefined);

/**
 * @param findings of one clause
 * @param events the stream's events as JSON, by position; undefined where one is none
 * @returns sorted; empty where the clause speaks of no single events
 */
export function spreadOf(findings: readonly Finding[], events: readonly unknown[]): readonly Spread[] {
  const found = findings.filter(({ in: place, event }) => place === "stream" && event !== null);
  const at = new Set(found.map(({ event }) => event!));
  const [first] = found;
  if (!first) return [];
  const type = typeOf(events[first.event!]);
  const pointers = [...new Set(found.map(({ pointer }) => pointer))];
  const could = events.flatMap((event, position) =>
    at.has(position) || (typeOf(event) === type && pointers.some((pointer) => isObject(parentAt(event, pointer))))
      ? [position]
      : [],
  );
  if (at.size >= maxFound || could.every((position) => at.has(position))) return everywhere;
  const told: Spread[] = [];
  if (could.slice(1, -1).some((position) => at.has(position))) told.push("between");
  if (at.has(could[0]!)) told.push("first");
  if (at.has(could.at(-1)!)) told.push("last");
  return told;
}
