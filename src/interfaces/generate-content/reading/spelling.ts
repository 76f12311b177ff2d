/** Reads requests and replies in every spelling as one: snake_case names, and a single object where a list should be. */

import { type Budget, spend } from "../../../check/budget.ts";
import type { Side } from "../../../check/clause.ts";
import type { Alias, Canonical } from "../../../check/operation.ts";
import { isObject } from "../../../wire/json.ts";
import { escapeToken } from "../../../wire/pointer.ts";
import { type NameTable, replyNames, requestNames } from "./spelling-table.ts";

/** Deeper nesting (only schemas nest at all) is left as it is. */
const maxDepth = 200;

/** Whether anything below is spelt otherwise; spares ordinary documents a copy. */
function differs(value: unknown, table: NameTable | undefined, depth: number): boolean {
  if (!table || typeof value !== "object" || value === null || depth > maxDepth) return false;
  if (Array.isArray(value)) return table.items !== undefined && value.some((item) => differs(item, table.items, depth));
  if (table.items) return table.single === true;
  if (table.values) return Object.values(value).some((item) => differs(item, table.values, depth + 1));
  const { members, aliases } = table;
  if (!members || !aliases) return false;
  const object = value as Readonly<Record<string, unknown>>;
  // Parsed JSON has own members only, and this runs for every event of a stream.
  for (const key in object) {
    const below = members.get(key);
    if (below === undefined ? aliases.has(key) : below.members || below.items || below.values) {
      if (below === undefined || differs(object[key], below, depth + 1)) return true;
    }
  }
  return false;
}

interface Log {
  readonly aliases: Alias[];
  readonly singles: string[];
  /** Canonical pointers of what moved, to where it came from. */
  readonly origins: Map<string, string>;
  readonly budget: Budget;
}

function renamed(
  value: unknown,
  table: NameTable | undefined,
  path: string,
  origin: string,
  log: Log,
  depth: number,
): unknown {
  if (!table || typeof value !== "object" || value === null || depth > maxDepth) return value;
  if (Array.isArray(value))
    return value.map((item, i) => renamed(item, table.items, `${path}/${i}`, `${origin}/${i}`, log, depth));
  if (table.items) {
    if (!table.single) return value;
    spend(log.budget, origin.length + path.length);
    log.singles.push(origin);
    log.origins.set(`${path}/0`, origin);
    return [renamed(value, table.items, `${path}/0`, origin, log, depth)];
  }
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const camel = table.aliases?.get(key);
    const from = `${origin}/${escapeToken(key)}`;
    const both = camel !== undefined && Object.hasOwn(value, camel);
    if (camel !== undefined) {
      spend(log.budget, from.length + path.length);
      log.aliases.push({ pointer: from, name: key, camel, both });
    }
    if (both) continue;
    const name = camel ?? key;
    const to = `${path}/${escapeToken(name)}`;
    if (camel !== undefined) log.origins.set(to, from);
    entries.push([name, renamed(item, table.values ?? table.members?.get(name), to, from, log, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

/** The longest moved prefix decides where a pointer came from. */
function originIn(origins: ReadonlyMap<string, string>, pointer: string): string {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf("/", end - 1)) {
    const origin = origins.get(pointer.slice(0, end));
    if (origin !== undefined) return origin + pointer.slice(end);
  }
  return pointer;
}

const identity = (pointer: string): string => pointer;

/** A document in the reference spelling, with the way back for pointers. */
export function canonicalOf(value: unknown, side: Side, budget: Budget = { take: () => true }): Canonical {
  const table = side === "request" ? requestNames : replyNames;
  if (!isObject(value) || !differs(value, table, 0)) return { value, original: identity };
  const log: Log = { aliases: [], singles: [], origins: new Map(), budget };
  const canonical = renamed(value, table, "", "", log, 0);
  return { value: canonical, original: (pointer) => originIn(log.origins, pointer), spelling: log };
}

/** As `canonicalOf`; a streaming operation called without `alt=sse` wraps even its errors in an array. */
export function canonicalOfStream(value: unknown, side: Side, budget?: Budget): Canonical {
  const [only, ...more] = Array.isArray(value) && side === "response" ? value : [];
  if (!isObject(only) || !isObject(only["error"]) || more.length > 0) return canonicalOf(value, side, budget);
  const inner = canonicalOf(only, side, budget);
  const original = (pointer: string): string =>
    /^\/0(?:\/|$)/.test(pointer) ? pointer : `/0${inner.original(pointer)}`;
  return { ...inner, original };
}
