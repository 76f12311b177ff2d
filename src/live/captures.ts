/** Finds ids that a request copied from an earlier answer, so that a run can replace them. */
import type { Bind } from "../cassette/format.ts";
import { jsonOf } from "../run/judge/request-failure.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isObject, parseJsonBytes } from "../wire/json.ts";
import { pointer } from "../wire/pointer.ts";

/** A string of a JSON document, and the names and positions that lead to it. */
interface Leaf {
  readonly value: string;
  readonly path: readonly (string | number)[];
}

/** Shorter values may be equal by accident. */
const shortestId = 8;
const maxIdLength = 512;

/** Members whose own members are named by a client, or chosen by a model. */
const free = new Set(["args", "arguments", "input", "metadata", "parameters", "properties", "response"]);

/** Values of a document that are looked at; deeper or later ones are none that a document describes. */
const maxLeaves = 50_000;
const maxDepth = 32;

const isIdName = (name: string | number | undefined): boolean =>
  typeof name === "string" && /(?:^|_)id$|[a-z]Id$/.test(name);

/** Whether a value is no word: an id that a service made up has a digit or capitals among its letters. */
const isTelling = (value: string): boolean =>
  value.length >= shortestId && value.length <= maxIdLength && !/\s/.test(value) && /\d|[a-z][A-Z]/.test(value);

function leavesOf(document: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  let left = maxLeaves;
  const walk = (value: unknown, path: readonly (string | number)[]): void => {
    if (left-- <= 0 || path.length > maxDepth) return;
    if (typeof value === "string") {
      if (isTelling(value)) leaves.push({ value, path });
    } else if (Array.isArray(value)) for (const [i, item] of value.entries()) walk(item, [...path, i]);
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value)) if (!free.has(name)) walk(inner, [...path, name]);
  };
  walk(document, []);
  return leaves;
}

/** The name of the list or object a place stands in, however deep in lists. */
const holderOf = (path: readonly (string | number)[]): string | number | undefined =>
  path.slice(0, -1).findLast((step) => typeof step === "string");

/** Whether a place of a request names what `given`, a place of an answer, is the id of: `container` that of `/container/id`. */
const takes = (asked: Leaf, given: Leaf): boolean =>
  isIdName(asked.path.at(-1)) || asked.path.at(-1) === holderOf(given.path);

const requestJson = ({ request }: Exchange): unknown => {
  const json = parseJsonBytes(request.body);
  return json.ok ? json.value : undefined;
};

/**
 * The binds of each exchange, in their order. An id is taken over if one place of one earlier answer gave it, and no request
 * before had it. An id that its client had chosen, or that came twice, binds nothing.
 */
export function bindsOf(exchanges: readonly Exchange[]): readonly (readonly Bind[])[] {
  /** Null where more than one place has it, or a request had it first. */
  const given = new Map<string, { readonly exchange: number; readonly leaf: Leaf } | null>();
  return exchanges.map((one, exchange) => {
    const asked = leavesOf(requestJson(one));
    const binds = asked.flatMap((leaf): Bind[] => {
      const source = given.get(leaf.value);
      if (!source || !takes(leaf, source.leaf)) return [];
      return [
        { from: { exchange: source.exchange, pointer: pointer(...source.leaf.path) }, to: pointer(...leaf.path) },
      ];
    });
    for (const { value } of asked) if (!given.has(value)) given.set(value, null);
    for (const leaf of leavesOf(one.response && jsonOf(one.response)))
      if (given.has(leaf.value)) given.set(leaf.value, null);
      else given.set(leaf.value, isIdName(leaf.path.at(-1)) ? { exchange, leaf } : null);
    return binds;
  });
}
