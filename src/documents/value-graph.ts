/** What values of a document can show: members, alternatives, items and types, and the shortest way to each. */
import type { TypeName } from "./json-types.ts";
import { keyOf, type Node, type Union } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { Shape } from "./shape.ts";
import { type Choice, chooseObject, ofType } from "./tell-apart.ts";

/** An alternative of a union, and the members by which it is told from others. */
export interface Alternative {
  readonly key: string;
  readonly node: Node;
  readonly set: Readonly<Record<string, unknown>>;
  /** Members whose absence tells it from others. */
  readonly drop?: readonly string[];
  /** Whether it cannot be told from others. No clause of its own judges what is in it then. */
  readonly isOpaque?: true;
}

/** One thing that a value of a node can show, and the node that stands there. */
export interface Edge {
  /** Tells it from all others. */
  readonly key: string;
  readonly from: string;
  readonly to: Node;
  /** Whether nothing judges what it leads to. */
  readonly isOpaque?: true | undefined;
}

/** A node that has something unshown, and the edges that lead to it, by the nodes that they begin at. */
export interface Aim {
  readonly target: string;
  readonly path: ReadonlyMap<string, Edge>;
}

export interface ValueGraph {
  readonly alternativesOf: (union: Union) => readonly Alternative[];
  /** Notes that something is shown. */
  readonly show: (key: string) => void;
  readonly isShown: (key: string) => boolean;
  readonly shown: () => number;
  /** Takes back all that was shown after the first `before`, or only these keys of it. */
  readonly hide: (before: number, keys?: readonly string[]) => void;
  /** Whether a node has something that no value has shown, in itself or within. */
  readonly isPending: (node: Node) => boolean;
  /** The nodes that have something unshown of their own, the nearest first, as they are when they are asked for. */
  readonly aims: (root: Node) => Generator<Aim>;
  /**
   * The nodes that still have something unshown, the nearest first.
   * @param isFaulty whether what stands at an edge could not be made well
   */
  readonly unshown: (root: Node, isFaulty: (key: string) => boolean) => Generator<Unshown>;
}

interface Unshown {
  readonly node: Node;
  /** How far it is from the root. */
  readonly steps: number;
  /** Key of the first edge on the way that is faulty. */
  readonly faulty: string | undefined;
}

export const memberKey = (of: string, name: string): string => `${of} . ${name}`;
export const itemsKey = (of: string): string => `${of} []`;
export const valuesKey = (of: string): string => `${of} {}`;
export const typeKey = (of: string, type: TypeName): string => `${of} : ${type}`;

/** Nodes that lead to one that is aimed at. */
export const maxSteps = 100;

export function createValueGraph(doc: OpenApi, shape: (node: Node) => Shape): ValueGraph {
  const shown = new Set<string>();
  const order: string[] = [];
  /** Nodes of which everything is shown, within them too. */
  const done = new Set<string>();
  const known = new Map<string, readonly Alternative[]>();
  const edges = new Map<string, readonly Edge[]>();

  function alternativesOf(union: Union): readonly Alternative[] {
    const key = `${union.pointer} ${union.nodes.map(keyOf).join("|")}`;
    let found = known.get(key);
    if (!found) known.set(key, (found = listAlternatives(union)));
    return found;
  }

  function listAlternatives(union: Union): Alternative[] {
    const objects = ofType(union.nodes, "object", { doc, shape });
    const leaves = objects.length > 0 ? leavesOf(chooseObject(union, objects, { doc, shape }), shape) : [];
    const isObject = new Set(objects);
    const others = union.nodes.filter((node) => !isObject.has(node)).map((node): Leaf => ({ node, set: {} }));
    return [...others, ...leaves].map((one) => ({
      ...one,
      key: `${union.pointer} ${keyOf(one.node)} ${JSON.stringify(one.set)}${one.drop ? ` without ${one.drop.join(" ")}` : ""}${one.isOpaque ? " opaque" : ""}`,
    }));
  }

  function edgesOf(node: Node): readonly Edge[] {
    const from = keyOf(node);
    const before = edges.get(from);
    if (before) return before;
    const { properties, unions, items, additional, patterns } = shape(node);
    const found: Edge[] = [];
    for (const [name, to] of properties) found.push({ key: memberKey(from, name), from, to });
    for (const [name, to] of patterns) found.push({ key: memberKey(from, `/${name}/`), from, to });
    for (const union of unions)
      for (const { key, node: to, isOpaque } of alternativesOf(union)) found.push({ key, from, to, isOpaque });
    if (items) found.push({ key: itemsKey(from), from, to: items });
    if (additional) found.push({ key: valuesKey(from), from, to: additional });
    edges.set(from, found);
    return found;
  }

  const hasUnshownType = (node: Node): boolean => {
    const types = typesToShow(shape(node));
    return types.length > 1 && types.some((type) => !shown.has(typeKey(keyOf(node), type)));
  };
  const hasUnshown = (node: Node): boolean => hasUnshownType(node) || edgesOf(node).some(({ key }) => !shown.has(key));

  function isPending(root: Node): boolean {
    const seen = new Set([keyOf(root)]);
    const next = [root];
    for (let node = next.pop(); node !== undefined; node = next.pop()) {
      if (done.has(keyOf(node))) continue;
      if (hasUnshown(node)) return true;
      for (const { to, isOpaque } of edgesOf(node))
        if (!isOpaque && !seen.has(keyOf(to))) {
          seen.add(keyOf(to));
          next.push(to);
        }
    }
    for (const key of seen) done.add(key);
    return false;
  }

  function* aims(root: Node): Generator<Aim> {
    const cameBy = new Map<string, Edge | undefined>([[keyOf(root), undefined]]);
    let level: Node[] = [root];
    for (let steps = 0; level.length > 0 && steps < maxSteps; steps++) {
      const next: Node[] = [];
      for (const node of level) {
        const target = keyOf(node);
        if (hasUnshown(node)) {
          const path = new Map<string, Edge>();
          for (let edge = cameBy.get(target); edge !== undefined; edge = cameBy.get(edge.from))
            path.set(edge.from, edge);
          // One value may show one alternative of several.
          for (let before = -1; hasUnshown(node) && shown.size > before; ) {
            before = shown.size;
            yield { target, path };
          }
        }
        for (const edge of edgesOf(node))
          if (!edge.isOpaque && !cameBy.has(keyOf(edge.to))) {
            cameBy.set(keyOf(edge.to), edge);
            next.push(edge.to);
          }
      }
      level = next;
    }
  }

  function* unshown(root: Node, isFaulty: (key: string) => boolean): Generator<Unshown> {
    const cameBy = new Map<string, string | undefined>([[keyOf(root), undefined]]);
    let level: Node[] = [root];
    for (let steps = 0; level.length > 0; steps++) {
      const next: Node[] = [];
      for (const node of level) {
        const faulty = cameBy.get(keyOf(node));
        if (faulty !== undefined || hasUnshown(node)) yield { node, steps, faulty };
        for (const { key, to, isOpaque } of edgesOf(node))
          if (!isOpaque && !cameBy.has(keyOf(to))) {
            cameBy.set(keyOf(to), faulty ?? (isFaulty(key) ? key : undefined));
            next.push(to);
          }
      }
      level = next;
    }
  }

  return {
    unshown,
    alternativesOf,
    show(key) {
      if (!shown.has(key)) order.push(key);
      shown.add(key);
    },
    isShown: (key) => shown.has(key),
    shown: () => shown.size,
    hide(before, keys) {
      if (keys?.length === 0) return;
      const since = order.splice(before);
      for (const key of since) {
        if (keys && !keys.includes(key)) order.push(key);
        else shown.delete(key);
      }
    },
    isPending,
    aims,
  };
}

type Leaf = Omit<Alternative, "key">;

/** The ways through a choice: each a node, with the members that lead to it. */
function leavesOf(choice: Choice, shape: (node: Node) => Shape, set: Readonly<Record<string, unknown>> = {}): Leaf[] {
  if (choice.kind === "one") return [{ node: choice.node, set }];
  if (choice.kind === "any") return choice.nodes.slice(0, 1).map((node) => ({ node, set, isOpaque: true }));
  if (choice.kind === "required")
    return [...choice.cases.map((one) => one.choice), ...(choice.otherwise ? [choice.otherwise] : [])].flatMap((one) =>
      leavesOf(one, shape, set),
    );
  const { member, cases, otherwise, absent } = choice;
  // An absent member is a case of its own. The member needs another value here.
  const isOpen =
    otherwise?.kind === "one" && !shape(otherwise.node).properties.has(member) && !shape(otherwise.node).closed;
  const other = absent && isOpen ? { ...set, [member]: "other" } : set;
  return [
    ...cases.flatMap((one) => leavesOf(one.choice, shape, { ...set, [member]: one.values[0] })),
    ...(absent ? leavesOf(absent, shape, set).map((leaf) => ({ ...leaf, drop: [...(leaf.drop ?? []), member] })) : []),
    ...(otherwise ? leavesOf(otherwise, shape, other) : []),
  ];
}

/** The types of JSON values, those that show most first. */
export const typeOrder: readonly TypeName[] = ["object", "array", "string", "integer", "number", "boolean", "null"];

/** Types of which one alone would leave keywords unshown; none where unions say more. */
export function typesToShow({ types, demands, unions }: Shape): readonly TypeName[] {
  if (!types || unions.length > 0 || demands.has("enum") || demands.has("const")) return [];
  return typeOrder.filter((type) => type !== "null" && types.names.has(type));
}
