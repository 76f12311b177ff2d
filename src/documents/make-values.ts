/** Makes values that a node of the document allows, so that together they show every member and every alternative. */
import { isObject } from "../wire/json.ts";
import { faultOf } from "./check-value.ts";
import type { TypeName } from "./json-types.ts";
import { keyOf, type Node, type Union } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import { textFor } from "./pattern-text.ts";
import type { Shape } from "./shape.ts";
import { type Choice, chooseObject, ofType } from "./tell-apart.ts";

interface MakerOptions {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
}

/** Values made of one document: each tries what none before it has shown. */
export interface Maker {
  /** The next value of a node. */
  readonly make: (node: Node) => unknown;
  /** The same with required members alone. */
  readonly smallest: (node: Node) => unknown;
  /** How many members and alternatives have been shown so far. */
  readonly shown: () => number;
}

/** Levels of a value below which only what is required is made. */
const maxDepth = 40;
/** Places of one value after which only what is required is made, so that values stay small. */
const maxPlaces = 120;

/** An alternative of a union, and the members by which it is told from others. */
interface Alternative {
  readonly key: string;
  readonly node: Node;
  readonly set: Readonly<Record<string, unknown>>;
}

interface Progress {
  readonly full: boolean;
  readonly depth: number;
  /** Keys of the nodes that the value stands in. */
  readonly within: readonly string[];
  places: { left: number };
  /** How many values of the same node were made beside it, so that they may differ. */
  readonly index: number;
}

export function createMaker({ doc, shape }: MakerOptions): Maker {
  const shown = new Set<string>();
  const reach = new Map<string, ReadonlySet<string>>();
  /** Nodes of which everything is shown. */
  const done = new Set<string>();
  const isFull = ({ full, places }: Progress): boolean => full && places.left > 0;
  const known = new Map<string, readonly Alternative[]>();

  function alternativesOf(union: Union): readonly Alternative[] {
    const key = `${union.pointer} ${union.nodes.map(keyOf).join("|")}`;
    let found = known.get(key);
    if (!found) known.set(key, (found = listAlternatives(union)));
    return found;
  }

  function listAlternatives(union: Union): Alternative[] {
    const objects = ofType(union.nodes, "object", { doc, shape });
    const leaves = objects.length > 0 ? leavesOf(chooseObject(union, objects, { doc, shape }), objects) : [];
    const others = union.nodes.filter((node) => !objects.includes(node)).map((node) => ({ node, set: {} }));
    return [...others, ...leaves].map((one) => ({
      ...one,
      key: `${union.pointer} ${keyOf(one.node)} ${JSON.stringify(one.set)}`,
    }));
  }

  /** Notes that something is shown. */
  const show = (key: string): void => void shown.add(key);

  /** What a node could show: its members, alternatives, and all that is within them. */
  function reachable(node: Node): ReadonlySet<string> {
    const key = keyOf(node);
    const before = reach.get(key);
    if (before) return before;
    const keys = new Set<string>();
    const seen = new Set([key]);
    const next = [node];
    const add = (one: Node | undefined): void => {
      if (one === undefined || seen.has(keyOf(one))) return;
      seen.add(keyOf(one));
      next.push(one);
    };
    for (let one = next.pop(); one !== undefined; one = next.pop()) {
      const own = shape(one);
      for (const [name, member] of own.properties) {
        keys.add(memberKey(one, name));
        add(member);
      }
      for (const union of own.unions.slice(0, 1))
        for (const alternative of alternativesOf(union)) {
          keys.add(alternative.key);
          add(alternative.node);
        }
      if (own.additional) keys.add(memberKey(one, ""));
      const types = typesToShow(own);
      if (types.length > 1) for (const type of types) keys.add(`${keyOf(one)} : ${type}`);
      for (const inner of [own.items, own.additional, ...own.patterns.values()]) add(inner);
    }
    reach.set(key, keys);
    return keys;
  }

  const memberKey = (node: Node, name: string): string => `${keyOf(node)} . ${name}`;

  /** Whether a node has something that no value has shown. */
  function isPending(node: Node): boolean {
    const key = keyOf(node);
    if (done.has(key)) return false;
    for (const one of reachable(node)) if (!shown.has(one)) return true;
    done.add(key);
    return false;
  }

  /** Takes the first alternative that is not shown yet, or has something within that is not. */
  function take(union: Union, progress: Progress): Alternative | undefined {
    const all = alternativesOf(union);
    const fresh = all.filter(({ node }) => !progress.within.includes(keyOf(node)));
    const list = fresh.length > 0 ? fresh : all;
    const best = progress.full
      ? (list.find(({ key }) => !shown.has(key)) ?? list.find(({ node }) => isPending(node)) ?? list[0])
      : list[0];
    if (best && progress.full) show(best.key);
    return best;
  }

  function make(node: Node, before: Progress): unknown {
    const key = keyOf(node);
    // What a node within itself could show, the outer one shows.
    const isNested = before.within.includes(key);
    const full = before.full && !isNested && before.depth < maxDepth / 2 && before.places.left-- > 0;
    const progress: Progress = { ...before, full, depth: before.depth + 1, within: [...before.within, key] };
    const own = shape(node);
    if (progress.depth > maxDepth) return null;
    const list = own.demands.get("const") ?? own.demands.get("enum");
    if (list) return list.keyword === "const" ? list.value : valueAt(list.value as unknown[], progress.index);
    const [union] = own.unions;
    const taken = union && take(union, progress);
    if (taken) {
      const value = make(taken.node, progress);
      if (!isObject(value)) return value;
      const rest = own.properties.size > 0 ? (makeObject(own, progress) as object) : {};
      return { ...rest, ...membersOf(taken.node, value, own, progress), ...taken.set };
    }
    const type = takeType(own, progress);
    if (type === "object") return makeObject(own, progress);
    if (type === "array") return makeList(own, progress);
    const sample = own.samples.find(({ value }) => faultOf(value, node, shape) === undefined);
    if (sample && progress.index === 0 && type !== "null") return sample.value;
    if (type === "string") return makeText(own, progress.index);
    if (type === "number" || type === "integer") return makeNumber(own, type, progress.index);
    return type === "boolean" ? true : null;
  }

  /** Of several types the first that no value has shown. */
  function takeType(own: Shape, { full }: Progress): TypeName {
    const types = typesToShow(own);
    const keyFor = (type: TypeName): string => `${keyOf(own.node)} : ${type}`;
    const type = (full ? types.find((one) => !shown.has(keyFor(one))) : undefined) ?? typeFor(own);
    if (full && types.length > 1) show(keyFor(type));
    return type;
  }

  /** Members that an alternative describes itself, or demands of those that all alternatives have. */
  function membersOf(node: Node, value: object, own: Shape, progress: Progress): Readonly<Record<string, unknown>> {
    const { properties, required } = shape(node);
    const entries = Object.entries(value).filter(([name]) => properties.has(name) || !own.properties.has(name));
    const demanded = [...required.keys()].filter((name) => !properties.has(name) && own.properties.has(name));
    return {
      ...Object.fromEntries(entries),
      ...Object.fromEntries(demanded.map((name) => [name, make(own.properties.get(name)!, progress)])),
    };
  }

  function makeObject(own: Shape, progress: Progress): unknown {
    const value: Record<string, unknown> = {};
    for (const [name, node] of own.properties)
      if (own.required.has(name) || (isFull(progress) && (!shown.has(memberKey(own.node, name)) || isPending(node)))) {
        if (progress.full) show(memberKey(own.node, name));
        const made = make(node, { ...progress, index: 0 });
        // One member that cannot be made well would spoil all others.
        if (own.required.has(name) || faultOf(made, node, shape) === undefined) value[name] = made;
      }
    for (const [name] of own.required) value[name] ??= own.additional ? make(own.additional, progress) : "text";
    const least = (own.demands.get("minProperties")?.value as number | undefined) ?? 0;
    const most = (own.demands.get("maxProperties")?.value as number | undefined) ?? Number.POSITIVE_INFINITY;
    for (const [pattern, node] of own.patterns) {
      const name = textFor(pattern);
      if (name !== undefined && Object.keys(value).length < most) value[name] = make(node, progress);
    }
    const extra = own.additional;
    if (extra && progress.full && Object.keys(value).length < most) {
      show(memberKey(own.node, ""));
      value[nameOf(own, 0)] ??= make(extra, progress);
    }
    for (let i = 1; Object.keys(value).length < least && i <= least; i++)
      value[nameOf(own, i)] = extra ? make(extra, progress) : "text";
    return value;
  }

  /** A name for a member that the document does not name. */
  function nameOf({ names }: Shape, index: number): string {
    const own = names && shape(names);
    const pattern = own?.demands.get("pattern")?.value;
    const list = own?.demands.get("enum")?.value;
    const listed = Array.isArray(list) ? String(list[index % list.length]) : undefined;
    const matching = typeof pattern === "string" ? textFor(pattern, index + 1) : undefined;
    return listed ?? matching ?? (index === 0 ? "example" : `example_${index}`);
  }

  function makeList(own: Shape, progress: Progress): unknown[] {
    const least = (own.demands.get("minItems")?.value as number | undefined) ?? 0;
    const most = (own.demands.get("maxItems")?.value as number | undefined) ?? Number.POSITIVE_INFINITY;
    const { items } = own;
    const wanted = progress.full ? 1 : 0;
    const length = Math.min(Math.max(least, wanted), most);
    return Array.from({ length }, (_, index) => (items ? make(items, { ...progress, index }) : "text"));
  }

  const start = (full: boolean): Progress => ({ full, depth: 0, within: [], places: { left: maxPlaces }, index: 0 });
  return {
    make: (node) => make(node, start(true)),
    smallest: (node) => make(node, start(false)),
    shown: () => shown.size,
  };
}

/** The ways through a choice: each a node, with the members that lead to it. */
function leavesOf(
  choice: Choice,
  nodes: readonly Node[],
  set: Readonly<Record<string, unknown>> = {},
): { readonly node: Node; readonly set: Readonly<Record<string, unknown>> }[] {
  if (choice.kind === "one") return [{ node: choice.node, set }];
  if (choice.kind === "opaque") return nodes.slice(0, 1).map((node) => ({ node, set }));
  if (choice.kind === "required")
    return [...choice.cases.map((one) => one.choice), ...(choice.otherwise ? [choice.otherwise] : [])].flatMap((one) =>
      leavesOf(one, nodes, set),
    );
  const { member, cases, otherwise } = choice;
  return [
    ...cases.flatMap((one) => leavesOf(one.choice, nodes, { ...set, [member]: one.values[0] })),
    ...(otherwise ? leavesOf(otherwise, nodes, set) : []),
  ];
}

const valueAt = (values: readonly unknown[], index: number): unknown => {
  const real = values.filter((value) => value !== null);
  return real.length > 0 ? real[index % real.length] : null;
};

const order: readonly TypeName[] = ["object", "array", "string", "integer", "number", "boolean", "null"];

/** The type of a value that is made: the one that shows most. */
function typeFor({ types, implied, properties, items }: Shape): TypeName {
  const names = types?.names ?? implied;
  if (names.size >= 7) return properties.size > 0 ? "object" : items ? "array" : "string";
  return order.find((type) => names.has(type)) ?? "string";
}

/** Types of which one alone would leave keywords unshown; none where unions say more. */
function typesToShow({ types, demands, unions }: Shape): readonly TypeName[] {
  if (!types || unions.length > 0 || demands.has("enum") || demands.has("const")) return [];
  return order.filter((type) => type !== "null" && types.names.has(type));
}

const formatted: Readonly<Record<string, string>> = {
  date: "2024-12-31",
  "date-time": "2024-12-31T23:59:59Z",
  time: "23:59:59Z",
  email: "name@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  byte: "dGV4dA==",
};

function makeText({ demands }: Shape, index: number): string {
  const bound = (keyword: string, otherwise: number): number =>
    (demands.get(keyword)?.value as number | undefined) ?? otherwise;
  const least = bound("minLength", 0);
  const most = bound("maxLength", Number.POSITIVE_INFINITY);
  const pattern = demands.get("pattern")?.value as string | undefined;
  const format = demands.get("format")?.value as string | undefined;
  if (pattern !== undefined) return textFor(pattern, least, most) ?? "text";
  if (format !== undefined) return formatted[format] ?? "text";
  const text = index === 0 ? "text" : `text ${index}`;
  return text.padEnd(Math.min(least, 100_000), "x").slice(0, most);
}

function makeNumber({ demands }: Shape, type: TypeName, index: number): number {
  const bound = (keyword: string): number | undefined => demands.get(keyword)?.value as number | undefined;
  const step = bound("multipleOf") ?? (type === "integer" ? 1 : undefined);
  const least = Math.max(
    bound("minimum") ?? Number.NEGATIVE_INFINITY,
    bound("exclusiveMinimum") ?? Number.NEGATIVE_INFINITY,
  );
  const most = Math.min(
    bound("maximum") ?? Number.POSITIVE_INFINITY,
    bound("exclusiveMaximum") ?? Number.POSITIVE_INFINITY,
  );
  let value = 1 + index;
  if (value < least || value > most)
    value =
      Number.isFinite(least) && Number.isFinite(most)
        ? (least + most) / 2
        : Number.isFinite(least)
          ? least + 1
          : most - 1;
  if (step !== undefined) value = Math.floor(value / step) * step;
  if (value < least || value === bound("exclusiveMinimum")) value += step ?? (most - value) / 2;
  return value;
}
