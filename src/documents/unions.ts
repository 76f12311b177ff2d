/** Writes the schema of a union: conditions on the member that selects an alternative, or nothing if no member does. */
import type { Spoil } from "../check/schema.ts";
import { whyCannotFail } from "./cannot-fail.ts";
import type { Schema, Section } from "./clauses.ts";
import type { Demand } from "./demands.ts";
import { objectFittingNone, scalarFittingNone } from "./fits-none.ts";
import { eitherOf, keyOf, type Node, type Union } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { Shape } from "./shape.ts";
import { type Choice, chooseObject, constantsOf, ofType } from "./tell-apart.ts";
import { itemOf, memberOf, type Path } from "./words.ts";

/** What is decided about an object before its own schema is asked. */
export interface Decided {
  /** Members whose values told it from others. */
  readonly members: readonly string[];
  /** A member that is known to be there. */
  readonly present?: string | undefined;
  /** One of the members that decided, whose value is judged except for its type: another type is another alternative. */
  readonly open?: string | undefined;
  /** What holds for it besides. */
  readonly base?: Shape | undefined;
  /** Keys of the nodes whose alternative it is: a union that lists one of them says nothing more. */
  readonly within?: ReadonlySet<string>;
}

/** What holds for an object of a union besides its alternative. */
interface Beside extends Pick<Decided, "base" | "within"> {
  /** Members that tell its alternatives apart, or that other schemas of the object describe. */
  readonly others: ReadonlySet<string>;
}

export const textDemands = ["minLength", "maxLength", "pattern", "format"];
export const numberDemands = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/** How the schemas of a document are written, for those of its unions. */
export interface Writer {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
  readonly section: Section;
  /** Writes an assertion and who owns it. @param member the member that it is about, if `pointer` is about several */
  readonly assert: (
    schema: Schema,
    path: Path,
    keyword: string,
    value: unknown,
    pointer: string,
    member?: string,
  ) => void;
  readonly assertDemand: (schema: Schema, path: Path, demand: Demand) => void;
  /** The schema of one value. */
  readonly value: (node: Node, path: Path) => Schema;
  /** Writes what holds within objects and lists. */
  readonly writeContent: (schema: Schema, node: Node, path: Path, decided: Decided) => void;
  /** Writes the schema of an alternative that is tried. @returns its id */
  readonly alternative: (node: Node, path: Path, base: Shape | undefined) => string;
  /** Set if values are parsed from text, which cannot express an empty list. */
  readonly ofTexts: true | undefined;
}

/** @param within keys of the nodes that the same value is held against already */
export type WriteUnion = (schema: Schema, own: Shape, union: Union, path: Path, within?: ReadonlySet<string>) => void;

export function createUnionWriter(writer: Writer): WriteUnion {
  const { doc, shape, section, assert, assertDemand, value, writeContent } = writer;

  /** Writes what a value of one union obeys. */
  function writeUnion(
    schema: Schema,
    own: Shape,
    union: Union,
    path: Path,
    within: ReadonlySet<string> = new Set(),
  ): void {
    if (union.nodes.some((node) => within.has(keyOf(node)))) return;
    for (const type of ["string", "number", "boolean"] as const) writeScalarUnion(schema, own, union, type, path);
    const lists = ofType(union.nodes, "array", { doc, shape });
    if (lists.length > 0) writeListUnion(schema, union, lists, path);
    const objects = ofType(union.nodes, "object", { doc, shape });
    if (objects.length === 0) return;
    const choice = chooseObject(union, objects, { doc, shape });
    const base = own.properties.size > 0 || own.required.size > 0 ? own : undefined;
    writeChoice(schema, choice, union, path, {
      base,
      within: new Set([...within, keyOf(own.node)]),
      others: membersBeside(own, union),
    });
  }

  /** Members that the schemas of an object describe besides those of one of its unions. */
  function membersBeside(own: Shape, union: Union): Set<string> {
    const nodes = own.unions.filter((one) => one !== union).flatMap((one) => one.nodes);
    return new Set(
      [own, ...nodes.map(shape)].flatMap(({ properties, required }) => [...properties.keys(), ...required.keys()]),
    );
  }

  /** Has each alternative tried, if there is a value that fits none of them. */
  function writeTried(
    schema: Schema,
    nodes: readonly Node[],
    spoil: Spoil | undefined,
    union: Union,
    path: Path,
    base?: Shape,
  ): void {
    if (spoil === undefined) {
      const reason = `nothing tells its ${nodes.length} alternatives apart, and no value is found that fits none of them`;
      section.leave(path, "alternatives", union.pointer, reason);
      return;
    }
    const of = nodes.map((node, i) => ({
      schema: writer.alternative(node, path, shape(node).closed === undefined ? undefined : base),
      name: nameOfAlternative(node, i),
    }));
    if (section.assign(schema, "alternatives", path, "alternatives", union.nodes.length, union.pointer))
      schema["alternatives"] = { of, spoil };
  }

  /** What strings, numbers or booleans of a union obey: everything one of the alternatives says, or that the value is listed in one. */
  function writeScalarUnion(
    schema: Schema,
    own: Shape,
    union: Union,
    type: "string" | "number" | "boolean",
    path: Path,
  ): void {
    const nodes = union.nodes.filter((node) => {
      const names = shape(node).types?.names ?? shape(node).implied;
      return names.has(type) || (type === "number" && names.has("integer"));
    });
    const keywords = ["const", "enum", ...(type === "string" ? textDemands : type === "number" ? numberDemands : [])];
    const said = nodes.map((node) => keywords.flatMap((keyword) => shape(node).demands.get(keyword) ?? []));
    const opaque = nodes.flatMap((node) => shape(node).opaque);
    for (const { keyword, pointer, reason } of opaque) section.leave(path, keyword, pointer, reason);
    if (
      said.length === 0 ||
      opaque.some(({ isHarmless }) => !isHarmless) ||
      said.some((demands) => demands.length === 0)
    )
      return;
    const then: Schema = {};
    if (said.every(([first]) => first!.keyword === "const" || first!.keyword === "enum")) {
      const values = said.flatMap(([first]) =>
        first!.keyword === "const" ? [first!.value] : (first!.value as unknown[]),
      );
      const [only] = said.length === 1 ? said[0]! : [];
      assert(then, path, "enum", [...new Set(values)], only?.pointer ?? union.pointer);
    } else if (said.length === 1) for (const demand of said[0]!) assertDemand(then, path, demand);
    else if (type !== "boolean" && nodes.every((node) => shape(node).unions.length === 0))
      writeTried(then, nodes, scalarFittingNone(type, own, nodes, shape), union, path);
    else section.leave(path, "alternatives", union.pointer, `its alternatives for a ${type} follow different rules`);
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
      const why = shapes.length === 1 ? whyCannotFail(bounds[0]!, shapes[0]!, { doc, shape }) : undefined;
      if (why !== undefined) {
        section.leave(path, keyword, bounds[0]!.pointer, why);
        continue;
      }
      const bound = weakest(...bounds.map((demand) => demand.value as number));
      if (writer.ofTexts && keyword === "minItems" && bound === 1) continue;
      assertDemand(schema, path, bounds.find((demand) => demand.value === bound)!);
    }
    if (shapes.every(({ demands }) => demands.has("uniqueItems"))) {
      const demand = shapes[0]!.demands.get("uniqueItems")!;
      const why = shapes.map((one) => whyCannotFail(demand, one, { doc, shape })).find((one) => one !== undefined);
      if (why === undefined) assertDemand(schema, path, demand);
      else section.leave(path, demand.keyword, demand.pointer, why);
    }
    const items = shapes.flatMap((one) => one.items ?? []);
    if (items.length < shapes.length) return;
    const either = eitherOf(doc, items[0]?.sources[0] ?? union.pointer, items);
    if (either) setUnlessEmpty(schema, "items", value(either, itemOf(path)));
  }

  function writeChoice(schema: Schema, choice: Choice, union: Union, path: Path, beside: Beside): void {
    const { base } = beside;
    const at = union.discriminator?.pointer ?? union.pointer;
    if (choice.kind === "any") {
      const isKept = (name: string): boolean => beside.others.has(name);
      // Members that a schema beside the union describes as a map are judged by it.
      const spoil = base?.additional ? undefined : objectFittingNone(choice.nodes, { doc, shape }, isKept);
      const then: Schema = {};
      writeTried(then, choice.nodes, spoil, union, path, base);
      addPart(schema, { if: { type: "object" }, then });
    } else if (choice.kind === "one")
      writeContent(schema, choice.node, pathOfChoice(path, choice), {
        members: choice.decided,
        present: choice.present,
        open: choice.open,
        base,
        within: beside.within!,
      });
    else if (choice.kind === "required") {
      const members = choice.cases.map(({ member }) => member);
      const inCase: Beside = { ...beside, others: new Set([...beside.others, ...members]) };
      const has = (names: readonly string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });
      if (!choice.otherwise) assert(schema, path, "either", members, union.pointer);
      for (const { member, choice: own } of choice.cases) {
        const others = members.filter((name) => name !== member);
        const only = others.length > 0 ? { not: has(others) } : {};
        addCase(schema, { required: [member], ...only }, own, union, path, inCase);
      }
      if (choice.otherwise) addCase(schema, { not: has(members) }, choice.otherwise, union, path, inCase);
    } else {
      const { member, cases, otherwise, absent } = choice;
      const inCase: Beside = { ...beside, others: new Set([...beside.others, member]) };
      const all = cases.flatMap(({ values }) => values);
      if (!otherwise) {
        const own: Schema = (schema["properties"] as Record<string, Schema> | undefined)?.[member] ?? {};
        if (!("enum" in own)) assert(own, memberOf(path, member), "enum", all, at, member);
        schema["properties"] = { ...(schema["properties"] as object), [member]: own };
        if (!absent && !base?.required.has(member))
          section.assign(schema, "required", path, "required", member, at, "must", member);
      }
      for (const { values, choice: own } of cases) {
        const here = { required: [member], properties: { [member]: { enum: values } } };
        addCase(schema, here, own, union, path, inCase);
      }
      const other = { required: [member], properties: { [member]: { not: { enum: all } } } };
      if (otherwise)
        addCase(
          schema,
          absent ? other : { not: { required: [member], properties: { [member]: { enum: all } } } },
          otherwise,
          union,
          path,
          inCase,
        );
      if (absent) addCase(schema, { not: { required: [member] } }, absent, union, path, inCase);
    }
  }

  /** The path of what is in one alternative. Its ids name the value that selects it, unless several do. */
  function pathOfChoice(path: Path, { node, decided }: Choice & { readonly kind: "one" }): Path {
    const constants = decided.flatMap((member) => {
      const values = constantsOf(node, member, { doc, shape }) ?? [];
      return values.length === 1 ? values : [];
    });
    return { ...path, steps: [...path.steps, ...constants.map(String)] };
  }

  function addCase(schema: Schema, condition: Schema, choice: Choice, union: Union, path: Path, beside: Beside): void {
    const then: Schema = {};
    writeChoice(then, choice, union, path, beside);
    addPart(schema, { if: { type: "object", ...condition }, then });
  }

  return writeUnion;
}

/** How messages name an alternative: by its schema, or by its number. */
function nameOfAlternative({ sources }: Node, index: number): string {
  const name = sources.length === 1 ? /^\/components\/schemas\/([^/]+)$/.exec(sources[0]!)?.[1] : undefined;
  return name ?? `number ${index + 1}`;
}

/** Adds a condition, unless nothing follows from it. */
function addPart(schema: Schema, part: { readonly if: Schema; readonly then: Schema }): void {
  if (Object.keys(part.then).length > 0) ((schema["allOf"] ??= []) as unknown[]).push(part);
}

export function setUnlessEmpty(schema: Schema, keyword: string, value: Schema): void {
  if (Object.keys(value).length > 0) schema[keyword] = value;
}
