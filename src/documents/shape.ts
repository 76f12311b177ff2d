/** What all schemas of a node say together: one list of demands, each with its place in the document. */
import { isObject } from "../wire/json.ts";
import { escapeToken } from "../wire/pointer.ts";
import { isKnownFormat, isPlainFormat } from "./format-names.ts";
import { type Flat, flatten, isAnnotation, keyOf, type Node, nodeOf, type Plain, type Union } from "./node.ts";
import type { OpenApi } from "./openapi.ts";

export type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** A keyword's value and where it stands, the keyword included. */
export interface Demand {
  readonly keyword: string;
  readonly value: unknown;
  readonly pointer: string;
}

export interface RequiredMember {
  readonly pointer: string;
  /** Whether the document says what the member is. */
  readonly described: boolean;
}

/** A keyword that cannot be decided, and why. */
export interface Opaque {
  readonly keyword: string;
  readonly pointer: string;
  readonly reason: string;
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
  /** Where other members are ruled out. */
  readonly closed: string | undefined;
  readonly additional: Node | undefined;
  readonly patterns: ReadonlyMap<string, Node>;
  readonly names: Node | undefined;
  readonly items: Node | undefined;
  readonly unions: readonly Union[];
  readonly opaque: readonly Opaque[];
  /** Examples and defaults that stand beside its keywords. */
  readonly samples: readonly Demand[];
}

/** Which side a schema is read for: what only the other one carries is not demanded. */
export type Direction = "request" | "response";

export const allTypes: readonly TypeName[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Types by the keywords that speak about them alone. */
const speaksOf: Readonly<Record<string, TypeName>> = {
  properties: "object",
  required: "object",
  additionalProperties: "object",
  patternProperties: "object",
  minProperties: "object",
  maxProperties: "object",
  items: "array",
  minItems: "array",
  maxItems: "array",
  uniqueItems: "array",
  minLength: "string",
  maxLength: "string",
  pattern: "string",
  minimum: "number",
  maximum: "number",
  multipleOf: "number",
};

export const typeOfValue = (value: unknown): TypeName =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "array"
      : typeof value === "number"
        ? Number.isInteger(value)
          ? "integer"
          : "number"
        : (typeof value as TypeName);

export const allowsType = (names: ReadonlySet<TypeName>, type: TypeName): boolean =>
  names.has(type) || (type === "integer" && names.has("number"));

function intersect(a: ReadonlySet<TypeName>, b: ReadonlySet<TypeName>): Set<TypeName> {
  const both = [...a].filter((type) => allowsType(b, type));
  return new Set([...both, ...[...b].filter((type) => allowsType(a, type))]);
}

/** Keywords of which the stricter one counts, and whether that is the larger. */
const limits: Readonly<Record<string, "larger" | "smaller">> = {
  minimum: "larger",
  exclusiveMinimum: "larger",
  minLength: "larger",
  minItems: "larger",
  minProperties: "larger",
  maximum: "smaller",
  exclusiveMaximum: "smaller",
  maxLength: "smaller",
  maxItems: "smaller",
  maxProperties: "smaller",
};

const counts = /Length|Items|Properties/;

/** Characters of a text, and items of a list, beyond which a limit costs too much to be proven. */
const maxTriedLength = 600_000;
const maxTriedCount = 10_000;

/** Keywords that are read below, or by `flatten`. */
const known = new Set(
  `$ref allOf anyOf oneOf type nullable enum const properties required additionalProperties unevaluatedProperties items
  patternProperties propertyNames pattern format uniqueItems multipleOf dependentRequired $defs definitions discriminator`
    .split(/\s+/)
    .concat(Object.keys(limits)),
);

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
  for (const plain of flat.plain) for (const demand of demandsOf(doc, plain, opaque)) merge(doc, demands, demand);
  const types = typesOf(doc, flat);
  const members = membersOf(doc, flat, direction);
  const mentioned = new Set<TypeName>();
  for (const { schema } of flat.plain)
    for (const keyword of Object.keys(schema)) if (speaksOf[keyword]) mentioned.add(speaksOf[keyword]);
  for (const name of ["enum", "const"]) {
    const value = demands.get(name)?.value;
    for (const one of Array.isArray(value) ? value : demands.has(name) ? [value] : []) mentioned.add(typeOfValue(one));
  }
  if (flat.nullable && mentioned.size > 0) mentioned.add("null");
  dropWeaker(demands);
  const pattern = demands.get("pattern");
  // What a pattern says along with itself is no demand of its own.
  if (pattern && demands.get("minLength")?.value === 1 && !new RegExp(String(pattern.value), "u").test(""))
    demands.delete("minLength");
  return {
    node,
    nullable: flat.nullable,
    types,
    implied: types?.names ?? (mentioned.size > 0 ? mentioned : new Set(allTypes)),
    demands,
    ...members,
    items: together(doc, flat, "items"),
    unions: flat.unions,
    opaque: [...opaque, ...members.opaque],
    samples: flat.plain.flatMap(samplesOf),
  };
}

/** Of two limits on one side only the stricter is a demand of its own. */
function dropWeaker(demands: Map<string, Demand>): void {
  for (const [inclusive, exclusive, sign] of [
    ["minimum", "exclusiveMinimum", 1],
    ["maximum", "exclusiveMaximum", -1],
  ] as const) {
    const [a, b] = [demands.get(inclusive), demands.get(exclusive)];
    if (!a || !b) continue;
    demands.delete(sign * (a.value as number) > sign * (b.value as number) ? exclusive : inclusive);
  }
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

function* demandsOf(doc: OpenApi, { pointer, schema }: Plain, opaque: Opaque[]): Generator<Demand> {
  const own = (keyword: string, value: unknown, at = keyword): Demand => ({
    keyword,
    value,
    pointer: `${pointer}/${at}`,
  });
  const refuse = (keyword: string, reason: string): void =>
    void opaque.push({ keyword, pointer: `${pointer}/${keyword}`, reason });
  for (const [keyword, value] of Object.entries(schema)) {
    if (isAnnotation(keyword) || keyword.startsWith("$")) continue;
    if (keyword === "enum") {
      if (Array.isArray(value) && value.length > 0) yield own("enum", value);
      else doc.contradict(`${pointer}/enum`, "It lists no value, so that nothing can be valid.");
    } else if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER)
      refuse(keyword, "numbers of this size are not read to the last digit");
    else if (keyword === "const") yield own("const", value);
    else if (keyword === "minimum" || keyword === "maximum") {
      if (typeof value !== "number") continue;
      const exclusive = keyword === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
      yield schema[exclusive] === true ? own(exclusive, value, keyword) : own(keyword, value);
    } else if (keyword in limits) {
      if (typeof value !== "number") continue;
      if (counts.test(keyword) && (!Number.isInteger(value) || value < 0))
        doc.contradict(`${pointer}/${keyword}`, `${value} is no count.`);
      else if (value > (keyword.endsWith("Length") ? maxTriedLength : maxTriedCount))
        refuse(keyword, "a limit of this size is not tried");
      // A minimum of none forbids nothing.
      else if (!counts.test(keyword) || value > 0 || keyword.startsWith("max")) yield own(keyword, value);
    } else if (keyword === "multipleOf") {
      if (typeof value === "number" && value > 0) yield own(keyword, value);
    } else if (keyword === "uniqueItems") {
      if (value === true) yield own(keyword, true);
    } else if (keyword === "pattern") {
      const problem = patternProblem(value);
      if (problem === undefined) yield own(keyword, value);
      else refuse(keyword, problem);
    } else if (keyword === "format") {
      if (typeof value !== "string" || isPlainFormat(value)) continue;
      if (isKnownFormat(value)) yield own(keyword, value);
      else refuse(keyword, `format ${JSON.stringify(value)} is not one that is known`);
    } else if (keyword === "dependentRequired") {
      if (isObject(value)) yield own(keyword, value);
    } else if (!known.has(keyword)) refuse(keyword, `${keyword} is not read`);
  }
}

/** Why a pattern cannot be used; undefined where it can. */
function patternProblem(pattern: unknown): string | undefined {
  if (typeof pattern !== "string") return "the pattern is no text";
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch {
    return "the pattern is no regular expression as JSON Schema has them";
  }
}

/** Adds a demand to those of the same keyword: the stricter one counts. */
function merge(doc: OpenApi, demands: Map<string, Demand>, demand: Demand): void {
  const { keyword, value, pointer } = demand;
  const before = demands.get(keyword);
  const which = limits[keyword];
  if (!before) demands.set(keyword, demand);
  else if (which) {
    const stricter = which === "larger" ? Math.max : Math.min;
    if (stricter(value as number, before.value as number) !== before.value) demands.set(keyword, demand);
  } else if (keyword === "enum") {
    const texts = new Set((value as unknown[]).map((one) => JSON.stringify(one)));
    const both = (before.value as unknown[]).filter((one) => texts.has(JSON.stringify(one)));
    if (both.length === 0) doc.contradict(pointer, "No value is allowed by all lists that hold here.");
    else if (both.length < (before.value as unknown[]).length) demands.set(keyword, { keyword, value: both, pointer });
  }
}

/** A node of what stands under one keyword in several schemas. */
function together(doc: OpenApi, { plain }: Flat, keyword: string): Node | undefined {
  const pointers = plain
    .filter(({ schema }) => isSchema(schema[keyword]))
    .map(({ pointer }) => `${pointer}/${keyword}`);
  return pointers.length > 0 ? nodeOf(doc, pointers) : undefined;
}

const isSchema = (value: unknown): boolean => isObject(value) || value === true;

type Members = Pick<Shape, "properties" | "required" | "closed" | "additional" | "patterns" | "names" | "opaque">;

function membersOf(doc: OpenApi, flat: Flat, direction: Direction): Members {
  const properties = new Map<string, string[]>();
  const patterns = new Map<string, string[]>();
  const opaque: Opaque[] = [];
  let closed: string | undefined;
  for (const { pointer, schema } of flat.plain) {
    for (const name of namesIn(schema["properties"]))
      push(properties, name, `${pointer}/properties/${escapeToken(name)}`);
    for (const name of namesIn(schema["patternProperties"])) {
      const place = `${pointer}/patternProperties/${escapeToken(name)}`;
      const reason = patternProblem(name);
      if (reason === undefined) push(patterns, name, place);
      else opaque.push({ keyword: "patternProperties", pointer: place, reason });
    }
    for (const keyword of ["additionalProperties", "unevaluatedProperties"])
      if (schema[keyword] === false) closed = `${pointer}/${keyword}`;
  }
  const nodes = new Map([...properties].map(([name, pointers]) => [name, nodeOf(doc, pointers)]));
  const required = new Map<string, RequiredMember>();
  const isOpen = patterns.size > 0 || flat.plain.some(({ schema }) => isObject(schema["additionalProperties"]));
  for (const { pointer, schema } of flat.plain) {
    const { required: names } = schema;
    if (!Array.isArray(names)) continue;
    for (const [i, name] of names.entries()) {
      if (typeof name !== "string" || required.has(name)) continue;
      const node = nodes.get(name);
      if (node && isOneSided(doc, node, direction)) continue;
      const described = node !== undefined || isOpen || flat.unions.length > 0;
      required.set(name, { pointer: `${pointer}/required/${i}`, described });
    }
  }
  return {
    properties: nodes,
    required,
    closed: patterns.size > 0 ? undefined : closed,
    additional: together(doc, flat, "additionalProperties"),
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

/** Whether a member stands in the messages of the other direction alone. */
function isOneSided(doc: OpenApi, node: Node, direction: Direction): boolean {
  const keyword = direction === "request" ? "readOnly" : "writeOnly";
  return node.sources.some((source) => {
    const schema = doc.at(source);
    return isObject(schema) && schema[keyword] === true;
  });
}

function samplesOf({ pointer, schema }: Plain): Demand[] {
  const { example, examples, default: fallback } = schema;
  const own = (keyword: string, value: unknown, at = keyword): Demand => ({
    keyword,
    value,
    pointer: `${pointer}/${at}`,
  });
  return [
    ...(example === undefined ? [] : [own("example", example)]),
    ...(Array.isArray(examples) ? examples.map((value, i) => own("examples", value, `examples/${i}`)) : []),
    ...(fallback === undefined || fallback === null ? [] : [own("default", fallback)]),
  ];
}
