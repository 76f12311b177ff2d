/** Says whether a value obeys a node of the document: for the document's own examples and defaults, and for values made from it. */
import { isObject } from "../wire/json.ts";
import { allowsType, typeOfValue } from "./json-types.ts";
import type { Node } from "./node.ts";
import { obeys } from "./obeys.ts";
import type { Shape } from "./shape.ts";

/** Levels that are looked at; what is deeper passes. */
const maxDepth = 40;

/** Faults of objects and lists by the shape that they were held against: unions would look at the same ones again and again. */
type Known = Map<unknown, Map<Shape, string | undefined>>;

/** What is wrong with a value, in a few words; undefined where nothing is. */
export const faultOf = (value: unknown, node: Node, shape: (node: Node) => Shape): string | undefined =>
  faultIn(value, shape(node), { shape, known: new Map() }, 0);

interface Search {
  readonly shape: (node: Node) => Shape;
  readonly known: Known;
}

function faultIn(value: unknown, own: Shape, search: Search, depth: number): string | undefined {
  if (depth > maxDepth || (value === null && own.nullable)) return undefined;
  const type = typeOfValue(value);
  if (own.types && !allowsType(own.types.names, type))
    return `${clip(value)} is no ${[...own.types.names].join(" or ")}`;
  for (const demand of own.demands.values())
    if (!obeys(value, demand)) return `${clip(value)} violates ${demand.keyword}`;
  if (typeof value !== "object" || value === null) return faultInParts(value, own, search, depth);
  const before = search.known.get(value) ?? new Map<Shape, string | undefined>();
  search.known.set(value, before);
  if (before.has(own)) return before.get(own);
  // A schema that is asked again of the same value, while it is asked, adds nothing.
  before.set(own, undefined);
  const fault = faultInParts(value, own, search, depth);
  before.set(own, fault);
  return fault;
}

function faultInParts(value: unknown, own: Shape, search: Search, depth: number): string | undefined {
  const within = isObject(value)
    ? faultInObject(value, own, search, depth)
    : Array.isArray(value) && own.items
      ? first(value, (item) => faultIn(item, search.shape(own.items!), search, depth + 1))
      : undefined;
  if (within !== undefined) return within;
  for (const { nodes } of own.unions)
    if (!nodes.some((one) => faultIn(value, search.shape(one), search, depth + 1) === undefined))
      return `${clip(value)} fits none of its ${nodes.length} alternatives`;
  return undefined;
}

function faultInObject(
  value: Readonly<Record<string, unknown>>,
  own: Shape,
  search: Search,
  depth: number,
): string | undefined {
  for (const [name, { described }] of own.required)
    if (described && !Object.hasOwn(value, name)) return `${JSON.stringify(name)} is missing`;
  return first(Object.entries(value), ([name, member]) => {
    if (own.oneSided.has(name)) return undefined;
    const node = own.properties.get(name) ?? own.additional;
    const fault = node && faultIn(member, search.shape(node), search, depth + 1);
    return fault === undefined ? undefined : `at ${JSON.stringify(name)}, ${fault}`;
  });
}

function first<T>(list: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function clip(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
