/** Translates the schemas of a document into those that touchstone judges by: each assertion owned by a clause, unions as conditions. */
import { allowsAll, whyCannotFail } from "./cannot-fail.ts";
import { type Schema, type Section, sectionOfAlternatives } from "./clauses.ts";
import type { Demand } from "./demands.ts";
import type { TypeName } from "./json-types.ts";
import { keyOf, type Node } from "./node.ts";
import { checkedFormat } from "./obeys.ts";
import type { OpenApi } from "./openapi.ts";
import { type Shape, typesIn } from "./shape.ts";
import { redacted } from "./text-values.ts";
import { createUnionWriter, type Decided, numberDemands, setUnlessEmpty, textDemands } from "./unions.ts";
import { entryOf, itemOf, kebab, memberOf, type Path, pathOfPointer } from "./words.ts";

export interface Translator {
  /** Writes a schema file for a whole value. @returns its id */
  readonly root: (name: string, node: Node, path: Path, known?: Known) => string;
  /** The schema of one value, to stand within another. */
  readonly value: (node: Node, path: Path, known?: Known) => Schema;
  /** Writes the schema file of an alternative. @param base what holds for the object besides @returns its id */
  readonly alternative: (node: Node, path: Path, base: Shape | undefined) => string;
}

/** What need not be said of a value, since it cannot be otherwise. */
export interface Known {
  /** Its type. */
  readonly types?: boolean;
  /** That it is no empty text. */
  readonly isNotEmpty?: boolean;
}

interface TranslatorOptions {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
  readonly section: Section;
  /** Adds a schema file of this name; the id that others refer to it by. */
  readonly file: (name: string, content: Schema) => string;
  /** How the schemas of a component are named where it is the whole of a body; by pointer. */
  readonly rootPaths: ReadonlyMap<string, Path>;
  /** Values are read from the texts of a form: what no text can violate is not said. */
  readonly ofTexts?: true;
  /** No text within lists and objects is empty: what an empty one stands for is unknown. */
  readonly isNeverEmpty?: true;
  /** Writes the schemas of members, where they are read in another way than the object. */
  readonly member?: Translator["value"];
  /** The objects are whole forms: their alternatives are not told apart. */
  readonly ofForm?: {
    /** Whether the members of an object in this field are fields of the form. */
    readonly isSpread: (name: string) => boolean;
    /** Why no form can carry a member of this name; undefined if it can. */
    readonly problemOf: (name: string) => string | undefined;
  };
}

const nothingDecided: Decided = { members: [] };

const arrayDemands = ["minItems", "maxItems", "uniqueItems"];
const objectDemands = ["minProperties", "maxProperties", "dependentRequired"];
/** Schemas within each other that are written while the outer ones wait; more wait in a list, so that no chain is too long. */
const maxDepth = 100;
/** Alternatives that are written beside what all of them share: unions within unions multiply them. */
const maxBesides = 5_000;

export function createTranslator(options: TranslatorOptions): Translator {
  const { doc, shape, section, file, rootPaths, ofTexts, ofForm } = options;
  const within: Known = options.isNeverEmpty ? { isNotEmpty: true } : {};
  const shared = new Map<string, string>();
  const inline = new Set<string>();
  let depth = 0;
  let besides = 0;
  const waiting: (() => void)[] = [];
  const alternatives = new Map<string, string>();
  const alternativesWaiting: (() => void)[] = [];
  let isWritingAlternatives = false;
  let ofAlternatives: Translator | undefined;

  /** Writes an assertion and who owns it. */
  function assert(schema: Schema, path: Path, keyword: string, value: unknown, pointer: string, member?: string): void {
    if (section.assign(schema, keyword, path, keyword, value, pointer, "must", member)) schema[keyword] = value;
  }

  const assertDemand = (schema: Schema, path: Path, { keyword, value, pointer }: Demand): void =>
    assert(schema, path, keyword, keyword === "format" ? checkedFormat(String(value)) : value, pointer);

  /** Writes a demand, unless it cannot be violated by itself. */
  function assertUnlessVain(schema: Schema, path: Path, demand: Demand, own: Shape): void {
    const why = whyCannotFail(demand, own, { doc, shape });
    if (why === undefined) assertDemand(schema, path, demand);
    else section.leave(path, demand.keyword, demand.pointer, why);
  }

  function value(node: Node, path: Path, known: Known = {}, decided = nothingDecided): Schema {
    const own = shape(node);
    const schema: Schema = {};
    const types = typesIn(own, shape);
    // A text is a string, and a list of one.
    const isSure = known.types || (ofTexts && (types?.names.has("string") || types?.names.has("array")));
    if (types && allowsAll(types.names)) section.leave(path, "type", types.pointer, "it lists every type");
    else if (types && !isSure) assert(schema, path, "type", typeList(types.names), types.pointer);
    writeScalars(schema, own, path, known);
    // OpenAPI 3.0 documents often omit `nullable`. Since 3.1 null is a type like any other.
    if (!doc.isOld && "clause" in schema && !types?.names.has("null")) schema["notNull"] = true;
    for (const { keyword, pointer, reason } of own.opaque) section.leave(path, keyword, pointer, reason);
    if (ofTexts && types && isAmbiguous(own, types.names))
      for (const { pointer } of own.unions)
        section.leave(path, lastOf(pointer), pointer, "a text may stand for several");
    else if (!listsWhole(own)) writeContent(schema, node, path, decided);
    return ofTexts ? whereKnown(schema) : schema;
  }

  function writeScalars(schema: Schema, own: Shape, path: Path, { isNotEmpty }: Known): void {
    const { demands, nullable } = own;
    const list = demands.get("const") ?? demands.get("enum");
    if (!list) {
      for (const demand of [...textDemands, ...numberDemands].flatMap((keyword) => demands.get(keyword) ?? []))
        if (!(isNotEmpty && demand.keyword === "minLength" && demand.value === 1)) assertDemand(schema, path, demand);
      return;
    }
    const values = list.keyword === "const" ? [list.value] : (list.value as unknown[]);
    if (nullable && !values.includes(null) && !whyCannotFail(list, own, { doc, shape }))
      assert(schema, path, "enum", [...values, null], list.pointer);
    else assertUnlessVain(schema, path, list, own);
  }

  /** Writes what holds within objects and lists; of a schema with a name of its own into a file that others refer to. */
  function writeContent(schema: Schema, node: Node, path: Path, decided: Decided): void {
    const own = shape(node);
    if (!hasContent(own)) return;
    const key = `${keyOf({ ...node, nullable: false })} ${decided.members.join(" ")} ${decided.present ?? ""} ${decided.open ?? ""}`;
    const name = nameOf(node);
    // A schema that comes again has a file as well, so that each is written twice at most, however many ways lead to it.
    if (decided.base || (name === undefined && depth <= maxDepth && !inline.has(key))) {
      if (depth > maxDepth || (decided.base && besides++ > maxBesides)) {
        section.leave(path, "$ref", node.sources[0] ?? "", "it nests too deep");
        return;
      }
      if (!decided.base) inline.add(key);
      depth++;
      writeInside(schema, own, path, decided);
      depth--;
      return;
    }
    let id = shared.get(key);
    if (id === undefined) {
      const content: Schema = {};
      id = file(name === undefined ? nameIn(path) : kebab(name), content);
      shared.set(key, id);
      const isDeep = depth > maxDepth;
      const write = (): void => {
        const [place = ""] = node.sources;
        const named = name === undefined ? pathOfPointer(place) : (rootPaths.get(place) ?? pathOfComponent(name));
        depth++;
        writeInside(content, own, named ?? path, decided);
        depth--;
      };
      if (isDeep) waiting.push(write);
      else write();
    }
    schema["$ref"] = id;
  }

  function writeInside(schema: Schema, own: Shape, path: Path, decided: Decided): void {
    // No part stands for an empty list.
    for (const demand of [...arrayDemands, ...objectDemands].flatMap((keyword) => own.demands.get(keyword) ?? []))
      if (!(ofTexts && demand.keyword === "minItems" && demand.value === 1))
        assertUnlessVain(schema, path, demand, own);
    writeRequired(schema, own, path, decided);
    if (own.items) setUnlessEmpty(schema, "items", value(own.items, itemOf(path), within));
    const properties: Record<string, Schema> = {};
    for (const [name, node] of own.properties) {
      const before = decided.base?.properties.get(name);
      if (decided.members.includes(name) && name !== decided.open) properties[name] = {};
      else
        properties[name] = member(node, memberOf(path, name), {
          types: name === decided.open || (before !== undefined && shape(before).types !== undefined),
          ...within,
        });
    }
    for (const [name, pointer] of own.oneSided) {
      properties[name] = {};
      if (!ofForm) writeOneSided(schema, name, memberOf(path, name), pointer);
    }
    const isSpread = ofForm && [...own.properties.keys()].some(ofForm.isSpread);
    const isClosed = own.closed !== undefined && own.additional === undefined && !isSpread;
    if (isClosed) for (const name of namesBeside(own, decided)) properties[name] ??= {};
    if (Object.keys(properties).length > 0) schema["properties"] = properties;
    if (isClosed) assert(schema, path, "closed", true, own.closed!);
    if (own.patterns.size > 0)
      schema["patternProperties"] = Object.fromEntries(
        [...own.patterns].map(([pattern, node]) => [pattern, member(node, entryOf(path), within)]),
      );
    if (own.additional) setUnlessEmpty(schema, "additionalProperties", member(own.additional, entryOf(path), within));
    if (own.names) setUnlessEmpty(schema, "propertyNames", value(own.names, entryOf(path), { types: true }));
    for (const union of own.unions)
      if (ofForm)
        section.leave(path, lastOf(union.pointer), union.pointer, "alternatives of a form are not told apart");
      else writeUnion(schema, own, union, path, decided.within);
  }

  function writeOneSided(schema: Schema, name: string, path: Path, pointer: string): void {
    const part: Schema = { not: { required: [name] } };
    if (section.assign(part, "not", path, lastOf(pointer), name, pointer, "should"))
      ((schema["allOf"] ??= []) as unknown[]).push(part);
  }

  function writeRequired(schema: Schema, own: Shape, path: Path, { members, present, base }: Decided): void {
    for (const [name, { pointer, described }] of own.required) {
      if (members.includes(name) || name === present || base?.required.has(name)) continue;
      const problem = ofForm?.problemOf(name);
      if (problem !== undefined) {
        section.leave(memberOf(path, name), "required", pointer, problem);
        continue;
      }
      if (ofForm?.isSpread(name)) {
        section.leave(memberOf(path, name), "required", pointer, "its members are fields of the form");
        continue;
      }
      if (options.isNeverEmpty && own.properties.size < 2) {
        section.leave(memberOf(path, name), "required", pointer, "an object without members is sent as nothing");
        continue;
      }
      const isKnown = described || base?.properties.has(name) === true;
      if (!isKnown) doc.contradict(pointer, `It demands ${JSON.stringify(name)}, which nothing describes.`);
      const member = own.properties.get(name);
      // The absence of a nullable member says as much as null, as documents of OpenAPI 3.0 mostly mean it.
      const mayLack = doc.isOld && member !== undefined && shape(member).nullable;
      section.assign(schema, "required", path, "required", name, pointer, isKnown && !mayLack ? "must" : "should");
    }
  }

  /** Members that other schemas of the same object describe. */
  function namesBeside(own: Shape, { base }: Decided): string[] {
    const names = [...(base?.properties.keys() ?? [])];
    const seen = new Set([own]);
    // A set takes what is added while it is gone through.
    for (const one of seen)
      for (const node of one.unions.flatMap(({ nodes }) => nodes)) {
        names.push(...shape(node).properties.keys());
        seen.add(shape(node));
      }
    return names;
  }

  /** Alternatives are written one after the other: one may lead to the next, and back to the first. */
  function alternative(node: Node, path: Path, base: Shape | undefined): string {
    const key = `${keyOf(node)} ${base ? keyOf(base.node) : ""}`;
    let id = alternatives.get(key);
    if (id !== undefined) return id;
    const content: Schema = {};
    id = file(`${kebab(nameOf(node) ?? nameIn(path))}-alternative`, content);
    alternatives.set(key, id);
    alternativesWaiting.push(() => Object.assign(content, value(node, path, {}, base && { members: [], base })));
    if (isWritingAlternatives) return id;
    isWritingAlternatives = true;
    for (let write = alternativesWaiting.pop(); write; write = alternativesWaiting.pop()) write();
    for (let write = waiting.pop(); write; write = waiting.pop()) {
      depth = 0;
      write();
    }
    isWritingAlternatives = false;
    return id;
  }

  const writeUnion = createUnionWriter({
    doc,
    shape,
    section,
    assert,
    assertDemand,
    value: (node, path) => value(node, path),
    writeContent,
    alternative: (node, path, base) => {
      if (section === sectionOfAlternatives) return alternative(node, path, base);
      ofAlternatives ??= createTranslator({ ...options, section: sectionOfAlternatives });
      return ofAlternatives.alternative(node, path, base);
    },
    ofTexts,
  });

  const { member = value } = options;

  return {
    value,
    alternative,
    root(name, node, path, known) {
      const id = file(name, value(node, path, known));
      for (let write = waiting.pop(); write; write = waiting.pop()) {
        depth = 0;
        write();
      }
      return id;
    },
  };
}

/** What is not judged: a value of which redaction left a part, and a file. */
const unknown: Schema = {
  anyOf: [redacted, { type: "object", required: ["file"], properties: { file: { const: true } } }],
};
const whereKnown = (schema: Schema): Schema =>
  Object.keys(schema).length === 0 ? schema : { if: unknown, else: schema };

/** Whether a text may stand for alternatives of several types. */
const isAmbiguous = ({ unions }: Shape, names: ReadonlySet<TypeName>): boolean =>
  unions.length > 0 &&
  names.has("string") &&
  ["integer", "number", "boolean"].some((one) => names.has(one as TypeName));

/** Whether objects or lists are listed as they are: nothing more is to be said of what is in them. */
function listsWhole({ demands }: Shape): boolean {
  const list = demands.get("const") ?? demands.get("enum");
  return [list?.value].flat().some((value) => typeof value === "object" && value !== null);
}

const lastOf = (pointer: string): string => pointer.slice(pointer.lastIndexOf("/") + 1);

function typeList(names: ReadonlySet<TypeName>): TypeName | TypeName[] {
  const list = [...names].filter((name) => name !== "integer" || !names.has("number"));
  return list.length === 1 ? list[0]! : list;
}

const hasContent = ({
  properties,
  required,
  oneSided,
  closed,
  additional,
  patterns,
  names,
  items,
  unions,
  demands,
}: Shape): boolean =>
  properties.size + required.size + oneSided.size + patterns.size + unions.length > 0 ||
  [closed, additional, names, items].some((one) => one !== undefined) ||
  [...arrayDemands, ...objectDemands].some((keyword) => demands.has(keyword));

/** The name of a schema that has one of its own. */
function nameOf({ sources, either }: Node): string | undefined {
  if (sources.length !== 1 || either) return undefined;
  return /(?:^\/components\/schemas|\/\$defs|\/definitions)\/([^/]+)$/.exec(sources[0]!)?.[1];
}

/** What the file of a schema without a name is named after. */
const nameIn = ({ steps }: Path): string => steps.slice(-2).map(kebab).join("-");

const pathOfComponent = (name: string): Path => ({ steps: [kebab(name)], members: "", of: name, named: true });
