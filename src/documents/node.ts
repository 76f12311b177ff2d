/** Places of a document whose schemas hold for one value together, with references followed. */
import { createHash } from "node:crypto";
import { isObject } from "../wire/json.ts";
import type { OpenApi } from "./openapi.ts";

/** What a value has to be: all of `sources` hold for it, or it is null where it may be. */
export interface Node {
  /** Pointers of schemas, sorted, without those that only refer to another. */
  readonly sources: readonly string[];
  readonly nullable: boolean;
  /** Alternatives that no union of the document lists as such. */
  readonly either?: { readonly pointer: string; readonly nodes: readonly Node[] };
}

/** One schema of a node; references and `allOf` are followed apart from it. */
export interface Plain {
  readonly pointer: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Union {
  /** Where it stands, its keyword included. */
  readonly pointer: string;
  readonly nodes: readonly Node[];
  readonly discriminator?: { readonly pointer: string; readonly property: string; readonly mapping: unknown };
}

/** A node with everything that its references and unions of one come to. */
export interface Flat {
  readonly plain: readonly Plain[];
  readonly unions: readonly Union[];
  readonly nullable: boolean;
  /** Where a schema allows nothing at all. */
  readonly never: readonly string[];
  /** Unions that allow everything. */
  readonly open: readonly Union[];
  /** Where more schemas hold at once than are read: nothing is known of them then. */
  readonly cut?: string;
  /** Unions with more alternatives than are told apart. */
  readonly tooMany: readonly string[];
}

const keys = new WeakMap<Node, string>();
/** Characters beyond which a key is a digest: keys of many schemas stand in the keys of all of their members. */
const maxKeyLength = 1_000;

/** Tells nodes apart. */
export function keyOf(node: Node): string {
  const known = keys.get(node);
  if (known !== undefined) return known;
  const { sources, nullable, either } = node;
  const whole = `${sources.join(" ")}${nullable ? " ?" : ""}${either ? ` (${either.nodes.map(keyOf).join(" | ")})` : ""}`;
  const key = whole.length > maxKeyLength ? createHash("sha256").update(whole).digest("hex") : whole;
  keys.set(node, key);
  return key;
}

const annotations = new Set(
  `title description summary example examples default deprecated readOnly writeOnly externalDocs xml $comment $schema $id $anchor
  contentMediaType contentEncoding contentSchema discriminator`.split(/\s+/),
);

/** Whether a keyword says nothing of which values are valid. */
export const isAnnotation = (keyword: string): boolean => annotations.has(keyword) || keyword.startsWith("x-");

const assertionsOf = (schema: object): string[] => Object.keys(schema).filter((keyword) => !isAnnotation(keyword));

/** The schema at a pointer, if it is one. */
const schemaAt = (doc: OpenApi, pointer: string): unknown => doc.at(pointer);

/** A node of these schemas, with plain references replaced by what they lead to. */
export function nodeOf(doc: OpenApi, pointers: readonly string[], nullable = false): Node {
  const sources = new Set<string>();
  let isNullable = nullable;
  for (const pointer of pointers) {
    let place = pointer;
    const seen = new Set<string>();
    while (!seen.has(place)) {
      seen.add(place);
      const schema = schemaAt(doc, place);
      if (!isObject(schema)) break;
      const next = onlyStep(doc, place, schema);
      if (next === undefined) break;
      if (next.nullable) isNullable = true;
      doc.references.add(place);
      place = next.pointer;
    }
    sources.add(place);
  }
  return { sources: [...sources].sort(), nullable: isNullable };
}

/** Where a schema leads that does nothing but refer to another, or to another or null. */
function onlyStep(
  doc: OpenApi,
  pointer: string,
  schema: Readonly<Record<string, unknown>>,
): { readonly pointer: string; readonly nullable: boolean } | undefined {
  const said = assertionsOf(schema).filter((keyword) => keyword !== "nullable");
  const nullable = schema["nullable"] === true;
  const [only] = said;
  if (only === undefined || (said.length > 1 && !(doc.isOld && "$ref" in schema))) return undefined;
  const ref = schema["$ref"];
  if (typeof ref === "string") {
    const target = doc.targetOf(ref);
    return target === undefined ? undefined : { pointer: target, nullable };
  }
  const list = schema[only];
  if (!Array.isArray(list) || !["allOf", "anyOf", "oneOf"].includes(only)) return undefined;
  const isPart =
    only === "allOf"
      ? (part: unknown) => !isObject(part) || assertionsOf(part).length > 0
      : (part: unknown) => !isNull(part);
  const left = [...list.keys()].filter((i) => isPart(list[i]));
  if (left.length !== 1) return undefined;
  return { pointer: `${pointer}/${only}/${left[0]}`, nullable: nullable || (only !== "allOf" && list.length > 1) };
}

function isNull(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, const: constant, enum: values } = schema;
  return (
    type === "null" ||
    (Array.isArray(type) && type.length === 1 && type[0] === "null") ||
    ("const" in schema && constant === null) ||
    (Array.isArray(values) && values.length > 0 && values.every((value) => value === null))
  );
}

/** Schemas that hold for one value at once. */
const maxParts = 10_000;
/** Alternatives of one union: an example of each is tried against all of them. The largest unions of published documents have some 300. */
export const maxAlternatives = 1_000;
/** Schemas that hold for one value at once in any ordinary document. */
const ordinaryParts = 200;

/** Follows references, `allOf`, and unions of one; what leads round in a circle is noted and left out. */
export function flatten(doc: OpenApi, node: Node): Flat {
  const plain: Plain[] = [];
  const unions: Union[] = [];
  const never: string[] = [];
  const tooMany: string[] = [];
  const open: Union[] = [];
  let nullable = node.nullable;
  const seen = new Set<string>();
  const next = [...node.sources].reverse();
  for (let pointer = next.pop(); pointer !== undefined; pointer = next.pop()) {
    if (seen.has(pointer)) continue;
    if (seen.size > maxParts || (seen.size > ordinaryParts && !doc.takePart()))
      return { plain: [], unions: [], nullable: true, never: [], tooMany, open, cut: node.sources[0]! };
    seen.add(pointer);
    const schema = schemaAt(doc, pointer);
    if (schema === true) continue;
    if (schema === false) never.push(pointer);
    if (!isObject(schema)) {
      if (schema !== false) doc.contradict(pointer, "No schema stands here.");
      continue;
    }
    if (schema["nullable"] === true) nullable = true;
    const { $ref: ref } = schema;
    if (typeof ref === "string") {
      const target = doc.targetOf(ref);
      if (target === undefined)
        doc.contradict(`${pointer}/$ref`, `It refers to ${ref}, which is not in this document.`);
      else next.push(target);
      // Members next to $ref count since OpenAPI 3.1.
      if (doc.isOld) continue;
    }
    const { allOf } = schema;
    if (Array.isArray(allOf)) for (const i of [...allOf.keys()].reverse()) next.push(`${pointer}/allOf/${i}`);
    plain.push({ pointer, schema });
    for (const keyword of ["anyOf", "oneOf"] as const) {
      if (!(keyword in schema)) continue;
      const union = unionAt(doc, pointer, schema, keyword);
      if (union.nullable) nullable = true;
      if (union.isTooLarge) tooMany.push(union.pointer);
      else if (union.open) open.push(union);
      else if (union.nodes.length === 1) next.push(...union.nodes[0]!.sources);
      else if (union.nodes.length > 1) unions.push(union);
      else if (union.nullable) next.push(`${pointer}/${keyword}/0`);
      else if (!union.nullable)
        doc.contradict(`${pointer}/${keyword}`, "It lists no alternative, so that nothing can be valid.");
    }
  }
  if (node.either) unions.push(node.either);
  // Whoever refers to a parent that lists its children is one of them: what it says of itself decides the union.
  const isDecided = ({ nodes }: Union): boolean =>
    nodes.some(({ sources }) => sources.length > 0 && sources.every((source) => seen.has(source)));
  return { plain, unions: unions.filter((union) => !isDecided(union)), nullable, never, tooMany, open };
}

/** The alternatives of a union, those of unions within it among them; `open` where one of them allows everything. */
function unionAt(
  doc: OpenApi,
  pointer: string,
  schema: Readonly<Record<string, unknown>>,
  keyword: "anyOf" | "oneOf",
): Union & Pick<Spread, "nullable" | "open" | "isTooLarge"> {
  const list = Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : [];
  const left = [...list.keys()].filter((i) => !isNull(list[i]));
  const spread = spreadOf(
    doc,
    left.slice(0, maxAlternatives + 1).map((i) => nodeOf(doc, [`${pointer}/${keyword}/${i}`])),
  );
  const discriminator = discriminatorOf(pointer, schema);
  return {
    ...spread,
    nullable: spread.nullable || left.length < list.length,
    pointer: `${pointer}/${keyword}`,
    ...(discriminator && { discriminator }),
  };
}

interface Spread {
  readonly nodes: readonly Node[];
  readonly nullable: boolean;
  readonly open: boolean;
  /** Whether there are more alternatives than are told apart. Nothing is known of them then. */
  readonly isTooLarge?: true;
}

/** Alternatives, each once, with those of unions among them in their place. */
function spreadOf(doc: OpenApi, alternatives: readonly Node[]): Spread {
  const nodes = new Map<string, Node>();
  let nullable = false;
  let open = false;
  const seen = new Set<string>();
  const next = [...alternatives].reverse();
  for (let node = next.pop(); node !== undefined; node = next.pop()) {
    const own = { ...node, nullable: false };
    const key = keyOf(own);
    if (node.nullable) nullable = true;
    if (seen.has(key)) continue;
    if (seen.size >= maxAlternatives) return { nodes: [], nullable: true, open: true, isTooLarge: true };
    seen.add(key);
    const union = unionIn(doc, own);
    if (union === undefined) {
      nodes.set(key, own);
      if (isOpen(doc, own)) open = true;
      continue;
    }
    if (union.nullable) nullable = true;
    next.push(...[...union.nodes].reverse());
  }
  return { nodes: [...nodes.values()], nullable, open };
}

/** Whether a node allows everything. */
const isOpen = (doc: OpenApi, { sources }: Node): boolean =>
  sources.every((source) => {
    const schema = schemaAt(doc, source);
    return schema === true || (isObject(schema) && assertionsOf(schema).length === 0);
  });

/** The alternatives of a node that is nothing but a union, perhaps of objects alone; undefined for others. */
function unionIn(
  doc: OpenApi,
  { sources }: Node,
): { readonly nodes: readonly Node[]; readonly nullable: boolean } | undefined {
  let place = sources[0]!;
  if (sources.length !== 1) return undefined;
  for (let hops = 0; hops < 20; hops++) {
    const schema = schemaAt(doc, place);
    if (!isObject(schema)) return undefined;
    const said = assertionsOf(schema).filter(
      (one) => one !== "nullable" && !(one === "type" && schema[one] === "object"),
    );
    const [only] = said;
    if (said.length !== 1) return undefined;
    if (only === "$ref") {
      const target = doc.targetOf(String(schema["$ref"]));
      if (target === undefined) return undefined;
      place = target;
      continue;
    }
    const list = schema[only!];
    if ((only !== "anyOf" && only !== "oneOf") || !Array.isArray(list)) return undefined;
    const left = [...list.keys()].filter((i) => !isNull(list[i]));
    return {
      nodes: left.map((i) => nodeOf(doc, [`${place}/${only}/${i}`])),
      nullable: left.length < list.length || schema["nullable"] === true,
    };
  }
  return undefined;
}

/** A node that is one of several, without a union of the document that says so; undefined where it may be anything. */
export function eitherOf(doc: OpenApi, pointer: string, alternatives: readonly Node[]): Node | undefined {
  const { nodes, nullable, open } = spreadOf(doc, alternatives);
  if (open || nodes.length === 0) return undefined;
  if (nodes.length === 1) return { ...nodes[0]!, nullable };
  return { sources: [], nullable, either: { pointer, nodes } };
}

/** Why nobody can judge members of this name; undefined if validators can. They ask for a member by its name alone. */
export function nameProblem(name: string): string | undefined {
  if (name in {}) return "JavaScript has a member of this name in every object";
  return /\p{Surrogate}/u.test(name) ? "no text in UTF-8 has this name" : undefined;
}

function discriminatorOf(pointer: string, schema: Readonly<Record<string, unknown>>): Union["discriminator"] {
  const { discriminator } = schema;
  if (!isObject(discriminator) || typeof discriminator["propertyName"] !== "string") return undefined;
  if (nameProblem(discriminator["propertyName"]) !== undefined) return undefined;
  return {
    pointer: `${pointer}/discriminator`,
    property: discriminator["propertyName"],
    mapping: discriminator["mapping"],
  };
}
