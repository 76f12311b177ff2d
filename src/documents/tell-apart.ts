/** Tells the alternatives of a union apart: by discriminator, by a constant member, or by the members that only one requires. */
import { isObject } from "../wire/json.ts";
import { allowsType, type TypeName } from "./json-types.ts";
import { keyOf, type Node, nodeOf, type Union } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import { isRuledOut, type Shape } from "./shape.ts";

/** How the alternative that an object has to obey is found. */
export type Choice =
  | {
      readonly kind: "one";
      readonly node: Node;
      /** Members whose values decided it. */
      readonly decided: readonly string[];
      /** A member whose presence decided it. */
      readonly present?: string;
      /** A member of which others list the values, and this one does not. */
      readonly open?: string;
    }
  | {
      readonly kind: "member";
      readonly member: string;
      /** What stands where the member has one of these values; the first that fits counts. */
      readonly cases: readonly { readonly values: readonly unknown[]; readonly choice: Choice }[];
      /** Where the member has another value, or is absent; undefined where that may not be. */
      readonly otherwise: Choice | undefined;
      /** Where the member is absent; undefined where that is no case of its own. */
      readonly absent: Choice | undefined;
    }
  | {
      readonly kind: "required";
      readonly cases: readonly { readonly member: string; readonly choice: Choice }[];
      /** Where none of the members is there; undefined where one of them has to be. */
      readonly otherwise: Choice | undefined;
    }
  | {
      /** Nothing tells these apart: the object obeys one of them. */
      readonly kind: "any";
      readonly nodes: readonly Node[];
    };

export interface Apart {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
}

/** The alternatives among these that a value of the type may be. */
export const ofType = (nodes: readonly Node[], type: TypeName, { shape }: Apart): Node[] =>
  nodes.filter((node) => allowsType(shape(node).types?.names ?? shape(node).implied, type));

/** How the objects of a union are told apart. */
export function chooseObject(union: Union, nodes: readonly Node[], apart: Apart): Choice {
  const { discriminator } = union;
  if (!discriminator) return choose(nodes, [], apart);
  const mapped = mappedValues(discriminator, apart);
  const { property } = discriminator;
  const decided = new Set([...mapped.values()].flat());
  const cases = nodes.map((node) => {
    // A value that the mapping lists belongs to the schema it leads to, even if other schemas list it as well.
    const constants = (constantsOf(node, property, apart) ?? []).filter((value) => !decided.has(value));
    const named = mapped.get(keyOf(node)) ?? [];
    const values = [...new Set([...named, ...constants])];
    return { node, values: values.length > 0 ? values : nameOf(node) };
  });
  if (cases.some(({ values }) => values.length === 0)) return choose(nodes, [], apart);
  return byValues(property, cases, [], apart);
}

/** The last step of the pointer that a node stands at: what a discriminator means where nothing maps its values. */
const nameOf = ({ sources }: Node): string[] => {
  const name = /^\/components\/schemas\/([^/]+)$/.exec(sources[0] ?? "")?.[1];
  return sources.length === 1 && name !== undefined ? [name] : [];
};

/** What the mapping of a discriminator calls each alternative. */
function mappedValues(
  { mapping, pointer }: NonNullable<Union["discriminator"]>,
  { doc }: Apart,
): Map<string, unknown[]> {
  const values = new Map<string, unknown[]>();
  if (!isObject(mapping)) return values;
  for (const [value, to] of Object.entries(mapping)) {
    const ref = String(to);
    const target = doc.targetOf(ref) ?? doc.targetOf(`#/components/schemas/${ref}`);
    if (target === undefined) {
      doc.contradict(
        `${pointer}/mapping/${value}`,
        `It maps ${JSON.stringify(value)} to ${ref}, which is not in this document.`,
      );
      continue;
    }
    const key = keyOf({ ...nodeOf(doc, [target]), nullable: false });
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return values;
}

/** The only values that a member of a node may have; undefined where others may be. */
export function constantsOf(node: Node, member: string, { shape }: Apart): readonly unknown[] | undefined {
  const own = shape(node).properties.get(member);
  if (!own) return undefined;
  const { demands, types } = shape(own);
  const constant = demands.get("const");
  if (constant) return [constant.value];
  const list = demands.get("enum");
  if (list) return (list.value as unknown[]).filter((value) => value !== null);
  // A switch that is always the same is no constant, but null alone is one.
  return types?.names.size === 1 && types.names.has("null") ? [null] : undefined;
}

/** Alternatives that differ in nothing that is decided are one. */
function choose(nodes: readonly Node[], decided: readonly string[], apart: Apart, open?: string): Choice {
  const [first] = nodes;
  if (first === undefined) return { kind: "any", nodes };
  if (nodes.length === 1) return { kind: "one", node: first, decided, ...(open !== undefined && { open }) };
  return byConstant(nodes, decided, apart) ?? byRequired(nodes, decided, apart) ?? { kind: "any", nodes };
}

/** Members that documents mostly tell objects apart by, best first. */
const usual = ["type", "object", "role", "kind", "event", "status", "name"];
const rank = (member: string): number => (usual.includes(member) ? usual.indexOf(member) : usual.length);

/** Tells them apart by the member whose constants leave the fewest together. */
function byConstant(nodes: readonly Node[], decided: readonly string[], apart: Apart): Choice | undefined {
  const members = new Set(nodes.flatMap((node) => [...apart.shape(node).properties.keys()]));
  let best: { member: string; cases: Case[]; worst: number } | undefined;
  for (const member of [...members].sort((a, b) => rank(a) - rank(b))) {
    if (decided.includes(member)) continue;
    const cases = nodes.map((node) => ({ node, values: constantsOf(node, member, apart) ?? [] }));
    if (cases.filter(({ values }) => values.length > 0).length < 2 && nodes.length > 2) continue;
    const worst = largestGroup(cases);
    if (worst < nodes.length && (best === undefined || worst < best.worst)) best = { member, cases, worst };
  }
  return best && byValues(best.member, best.cases, decided, apart);
}

interface Case {
  readonly node: Node;
  /** Empty where the member may have any value. */
  readonly values: readonly unknown[];
}

/** How many alternatives at most stay together when the member is known. */
function largestGroup(cases: readonly Case[]): number {
  const sizes = new Map<string, number>();
  const open = cases.filter(({ values }) => values.length === 0).length;
  for (const { values } of cases)
    for (const value of values) sizes.set(JSON.stringify(value), (sizes.get(JSON.stringify(value)) ?? 0) + 1);
  return Math.max(open, ...sizes.values());
}

/** Alternatives that leave a member open whose schemas are compared with each value of the others. */
const maxCompared = 50;

/** Tells alternatives apart by the values of a member; those without any are what is left. */
function byValues(member: string, cases: readonly Case[], decided: readonly string[], apart: Apart): Choice {
  const open = cases.filter(({ values }) => values.length === 0).map(({ node }) => node);
  // What leaves the member open, though it describes it, may have any of the values of others.
  const anywhere = open.filter(
    (node) => apart.shape(node).properties.has(member) || apart.shape(node).unions.length > 0,
  );
  const owners = new Map<string, { readonly value: unknown; readonly nodes: Set<Node> }>();
  for (const { node, values } of cases)
    for (const value of values) {
      const key = JSON.stringify(value);
      const own = owners.get(key);
      if (own) own.nodes.add(node);
      else owners.set(key, { value, nodes: new Set([node]) });
    }
  const groups = new Map<string, { values: unknown[]; nodes: Node[] }>();
  // In OpenAPI 3.0 null is often meant where nothing says so.
  const excludes = (node: Node, value: unknown): boolean => {
    const own = apart.shape(node).properties.get(member);
    return (
      own !== undefined && !(apart.doc.isOld && value === null) && isRuledOut(value, apart.shape(own), apart.shape)
    );
  };
  for (const { value, nodes } of owners.values()) {
    const others = anywhere.length > maxCompared ? anywhere : anywhere.filter((node) => !excludes(node, value));
    const key = [...nodes, ...others].map(keyOf).join(" | ");
    const group = groups.get(key);
    if (group) group.values.push(value);
    else groups.set(key, { values: [value], nodes: [...nodes, ...others] });
  }
  const now = [...decided, member];
  const mayLack = cases
    .filter(({ node, values }) => values.length > 0 && !apart.shape(node).required.has(member))
    .map(({ node }) => node);
  return {
    kind: "member",
    member,
    cases: [...groups.values()].map(({ values, nodes }) => ({ values, choice: choose(nodes, now, apart) })),
    otherwise: open.length > 0 ? choose(open, now, apart, member) : undefined,
    absent: mayLack.length > 0 ? choose([...open, ...mayLack], now, apart) : undefined,
  };
}

/** Alternatives that are told apart by members of their own: what is written then grows with the square of their number. */
const maxByRequired = 300;

/** Tells them apart by members that only one alternative describes, and requires. */
function byRequired(nodes: readonly Node[], decided: readonly string[], apart: Apart): Choice | undefined {
  if (nodes.length > maxByRequired) return undefined;
  const uses = new Map<string, number>();
  for (const { properties, required } of nodes.map(apart.shape))
    for (const name of new Set([...properties.keys(), ...required.keys()])) uses.set(name, (uses.get(name) ?? 0) + 1);
  const owns = nodes.map((node) => ({
    node,
    member: [...apart.shape(node).required.keys()].find((name) => uses.get(name) === 1),
  }));
  const left = owns.filter(({ member }) => member === undefined).map(({ node }) => node);
  if (left.length === nodes.length) return undefined;
  const otherwise = left.length > 0 ? choose(left, decided, apart) : undefined;
  return {
    kind: "required",
    cases: owns.flatMap(({ node, member }) =>
      member === undefined ? [] : [{ member, choice: { kind: "one" as const, node, decided, present: member } }],
    ),
    otherwise,
  };
}
