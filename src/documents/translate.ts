/** Translates the schemas of a document into those that touchstone judges by: each assertion owned by a clause, unions as conditions. */
import { checkedFormat } from "./check-value.ts";
import type { Section } from "./clauses.ts";
import { eitherOf, keyOf, type Node, type Union } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import { allowsType, type Demand, type Shape, type TypeName } from "./shape.ts";
import { type Choice, chooseObject, constantsOf, ofType } from "./tell-apart.ts";
import { entryOf, itemOf, kebab, memberOf, type Path } from "./words.ts";

export type Schema = Record<string, unknown>;

export interface Translator {
  /** Writes a schema file for a whole value. @returns its id */
  readonly root: (name: string, node: Node, path: Path) => string;
  /** The schema of one value, to stand within another. */
  readonly value: (node: Node, path: Path) => Schema;
}

interface TranslatorOptions {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
  readonly section: Section;
  /** Adds a schema file of this name; the id that others refer to it by. */
  readonly file: (name: string, content: Schema) => string;
  /** How the schemas of a component are named where it is the whole of a body; by pointer. */
  readonly rootPaths: ReadonlyMap<string, Path>;
}

/** What is decided about an object before its own schema is asked. */
interface Decided {
  /** Members whose values told it from others. */
  readonly members: readonly string[];
  /** A member that is known to be there. */
  readonly present?: string | undefined;
  /** What holds for it besides. */
  readonly base?: Shape | undefined;
}

const nothingDecided: Decided = { members: [] };

const arrayDemands = ["minItems", "maxItems", "uniqueItems"];
const objectDemands = ["minProperties", "maxProperties", "dependentRequired"];
const textDemands = ["minLength", "maxLength", "pattern", "format"];
const numberDemands = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/** Levels of schemas within each other that are translated. */
const maxDepth = 60;

export function createTranslator({ doc, shape, section, file, rootPaths }: TranslatorOptions): Translator {
  const shared = new Map<string, string>();
  let depth = 0;

  /** Writes an assertion and who owns it. */
  function assert(
    schema: Schema,
    path: Path,
    keyword: string,
    value: unknown,
    pointer: string,
    called = keyword,
  ): void {
    const owner = section.own(path, called, value, pointer);
    if (owner === undefined) return;
    schema[keyword] = value;
    schema["clause"] = { ...(schema["clause"] as object), [keyword]: owner };
  }

  const assertDemand = (schema: Schema, path: Path, { keyword, value, pointer }: Demand): void =>
    assert(schema, path, keyword, keyword === "format" ? checkedFormat(String(value)) : value, pointer);

  function value(node: Node, path: Path, typesAreKnown = false): Schema {
    const own = shape(node);
    const schema: Schema = {};
    const types = typesIn(own, shape);
    if (types && !typesAreKnown) assert(schema, path, "type", typeList(types.names), types.pointer);
    writeScalars(schema, own, path);
    for (const { keyword, pointer, reason } of own.opaque) section.leave(path, keyword, pointer, reason);
    writeContent(schema, node, path, nothingDecided);
    return schema;
  }

  function writeScalars(schema: Schema, { demands, nullable }: Shape, path: Path): void {
    const list = demands.get("const") ?? demands.get("enum");
    if (!list) {
      for (const keyword of [...textDemands, ...numberDemands])
        if (demands.has(keyword)) assertDemand(schema, path, demands.get(keyword)!);
      return;
    }
    const values = list.keyword === "const" ? [list.value] : (list.value as unknown[]);
    if (nullable && !values.includes(null)) assert(schema, path, "enum", [...values, null], list.pointer);
    else assertDemand(schema, path, list);
  }

  /** Writes what holds within objects and lists; of a schema with a name of its own into a file that others refer to. */
  function writeContent(schema: Schema, node: Node, path: Path, decided: Decided): void {
    const own = shape(node);
    if (!hasContent(own)) return;
    const name = nameOf(node);
    if (name === undefined || decided.base) {
      if (depth > maxDepth) {
        section.leave(path, "$ref", node.sources[0] ?? "", "it nests too deep");
        return;
      }
      depth++;
      writeInside(schema, own, path, decided);
      depth--;
      return;
    }
    const key = `${keyOf({ ...node, nullable: false })} ${decided.members.join(" ")} ${decided.present ?? ""}`;
    let id = shared.get(key);
    if (id === undefined) {
      const content: Schema = {};
      id = file(kebab(name), content);
      shared.set(key, id);
      const before = depth;
      depth = 0;
      writeInside(content, own, rootPaths.get(node.sources[0]!) ?? pathOfComponent(name), decided);
      depth = before;
    }
    schema["$ref"] = id;
  }

  function writeInside(schema: Schema, own: Shape, path: Path, decided: Decided): void {
    for (const keyword of [...arrayDemands, ...objectDemands])
      if (own.demands.has(keyword)) assertDemand(schema, path, own.demands.get(keyword)!);
    writeRequired(schema, own, path, decided);
    if (own.items) setUnlessEmpty(schema, "items", value(own.items, itemOf(path)));
    const properties: Record<string, Schema> = {};
    for (const [name, node] of own.properties) {
      const before = decided.base?.properties.get(name);
      if (decided.members.includes(name)) properties[name] = {};
      else
        properties[name] = value(node, memberOf(path, name), before !== undefined && shape(before).types !== undefined);
    }
    const isClosed = own.closed !== undefined && own.additional === undefined;
    if (isClosed) for (const name of namesBeside(own, decided)) properties[name] ??= {};
    if (Object.keys(properties).length > 0) schema["properties"] = properties;
    if (isClosed) assert(schema, path, "closed", true, own.closed!);
    if (own.patterns.size > 0)
      schema["patternProperties"] = Object.fromEntries(
        [...own.patterns].map(([pattern, node]) => [pattern, value(node, entryOf(path))]),
      );
    if (own.additional) setUnlessEmpty(schema, "additionalProperties", value(own.additional, entryOf(path)));
    if (own.names) setUnlessEmpty(schema, "propertyNames", value(own.names, entryOf(path), true));
    for (const union of own.unions) writeUnion(schema, own, union, path);
  }

  function writeRequired(schema: Schema, own: Shape, path: Path, { members, present, base }: Decided): void {
    const owners: Record<string, string> = {};
    for (const [name, { pointer, described }] of own.required) {
      if (members.includes(name) || name === present || base?.required.has(name)) continue;
      const isKnown = described || base?.properties.has(name) === true;
      if (!isKnown) doc.contradict(pointer, `It demands ${JSON.stringify(name)}, which nothing describes.`);
      const member = own.properties.get(name);
      // Its absence says as much as the null that it may be.
      const mayLack = member !== undefined && shape(member).nullable;
      const owner = section.own(path, "required", name, pointer, isKnown && !mayLack ? "must" : "should");
      if (owner !== undefined) owners[name] = owner;
    }
    if (Object.keys(owners).length === 0) return;
    schema["required"] = Object.keys(owners);
    schema["clause"] = { ...(schema["clause"] as object), required: owners };
  }

  /** Members that other schemas of the same object describe. */
  function namesBeside(own: Shape, { base }: Decided): string[] {
    const ofBranches = (one: Shape, depth = 0): string[] =>
      depth > 3
        ? []
        : one.unions.flatMap(({ nodes }) =>
            nodes.flatMap((node) => [...shape(node).properties.keys(), ...ofBranches(shape(node), depth + 1)]),
          );
    return [...(base?.properties.keys() ?? []), ...ofBranches(own)];
  }

  function writeUnion(schema: Schema, own: Shape, union: Union, path: Path): void {
    for (const type of ["string", "number", "boolean"] as const) writeScalarUnion(schema, union, type, path);
    const lists = ofType(union.nodes, "array", { doc, shape });
    if (lists.length > 0) writeListUnion(schema, union, lists, path);
    const objects = ofType(union.nodes, "object", { doc, shape });
    if (objects.length === 0) return;
    const choice = chooseObject(union, objects, { doc, shape });
    const base = own.properties.size > 0 || own.required.size > 0 ? own : undefined;
    writeChoice(schema, choice, union, path, base);
  }

  /** What strings, numbers or booleans of a union obey: everything one of the alternatives says, or that the value is listed in one. */
  function writeScalarUnion(schema: Schema, union: Union, type: TypeName, path: Path): void {
    const nodes = union.nodes.filter((node) => {
      const names = shape(node).types?.names ?? shape(node).implied;
      return names.has(type) || (type === "number" && names.has("integer"));
    });
    const keywords = ["const", "enum", ...(type === "string" ? textDemands : type === "number" ? numberDemands : [])];
    const said = nodes.map((node) => keywords.flatMap((keyword) => shape(node).demands.get(keyword) ?? []));
    const opaque = nodes.flatMap((node) => shape(node).opaque);
    for (const { keyword, pointer, reason } of opaque) section.leave(path, keyword, pointer, reason);
    if (said.length === 0 || opaque.length > 0 || said.some((demands) => demands.length === 0)) return;
    const then: Schema = {};
    if (said.every(([first]) => first!.keyword === "const" || first!.keyword === "enum")) {
      const values = said.flatMap(([first]) =>
        first!.keyword === "const" ? [first!.value] : (first!.value as unknown[]),
      );
      const [only] = said.length === 1 ? said[0]! : [];
      assert(then, path, "enum", [...new Set(values)], only?.pointer ?? union.pointer);
    } else if (said.length === 1) for (const demand of said[0]!) assertDemand(then, path, demand);
    else section.leave(path, "anyOf", union.pointer, `its alternatives for a ${type} follow different rules`);
    addPart(schema, { if: { type }, then });
  }

  /** What lists of a union obey: the weakest bounds, and items as one of the alternatives has them. */
  function writeListUnion(schema: Schema, union: Union, nodes: readonly Node[], path: Path): void {
    const shapes = nodes.map(shape);
    for (const [keyword, weakest] of [
      ["minItems", Math.min],
      ["maxItems", Math.max],
    ] as const) {
      const bounds = shapes.flatMap(({ demands }) => demands.get(keyword) ?? []);
      if (bounds.length < shapes.length) continue;
      const bound = weakest(...bounds.map((demand) => demand.value as number));
      assertDemand(schema, path, bounds.find((demand) => demand.value === bound)!);
    }
    if (shapes.every(({ demands }) => demands.has("uniqueItems")))
      assertDemand(schema, path, shapes[0]!.demands.get("uniqueItems")!);
    const items = shapes.flatMap((one) => one.items ?? []);
    if (items.length < shapes.length) return;
    const either = eitherOf(doc, items[0]?.sources[0] ?? union.pointer, items);
    if (either) setUnlessEmpty(schema, "items", value(either, itemOf(path)));
  }

  function writeChoice(schema: Schema, choice: Choice, union: Union, path: Path, base?: Shape): void {
    const at = union.discriminator?.pointer ?? union.pointer;
    if (choice.kind === "opaque") section.leave(path, union.pointer.split("/").at(-1)!, union.pointer, choice.reason);
    else if (choice.kind === "one")
      writeContent(schema, choice.node, pathOfChoice(path, choice), {
        members: choice.decided,
        present: choice.present,
        base,
      });
    else if (choice.kind === "required") {
      const members = choice.cases.map(({ member }) => member);
      const has = (names: readonly string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });
      if (!choice.otherwise) assert(schema, path, "either", members, union.pointer);
      for (const { member, choice: own } of choice.cases) {
        const others = members.filter((name) => name !== member);
        const only = others.length > 0 ? { not: has(others) } : {};
        addCase(schema, { required: [member], ...only }, own, union, path, base);
      }
      if (choice.otherwise) addCase(schema, { not: has(members) }, choice.otherwise, union, path, base);
    } else {
      const { member, cases, otherwise, absent } = choice;
      const all = cases.flatMap(({ values }) => values);
      if (!otherwise) {
        const own: Schema = { ...(schema["properties"] as Record<string, Schema> | undefined)?.[member] };
        if (!("enum" in own)) assert(own, memberOf(path, member), "enum", all, at);
        schema["properties"] = { ...(schema["properties"] as object), [member]: own };
        if (!absent && !base?.required.has(member)) {
          const owner = section.own(path, "required", member, at);
          const { required = [], clause = {} } = schema as { required?: string[]; clause?: { required?: object } };
          if (owner !== undefined) {
            schema["required"] = [...required, member];
            schema["clause"] = { ...clause, required: { ...clause.required, [member]: owner } };
          }
        }
      }
      for (const { values, choice: own } of cases) {
        const here = { required: [member], properties: { [member]: { enum: values } } };
        addCase(schema, here, own, union, path, base);
      }
      const other = { required: [member], properties: { [member]: { not: { enum: all } } } };
      if (otherwise)
        addCase(
          schema,
          absent ? other : { not: { required: [member], properties: { [member]: { enum: all } } } },
          otherwise,
          union,
          path,
          base,
        );
      if (absent) addCase(schema, { not: { required: [member] } }, absent, union, path, base);
    }
  }

  /** The path of what is in one alternative: its ids say which. */
  function pathOfChoice(path: Path, { node, decided }: Choice & { readonly kind: "one" }): Path {
    const constants = decided.flatMap((member) => constantsOf(node, member, { doc, shape })?.slice(0, 1) ?? []);
    return { ...path, steps: [...path.steps, ...constants.map(String)] };
  }

  function addCase(schema: Schema, condition: Schema, choice: Choice, union: Union, path: Path, base?: Shape): void {
    const then: Schema = {};
    writeChoice(then, choice, union, path, base);
    addPart(schema, { if: { type: "object", ...condition }, then });
  }

  return {
    value: (node, path) => value(node, path),
    root: (name, node, path) => file(name, value(node, path)),
  };
}

/** Adds a condition, unless nothing follows from it. */
function addPart(schema: Schema, part: { readonly if: Schema; readonly then: Schema }): void {
  if (Object.keys(part.then).length > 0) schema["allOf"] = [...((schema["allOf"] as unknown[]) ?? []), part];
}

function setUnlessEmpty(schema: Schema, keyword: string, value: Schema): void {
  if (Object.keys(value).length > 0) schema[keyword] = value;
}

/** The types that a node's own schemas and all of its unions allow. */
export function typesIn(own: Shape, shape: (node: Node) => Shape, depth = 0): Shape["types"] {
  let found = own.types;
  for (const { nodes, pointer } of own.unions) {
    const each = nodes.map((node) => (depth > 5 ? undefined : typesIn(shape(node), shape, depth + 1)));
    if (each.some((types) => types === undefined)) continue;
    const names = new Set(each.flatMap((types) => [...types!.names]));
    if (own.nullable) names.add("null");
    const both = found ? new Set([...names].filter((name) => allowsType(found!.names, name))) : names;
    if (!found || both.size < found.names.size) found = { names: both, pointer };
  }
  return found;
}

function typeList(names: ReadonlySet<TypeName>): TypeName | TypeName[] {
  const list = [...names].filter((name) => name !== "integer" || !names.has("number"));
  return list.length === 1 ? list[0]! : list;
}

const hasContent = ({
  properties,
  required,
  closed,
  additional,
  patterns,
  names,
  items,
  unions,
  demands,
}: Shape): boolean =>
  properties.size + required.size + patterns.size + unions.length > 0 ||
  [closed, additional, names, items].some((one) => one !== undefined) ||
  [...arrayDemands, ...objectDemands].some((keyword) => demands.has(keyword));

/** The name of a schema that has one of its own. */
function nameOf({ sources, either }: Node): string | undefined {
  if (sources.length !== 1 || either) return undefined;
  return /(?:^\/components\/schemas|\/\$defs|\/definitions)\/([^/]+)$/.exec(sources[0]!)?.[1];
}

const pathOfComponent = (name: string): Path => ({ steps: [kebab(name)], members: "", of: name, named: true });
