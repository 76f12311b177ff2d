/** What all schemas of a node say together: one list of demands, each with its place in the document. */
import { boundedPattern } from "../check/pattern.ts";
import { isObject } from "../wire/json.ts";
import { escapeToken } from "../wire/pointer.ts";
import { dropContradictory } from "./contradictory.ts";
import { dropContradictoryTexts } from "./contradictory-texts.ts";
import { type Demand, demandsOf, dropWeaker, merge, type Opaque, type Sample, samplesOf } from "./demands.ts";
import { allowsType, allTypes, intersect, speaksOf, type TypeName, typeOfValue } from "./json-types.ts";
import { type Flat, flatten, keyOf, maxAlternatives, type Node, nameProblem, nodeOf, type Union } from "./node.ts";
import { obeys } from "./obeys.ts";
import type { OpenApi } from "./openapi.ts";

export interface RequiredMember {
  readonly pointer: string;
  /** Whether the document says what the member is. */
  readonly described: boolean;
}

export interface Shape {
  readonly node: Node;
  readonly nullable: boolean;
  /** The types that are allowed, null among them where it is; undefined where no schema says. */
  readonly types: { readonly names: ReadonlySet<TypeName>; readonly pointer: string } | undefined;
  /** The types that its keywords speak about; every type where none does. */
  readonly implied: ReadonlySet<TypeName>;
  /** By keyword: enum, const, limits, pattern, format and the like. */
  readonly demands: ReadonlyMap<string, Demand>;
  readonly properties: ReadonlyMap<string, Node>;
  readonly required: ReadonlyMap<string, RequiredMember>;
  /** Members that only messages of the other direction may carry, and where the document says so. */
  readonly oneSided: ReadonlyMap<string, string>;
  /** Where other members are ruled out. */
  readonly closed: string | undefined;
  readonly additional: Node | undefined;
  readonly patterns: ReadonlyMap<string, Node>;
  readonly names: Node | undefined;
  readonly items: Node | undefined;
  readonly unions: readonly Union[];
  readonly opaque: readonly Opaque[];
  /** Examples and defaults that stand beside its keywords. */
  readonly samples: readonly Sample[];
}

/** Which side a schema is read for: what only the other one carries is not demanded. */
export type Direction = "request" | "response";

/** The shapes of one document for one direction. */
export interface Shapes {
  /** The shape of a node; each is read once. */
  readonly of: (node: Node) => Shape;
  /** Those that were asked for. */
  readonly all: () => readonly Shape[];
}

export function createShapes(doc: OpenApi, direction: Direction): Shapes {
  const shapes = new Map<string, Shape>();
  return {
    of(node) {
      const key = keyOf(node);
      let shape = shapes.get(key);
      if (!shape) shapes.set(key, (shape = shapeOf(doc, node, direction)));
      return shape;
    },
    all: () => [...shapes.values()],
  };
}

function shapeOf(doc: OpenApi, node: Node, direction: Direction): Shape {
  const flat = flatten(doc, node);
  const demands = new Map<string, Demand>();
  const opaque: Opaque[] = flat.never.map((pointer) => ({
    keyword: "not",
    pointer,
    reason: "it allows no value at all",
  }));
  for (const pointer of flat.tooMany)
    opaque.push({
      keyword: pointer.slice(pointer.lastIndexOf("/") + 1),
      pointer,
      reason: `it has more than ${maxAlternatives.toLocaleString("en")} alternatives`,
    });
  for (const { pointer } of flat.open) {
    const keyword = pointer.slice(pointer.lastIndexOf("/") + 1);
    opaque.push({ keyword, pointer, reason: "one of its alternatives allows everything", isHarmless: true });
  }
  if (flat.cut !== undefined)
    opaque.push({ keyword: "allOf", pointer: flat.cut, reason: "more schemas hold for it at once than are read" });
  for (const plain of flat.plain)
    for (const demand of demandsOf(doc, plain, opaque)) merge(doc, demands, demand, opaque);
  const types = typesOf(doc, flat);
  for (const keyword of demands.keys()) if (!maySpeak(types, keyword)) demands.delete(keyword);
  if (isTrivialStep(demands, types)) demands.delete("multipleOf");
  dropContradictory(doc, demands, types?.names, opaque);
  const samples = flat.plain.flatMap(samplesOf);
  dropContradictoryTexts(doc, demands, samples, opaque);
  const members = maySpeak(types, "required") ? membersOf(doc, flat, direction) : noMembers(doc, flat);
  const mentioned = new Set<TypeName>();
  for (const { schema } of flat.plain)
    for (const keyword of Object.keys(schema)) if (speaksOf[keyword]) mentioned.add(speaksOf[keyword]);
  for (const name of ["enum", "const"]) {
    const value = demands.get(name)?.value;
    for (const one of Array.isArray(value) ? value : demands.has(name) ? [value] : []) mentioned.add(typeOfValue(one));
  }
  if (flat.nullable && mentioned.size > 0) mentioned.add("null");
  dropWeaker(demands);
  dropDecided(demands, opaque);
  const pattern = demands.get("pattern");
  const rulesOutEmpty = demands.has("format") || (pattern && !boundedPattern(String(pattern.value)).test(""));
  // What a pattern or a format says along with itself is no demand of its own.
  if (rulesOutEmpty && demands.get("minLength")?.value === 1) demands.delete("minLength");
  const items = together(doc, flat, "items");
  const isEmpty = demands.get("maxItems")?.value === 0;
  if (items && isEmpty) {
    const { pointer } = demands.get("maxItems")!;
    opaque.push({ keyword: "items", pointer: items.sources[0] ?? pointer, reason: "it allows no item" });
  }
  dropTooManyMembers(doc, demands, members, flat, opaque);
  return {
    node,
    nullable: flat.nullable,
    types,
    implied: types?.names ?? (mentioned.size > 0 ? mentioned : new Set(allTypes)),
    demands,
    ...members,
    items: isEmpty ? undefined : items,
    unions: flat.unions,
    opaque: [...opaque, ...members.opaque],
    samples,
  };
}

/** The types that all schemas allow; null too where one says so, since others mostly forget it. */
function typesOf(doc: OpenApi, { plain, nullable }: Flat): Shape["types"] {
  let types: { names: Set<TypeName>; pointer: string } | undefined;
  for (const { pointer, schema } of plain) {
    const { type } = schema;
    if (type === undefined) continue;
    const names = new Set([type].flat().filter((one): one is TypeName => allTypes.includes(one as TypeName)));
    if (names.size === 0) {
      doc.contradict(`${pointer}/type`, `${JSON.stringify(type)} is no type.`);
      continue;
    }
    const both = types ? intersect(types.names, names) : names;
    if (both.size === 0) {
      doc.contradict(`${pointer}/type`, "No type is allowed by all schemas that hold for the value.");
      return undefined;
    }
    if (!types || both.size < types.names.size) types = { names: both, pointer: `${pointer}/type` };
  }
  if (types && nullable) types.names.add("null");
  return types;
}

/** A node of what stands under one keyword in several schemas. */
function together(doc: OpenApi, { plain }: Flat, keyword: string): Node | undefined {
  const pointers = plain
    .filter(({ schema }) => isSchema(schema[keyword]) && !(keyword === "items" && "prefixItems" in schema))
    .map(({ pointer }) => `${pointer}/${keyword}`);
  return pointers.length > 0 ? nodeOf(doc, pointers) : undefined;
}

/** Patterns for the names of members of one value: each name is tried against all of them. */
const maxPatterns = 100;
const tooManyPatterns = `more than ${maxPatterns} patterns of names hold for one value`;

const isSchema = (value: unknown): boolean => isObject(value) || value === true;

type Members = Pick<
  Shape,
  "properties" | "required" | "oneSided" | "closed" | "additional" | "patterns" | "names" | "opaque"
>;

function membersOf(doc: OpenApi, flat: Flat, direction: Direction): Members {
  const properties = new Map<string, string[]>();
  const patterns = new Map<string, string[]>();
  const opaque: Opaque[] = [];
  let closed: string | undefined;
  /** Whether a pattern of names is not read: a member may be one of those that it describes. */
  let isUnsure = false;
  for (const { pointer, schema } of flat.plain) {
    for (const name of namesIn(schema["properties"])) {
      const place = `${pointer}/properties/${escapeToken(name)}`;
      const problem = nameProblem(name);
      if (problem !== undefined) opaque.push({ keyword: "properties", pointer: place, reason: problem });
      else push(properties, name, place);
    }
    for (const name of namesIn(schema["patternProperties"])) {
      const place = `${pointer}/patternProperties/${escapeToken(name)}`;
      const reason =
        nameProblem(name) ??
        (patterns.size < maxPatterns || patterns.has(name) ? doc.problemOf(name) : tooManyPatterns);
      if (reason === undefined) push(patterns, name, place);
      else {
        isUnsure = true;
        opaque.push({ keyword: "patternProperties", pointer: place, reason });
      }
    }
    for (const keyword of ["additionalProperties", "unevaluatedProperties"])
      if (schema[keyword] === false) closed = `${pointer}/${keyword}`;
  }
  const nodes = new Map([...properties].map(([name, pointers]) => [name, nodeOf(doc, pointers)]));
  const oneSided = new Map<string, string>();
  const notDemanded = new Set<string>();
  for (const [name, pointers] of properties) {
    const place = oneSidedAt(doc, pointers, direction);
    if (place === undefined) continue;
    notDemanded.add(name);
    // JSON Schema lets requests carry what is read-only: servers may ignore it.
    if (direction === "request" && !doc.isOld) continue;
    oneSided.set(name, place);
    nodes.delete(name);
  }
  const required = new Map<string, RequiredMember>();
  const isOpen =
    patterns.size > 0 || isUnsure || flat.plain.some(({ schema }) => isObject(schema["additionalProperties"]));
  for (const { pointer, schema } of flat.plain) {
    const { required: names } = schema;
    if (!Array.isArray(names)) continue;
    for (const [i, name] of names.entries()) {
      if (typeof name !== "string" || required.has(name)) continue;
      const problem = nameProblem(name);
      if (problem !== undefined) {
        opaque.push({ keyword: "required", pointer: `${pointer}/required/${i}`, reason: problem });
        continue;
      }
      if (notDemanded.has(name)) continue;
      const described = nodes.has(name) || isOpen || flat.unions.length > 0;
      required.set(name, { pointer: `${pointer}/required/${i}`, described });
    }
  }
  return {
    properties: nodes,
    required,
    oneSided,
    closed: patterns.size > 0 || isUnsure ? undefined : closed,
    additional: isUnsure ? undefined : together(doc, flat, "additionalProperties"),
    patterns: new Map([...patterns].map(([name, pointers]) => [name, nodeOf(doc, pointers)])),
    names: together(doc, flat, "propertyNames"),
    opaque,
  };
}

const namesIn = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);

function push(lists: Map<string, string[]>, name: string, pointer: string): void {
  const list = lists.get(name);
  if (list) list.push(pointer);
  else lists.set(name, [pointer]);
}

/** Whether a keyword says anything about values of these types. */
function maySpeak(types: Shape["types"], keyword: string): boolean {
  const type = speaksOf[keyword];
  if (!types || type === undefined) return true;
  return types.names.has(type) || (type === "number" && types.names.has("integer"));
}

/** Removes demands on strings and numbers next to an enum or const, which decides alone. */
function dropDecided(demands: Map<string, Demand>, opaque: Opaque[]): void {
  const list = demands.get("const") ?? demands.get("enum");
  if (!list) return;
  for (const [keyword, { pointer }] of demands) {
    if (keyword === list.keyword || !["string", "number"].includes(speaksOf[keyword] ?? "string")) continue;
    if (keyword === "enum" || keyword === "dependentRequired") continue;
    demands.delete(keyword);
    opaque.push({ keyword, pointer, reason: "the values that are listed beside it decide", isHarmless: true });
  }
}

/** Takes out a least number of members that is above that of all members that may be there. */
function dropTooManyMembers(
  doc: OpenApi,
  demands: Map<string, Demand>,
  { closed, properties, oneSided, additional }: Members,
  { unions }: Flat,
  opaque: Opaque[],
): void {
  const least = demands.get("minProperties");
  if (!least || closed === undefined || additional || unions.length > 0) return;
  const count = new Set([...properties.keys(), ...oneSided.keys()]).size;
  if ((least.value as number) <= count) return;
  demands.delete("minProperties");
  doc.contradict(least.pointer, `No value obeys it: it describes ${count} members, and allows no others.`);
  opaque.push({ keyword: "minProperties", pointer: least.pointer, reason: "more members than it allows" });
}

/** Whether every whole number is a multiple of the step, where only whole ones may be. */
function isTrivialStep(demands: ReadonlyMap<string, Demand>, types: Shape["types"]): boolean {
  const step = demands.get("multipleOf")?.value as number | undefined;
  return (
    step !== undefined &&
    types?.names.has("integer") === true &&
    !types.names.has("number") &&
    Number.isInteger(1 / step)
  );
}

/** The members of a value that is no object: none. A document that requires some contradicts itself. */
function noMembers(doc: OpenApi, { plain }: Flat): Members {
  for (const { pointer, schema } of plain)
    if (Array.isArray(schema["required"]))
      doc.contradict(`${pointer}/required`, "It requires members, but its type is no object.");
  const none = { closed: undefined, additional: undefined, names: undefined };
  return { properties: new Map(), required: new Map(), oneSided: new Map(), patterns: new Map(), opaque: [], ...none };
}

/** Where a member is limited to messages of the other direction, beside a reference to its schema or in it; undefined where it is not. */
function oneSidedAt(doc: OpenApi, pointers: readonly string[], direction: Direction): string | undefined {
  const keyword = direction === "request" ? "readOnly" : "writeOnly";
  const places = [...pointers, ...nodeOf(doc, pointers).sources];
  const found = places.find((place) => {
    const schema = doc.at(place);
    return isObject(schema) && schema[keyword] === true;
  });
  return found === undefined ? undefined : `${found}/${keyword}`;
}

/** The types of shapes whose unions were gone through; undefined also while they are. */
const typesOfShapes = new WeakMap<Shape, Shape["types"]>();

/** The types that a node's own schemas and all of its unions allow. */
export function typesIn(own: Shape, shape: (node: Node) => Shape): Shape["types"] {
  if (own.unions.length === 0) return own.types;
  if (typesOfShapes.has(own)) return typesOfShapes.get(own);
  // A union within itself says nothing more than its other alternatives.
  typesOfShapes.set(own, own.types);
  let found = own.types;
  for (const { nodes, pointer } of own.unions) {
    const each = nodes.map((node) => typesIn(shape(node), shape));
    if (each.some((types) => types === undefined)) continue;
    const names = new Set(each.flatMap((types) => [...types!.names]));
    if (own.nullable) names.add("null");
    const both = found ? new Set([...names].filter((name) => allowsType(found!.names, name))) : names;
    if (!found || both.size < found.names.size) found = { names: both, pointer };
  }
  typesOfShapes.set(own, found);
  return found;
}

/** Whether the types or the listed values of a shape exclude a value. */
export function isRuledOut(value: unknown, own: Shape, shape: (node: Node) => Shape): boolean {
  const types = typesIn(own, shape);
  if (types && !allowsType(types.names, typeOfValue(value))) return true;
  const list = own.demands.get("const") ?? own.demands.get("enum");
  return list !== undefined && !obeys(value, list);
}
