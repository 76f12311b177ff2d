/** Finds changes after which a value fits none of several alternatives. A union without one accepts everything, and is not judged. */
import type { Spoil } from "../check/schema.ts";
import { isDemanded } from "./cannot-fail.ts";
import type { Node } from "./node.ts";
import { obeys } from "./obeys.ts";
import type { OpenApi } from "./openapi.ts";
import { isRuledOut, type Shape } from "./shape.ts";

interface Reader {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
}

/** Values of which most members allow some only. */
const values: readonly unknown[] = [true, 1.5, "not-a-value", {}, []];
/** Maximum number of alternatives compared to find the value that most of them exclude. */
const maxCompared = 20;

/**
 * Returns members to set and to drop, after which an object fits none of the alternatives; undefined if none are found.
 * @param isKept whether a member has to stay as it is
 */
export function objectFittingNone(
  nodes: readonly Node[],
  { doc, shape }: Reader,
  isKept: (name: string) => boolean,
): Spoil | undefined {
  const set = new Map<string, unknown>();
  const drop = new Set<string>();
  const rulesOut = (own: Shape, name: string, value: unknown): boolean => {
    if (own.oneSided.has(name) || own.patterns.size > 0) return false;
    const member = own.properties.get(name) ?? own.additional;
    return member !== undefined && isRuledOut(value, shape(member), shape);
  };
  const isBroken = (own: Shape): boolean =>
    [...set].some(([name, value]) => rulesOut(own, name, value)) ||
    [...drop].some((name) => isDemanded(own, name, { doc, shape }));
  const own = nodes.map(shape);
  for (const [i, one] of own.entries()) {
    if (isBroken(one)) continue;
    const near = own.slice(i, i + maxCompared);
    let best: { name: string; value: unknown; count: number } | undefined;
    for (const name of one.properties.keys()) {
      if (isKept(name) || set.has(name) || drop.has(name)) continue;
      for (const value of values) {
        if (!rulesOut(one, name, value)) continue;
        const count = near.filter((other) => rulesOut(other, name, value)).length;
        if (best === undefined || count > best.count) best = { name, value, count };
      }
    }
    if (best) {
      set.set(best.name, best.value);
      continue;
    }
    const demanded = [...one.required.keys()].find(
      (name) => !isKept(name) && !set.has(name) && isDemanded(one, name, { doc, shape }),
    );
    if (demanded === undefined) return undefined;
    drop.add(demanded);
  }
  return { set: Object.fromEntries(set), drop: [...drop] };
}

/** Numbers and texts that are tried, beside those near the limits of the alternatives. */
const texts = ["not-a-value", "!", " ", "\n", "0", "x".repeat(300)];

/** Returns a text or number that obeys `own` and none of the alternatives; undefined if none is found. */
export function scalarFittingNone(
  type: "string" | "number",
  own: Shape,
  nodes: readonly Node[],
  shape: (node: Node) => Shape,
): Spoil | undefined {
  const alternatives = nodes.map((node) => [...shape(node).demands.values()]);
  const limits = alternatives.flat().flatMap(({ value }) => (typeof value === "number" ? [value] : []));
  const tried: readonly unknown[] =
    type === "string"
      ? texts
      : [...new Set([0, ...limits].flatMap((limit) => [limit, limit + 1, limit - 1, limit + 0.5]))];
  const value = tried
    .slice(0, 500)
    .find(
      (one) =>
        [...own.demands.values()].every((demand) => obeys(one, demand)) &&
        alternatives.every((demands) => demands.some((demand) => !obeys(one, demand))),
    );
  return value === undefined ? undefined : { value };
}
