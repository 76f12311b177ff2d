/** Makes values that a node of the document allows, so that together they show every member and every alternative. */

import { textFor } from "../check/pattern-text.ts";
import { isObject } from "../wire/json.ts";
import { faultOf } from "./check-value.ts";
import type { TypeName } from "./json-types.ts";
import { makeText } from "./made-text.ts";
import { keyOf, type Node, type Union } from "./node.ts";
import { obeys } from "./obeys.ts";
import type { OpenApi } from "./openapi.ts";
import type { Shape } from "./shape.ts";
import {
  type Aim,
  type Alternative,
  createValueGraph,
  type Edge,
  itemsKey,
  maxSteps,
  memberKey,
  typeKey,
  typeOrder,
  typesToShow,
  type ValueGraph,
  valuesKey,
} from "./value-graph.ts";

interface MakerOptions {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
}

/** Values made of one document: each tries what none before it has shown. Undefined where each value of a node is too large. */
export interface Maker {
  /** The next value of a node. */
  readonly make: (node: Node) => unknown;
  /** The same with required members alone. */
  readonly smallest: (node: Node) => unknown;
  /** Small values that show the rest, each made as it is asked for. */
  readonly rest: (node: Node) => Generator<unknown>;
  /** Takes room for an example of so many bytes; false once the document has none left. */
  readonly takeRoom: (bytes: number) => boolean;
  /** How many members and alternatives have been shown so far. */
  readonly shown: () => number;
  /** Places of schemas that no value has shown, each with the reason. */
  readonly unshown: (node: Node) => ReadonlyMap<string, string>;
}

/** Levels of a value below which only what is required is made. */
const maxDepth = 40;
/** Levels of a value that is made to show one thing. */
const maxAimedDepth = 150;
/** Places of one value after which only what is required is made, so that values stay small. */
const maxPlaces = 200;

/** Parts of one value, and characters of its texts: references that double, and lists within lists, would have no end. */
const maxParts = 20_000;
const maxCharacters = 4_000_000;
/** Values for one thing each that came out too large, after which no more are tried. */
const maxTooLarge = 20;

/** The result of a value that takes more than that. */
class TooLarge extends Error {}

/** Why a place has no example where each would be too large. */
export const tooLarge = "a value of it has more than 20,000 parts, or 4,000,000 characters";

interface Progress {
  readonly full: boolean;
  readonly depth: number;
  /** Keys of the nodes that the value stands in. */
  readonly within: readonly string[];
  places: { left: number };
  /** Parts and characters that the value may still have. */
  readonly room: { parts: number; characters: number };
  /** How many values of the same node were made beside it, so that they may differ. */
  readonly index: number;
  /** The one thing that the value is made to show, while it stands on the way there. */
  readonly aim: Aim | undefined;
  readonly maxDepth: number;
}

/** What a node is made for. */
interface Purpose {
  /** Where the way to what is aimed at goes on. */
  readonly edge: Edge | undefined;
  /** Whether it is what is aimed at: all of its members are made, small. */
  readonly isTarget: boolean;
}

export function createMaker({ doc, shape }: MakerOptions): Maker {
  const graph = createValueGraph(doc, shape);
  const { show, isShown, isPending, alternativesOf } = graph;
  /** What is wrong with members that could not be made well, by their keys. */
  const faults = new Map<string, string>();
  const isFull = ({ full, places }: Progress): boolean => full && places.left > 0;

  /** The progress of what stands at an edge. */
  const at = (progress: Progress, { edge }: Purpose, key: string): Progress =>
    progress.aim === undefined || edge?.key === key ? progress : { ...progress, aim: undefined };

  /** Takes the alternative that leads on, or the first that is not shown yet, or has something within that is not. */
  function take(union: Union, progress: Progress, { edge, isTarget }: Purpose): Alternative | undefined {
    const all = alternativesOf(union);
    const onTheWay = edge && all.find(({ key }) => key === edge.key);
    const fresh = all.filter(({ node }) => !progress.within.includes(keyOf(node)));
    const list = fresh.length > 0 ? fresh : all;
    const unshown = (): Alternative | undefined => (isTarget ? all : list).find(({ key }) => !isShown(key));
    const best =
      onTheWay ??
      (progress.full || isTarget ? unshown() : undefined) ??
      (progress.full ? list.find(({ node }) => isPending(node)) : undefined) ??
      list[0];
    if (best && (progress.full || isTarget)) show(best.key);
    return best;
  }

  function make(node: Node, before: Progress): unknown {
    if (before.room.parts-- <= 0) throw new TooLarge();
    const key = keyOf(node);
    const purpose: Purpose = { edge: before.aim?.path.get(key), isTarget: before.aim?.target === key };
    // What a node within itself could show, the outer one shows.
    const isNested = before.within.includes(key);
    const isRoom = before.places.left-- > 0;
    const full = before.full && !isNested && before.depth < maxDepth / 2 && isRoom;
    const progress: Progress = { ...before, full, depth: before.depth + 1, within: [...before.within, key] };
    const own = shape(node);
    if (progress.depth > progress.maxDepth) return null;
    const list = own.demands.get("const") ?? own.demands.get("enum");
    if (list) return list.keyword === "const" ? list.value : valueAt(list.value as unknown[], progress.index);
    let value: unknown;
    for (const [i, union] of own.unions.entries()) {
      const taken = take(union, progress, purpose);
      if (!taken) continue;
      const before = graph.shown();
      const made = make(taken.node, at(progress, purpose, taken.key));
      // Nothing judges the members that told this alternative from others, nor anything in an opaque one.
      graph.hide(
        before,
        taken.isOpaque
          ? undefined
          : [...Object.keys(taken.set), ...(taken.drop ?? [])].map((name) => memberKey(keyOf(taken.node), name)),
      );
      if (!isObject(made)) return made;
      const rest = (i > 0 ? value : own.properties.size > 0 ? makeObject(own, progress, purpose) : {}) as object;
      const demanded = membersDemanded(taken.node, rest, own, progress);
      const more = { ...membersOf(taken.node, made, own), ...taken.set };
      // Unions may be thousands: the value is not copied for each.
      value =
        i > 0 && Object.keys(demanded).length === 0 ? Object.assign(rest, more) : { ...demanded, ...rest, ...more };
      for (const name of taken.drop ?? []) delete (value as Record<string, unknown>)[name];
    }
    if (value !== undefined) return value;
    const type = takeType(own, progress, purpose);
    if (type === "object") return makeObject(own, progress, purpose);
    if (type === "array") return makeList(own, progress, purpose);
    const sample = own.samples.find(({ value }) => faultOf(value, node, shape) === undefined);
    if (sample && progress.index === 0 && type !== "null") return sample.value;
    if (type === "string") {
      const text = makeText(own.demands, progress.index);
      progress.room.characters -= text.length;
      if (progress.room.characters < 0) throw new TooLarge();
      return text;
    }
    if (type === "number" || type === "integer") return makeNumber(own, type, progress.index);
    return type === "boolean" ? true : null;
  }

  /** Of several types the one that leads on, or the first that no value has shown. */
  function takeType(own: Shape, { full }: Progress, { edge, isTarget }: Purpose): TypeName {
    const types = typesToShow(own);
    const of = keyOf(own.node);
    if (edge) return edge.key === itemsKey(of) ? "array" : "object";
    const isWanted = full || isTarget;
    const type = (isWanted ? types.find((one) => !isShown(typeKey(of, one))) : undefined) ?? typeFor(own);
    if (isWanted && types.length > 1) show(typeKey(of, type));
    return type;
  }

  /** Members that an alternative describes itself. */
  function membersOf(node: Node, value: object, own: Shape): Readonly<Record<string, unknown>> {
    const { properties } = shape(node);
    return Object.fromEntries(
      Object.entries(value).filter(([name]) => properties.has(name) || !own.properties.has(name)),
    );
  }

  /** Members that an alternative requires and all alternatives describe, if they are not made yet. */
  function membersDemanded(
    node: Node,
    made: object,
    own: Shape,
    progress: Progress,
  ): Readonly<Record<string, unknown>> {
    const { properties, required } = shape(node);
    const demanded = [...required.keys()].filter(
      (name) => !properties.has(name) && own.properties.has(name) && !(name in made),
    );
    return Object.fromEntries(
      demanded.map((name) => [name, make(own.properties.get(name)!, { ...progress, aim: undefined })]),
    );
  }

  function makeObject(own: Shape, progress: Progress, purpose: Purpose): unknown {
    const value: Record<string, unknown> = Object.create(null);
    const of = keyOf(own.node);
    const { edge, isTarget } = purpose;
    const isWanted = progress.full || isTarget;
    for (const [name, node] of own.properties) {
      const key = memberKey(of, name);
      const isRequired = own.required.has(name);
      const isAsked = isTarget || edge?.key === key || (isFull(progress) && (!isShown(key) || isPending(node)));
      if (!isRequired && !isAsked) continue;
      if (isWanted) show(key);
      const before = graph.shown();
      const made = make(node, { ...at(progress, purpose, key), index: 0 });
      // One member that cannot be made well would spoil all others.
      const fault = faultOf(made, node, shape);
      if (fault !== undefined) faults.set(key, fault);
      if (isRequired || fault === undefined) value[name] = made;
      else graph.hide(before);
    }
    const extra = own.additional;
    for (const [name] of own.required)
      if (value[name] === undefined) value[name] = extra ? make(extra, at(progress, purpose, valuesKey(of))) : "text";
    for (const name of membersBeside(own, value))
      value[name] ??= own.properties.has(name)
        ? make(own.properties.get(name)!, { ...progress, aim: undefined })
        : extra
          ? make(extra, { ...progress, aim: undefined })
          : "text";
    const least = (own.demands.get("minProperties")?.value as number | undefined) ?? 0;
    const most = (own.demands.get("maxProperties")?.value as number | undefined) ?? Number.POSITIVE_INFINITY;
    for (const [pattern, node] of own.patterns) {
      const key = memberKey(of, `/${pattern}/`);
      const name = textFor(pattern);
      if (isWanted) show(key);
      if (name !== undefined && Object.keys(value).length < most) value[name] = make(node, at(progress, purpose, key));
    }
    if (extra && (isWanted || edge?.key === valuesKey(of)) && Object.keys(value).length < most) {
      if (isWanted) show(valuesKey(of));
      value[nameOf(own, 0)] ??= make(extra, at(progress, purpose, valuesKey(of)));
    }
    let missing = least - Object.keys(value).length;
    for (let i = 1; missing > 0 && i <= least; i++) {
      const name = nameOf(own, i);
      if (!Object.hasOwn(value, name)) missing--;
      value[name] = extra ? make(extra, { ...progress, aim: undefined }) : "text";
    }
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

  function makeList(own: Shape, progress: Progress, purpose: Purpose): unknown[] {
    const least = (own.demands.get("minItems")?.value as number | undefined) ?? 0;
    const most = (own.demands.get("maxItems")?.value as number | undefined) ?? Number.POSITIVE_INFINITY;
    const { items } = own;
    const key = itemsKey(keyOf(own.node));
    const isWanted = progress.full || purpose.isTarget;
    const length = Math.min(Math.max(least, isWanted || purpose.edge ? 1 : 0), most);
    if (isWanted) show(key);
    return Array.from({ length }, (_, index) => {
      const own = index === 0 ? at(progress, purpose, key) : { ...progress, aim: undefined };
      return items ? make(items, { ...own, index }) : "text";
    });
  }

  const start = (full: boolean, aim?: Aim): Progress => ({
    full,
    depth: 0,
    within: [],
    places: { left: maxPlaces },
    room: { parts: maxParts, characters: maxCharacters },
    index: 0,
    aim,
    maxDepth: aim ? maxAimedDepth : maxDepth,
  });
  /** Nodes of which even the smallest value is too large. */
  const vast = new Set<string>();
  /** A value, or undefined where it is too large: what it showed counts as unshown then. */
  function attempt(node: Node, progress: Progress): unknown {
    const before = graph.shown();
    try {
      return make(node, progress);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      graph.hide(before);
      return undefined;
    }
  }
  function smallest(node: Node): unknown {
    const key = keyOf(node);
    const value = vast.has(key) ? undefined : attempt(node, start(false));
    if (value === undefined) vast.add(key);
    return value;
  }
  return {
    make: (node) => (vast.has(keyOf(node)) ? undefined : (attempt(node, start(true)) ?? smallest(node))),
    smallest,
    *rest(node) {
      let failed = 0;
      if (!vast.has(keyOf(node)))
        for (const aim of graph.aims(node)) {
          const value = attempt(node, start(false, aim));
          if (value !== undefined) yield value;
          else if (++failed >= maxTooLarge) return;
        }
    },
    takeRoom(bytes) {
      doc.room.bytes -= bytes;
      return doc.room.bytes > 0;
    },
    shown: graph.shown,
    unshown: (node) => unshownIn(graph, node, faults, vast.has(keyOf(node))),
  };
}

/** Why what is left unshown is: it cannot be made, or stands too deep. @param isVast whether each value is too large */
function unshownIn(
  graph: Pick<ValueGraph, "unshown">,
  root: Node,
  faults: ReadonlyMap<string, string>,
  isVast: boolean,
): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const { node, steps, faulty } of graph.unshown(root, (key) => isVast || faults.has(key))) {
    const why = isVast
      ? tooLarge
      : faulty !== undefined
        ? `no value of it can be made: ${faults.get(faulty)!}`
        : steps >= maxSteps
          ? `it is ${steps} steps deep, and values are made ${maxSteps} steps deep`
          : "the values that are made show other parts first";
    for (const source of node.sources) places.set(source, why);
  }
  return places;
}

/** Members that others demand by their presence (`dependentRequired`), those that such members demand among them. */
function membersBeside({ demands }: Shape, value: object): ReadonlySet<string> {
  const needs = demands.get("dependentRequired")?.value;
  const found = new Set<string>();
  if (!isObject(needs)) return found;
  const next = new Set(Object.keys(value));
  // A set takes what is added while it is gone through.
  for (const name of next)
    for (const other of [Object.hasOwn(needs, name) ? needs[name] : []].flat())
      if (typeof other === "string") {
        found.add(other);
        next.add(other);
      }
  return found;
}

const valueAt = (values: readonly unknown[], index: number): unknown => {
  const real = values.filter((value) => value !== null);
  return real.length > 0 ? real[index % real.length] : null;
};

/** The type of a value that is made: the one that shows most. */
function typeFor({ types, implied, properties, items }: Shape): TypeName {
  const names = types?.names ?? implied;
  if (names.size >= 7) return properties.size > 0 ? "object" : items ? "array" : "string";
  return typeOrder.find((type) => names.has(type)) ?? "string";
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
  const middle = (least + most) / 2;
  const wanted = [1 + index, least + 1, most - 1, middle, least, most].filter(Number.isFinite);
  const all = step === undefined ? wanted : wanted.flatMap((one) => stepsAround(one, step));
  return all.find((one) => [...demands.values()].every((demand) => obeys(one, demand))) ?? all[0] ?? 1;
}

/** Multiples of a step at a number and beside it. */
const stepsAround = (value: number, step: number): number[] =>
  [0, 1, -1].map((more) => (Math.floor(value / step) + more) * step);
