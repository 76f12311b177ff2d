/** Finds the differences of two JSON texts, by their members and items: in time linear in them. */
import { childrenOf, type JsonNodes, pointerOf, unquoted, written } from "./json-nodes.ts";

/** A place at which they differ, by its pointer; what stands there as it was written, undefined where nothing does. */
export interface Difference {
  readonly pointer: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Differences that are told; of more, how many there are does not matter. */
const maxFound = 200;

/** Children by name, or by position in a list; of repeated members the last. */
function childTable(json: JsonNodes, position: number): Map<string, number> {
  const table = new Map<string, number>();
  for (const child of childrenOf(json, position)) {
    const { key, index } = json.nodes[child]!;
    table.set(key === undefined ? String(index) : unquoted(key), child);
  }
  return table;
}

const escaped = (token: string): string => token.replaceAll("~", "~0").replaceAll("/", "~1");

/** The places at which `after` is not `before`; white space and the order of members do not count. */
export function differencesOf(before: JsonNodes, after: JsonNodes): Difference[] {
  const found: Difference[] = [];
  const pairs: [number, number][] = [];
  if (before.nodes.length > 0 && after.nodes.length > 0) pairs.push([0, 0]);
  for (let pair = pairs.pop(); pair && found.length < maxFound; pair = pairs.pop()) {
    const [old, now] = pair;
    const [one, other] = [before.nodes[old]!, after.nodes[now]!];
    if (one.kind !== other.kind || (one.kind !== "object" && one.kind !== "array")) {
      const [was, is] = [written(before, one), written(after, other)];
      const isSame = one.kind === "string" && other.kind === "string" ? unquoted(was) === unquoted(is) : was === is;
      if (!isSame) found.push({ pointer: pointerOf(after, now), before: was, after: is });
      continue;
    }
    const olds = childTable(before, old);
    const news = childTable(after, now);
    const inner: [number, number][] = [];
    for (const [name, child] of news) {
      const known = olds.get(name);
      if (known !== undefined) inner.push([known, child]);
      else
        found.push({ pointer: pointerOf(after, child), before: undefined, after: written(after, after.nodes[child]!) });
    }
    for (const [name, child] of olds)
      if (!news.has(name))
        found.push({
          pointer: `${pointerOf(after, now)}/${escaped(name)}`,
          before: written(before, before.nodes[child]!),
          after: undefined,
        });
    pairs.push(...inner.reverse());
  }
  return found.slice(0, maxFound);
}
