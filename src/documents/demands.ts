/** What the keywords of schemas demand of a value, each with its place; of several that hold together the stricter counts. */
import { isObject } from "../wire/json.ts";
import { samplesBesideSchema } from "./extension-samples.ts";
import { isKnownFormat, isPlainFormat } from "./format-names.ts";
import { allowsType, allTypes, type TypeName, typeOfValue } from "./json-types.ts";
import { isAnnotation, type Plain } from "./node.ts";
import type { OpenApi } from "./openapi.ts";

/** A keyword's value and where it stands, the keyword included. */
export interface Demand {
  readonly keyword: string;
  readonly value: unknown;
  readonly pointer: string;
}

/** A keyword that cannot be decided, and why. */
export interface Opaque {
  readonly keyword: string;
  readonly pointer: string;
  readonly reason: string;
  /** Whether no value can violate it, so that leaving it aside changes nothing. */
  readonly isHarmless?: true;
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

/** Keywords that are read here, by `shapeOf`, or by `flatten`. */
const known = new Set(
  `$ref allOf anyOf oneOf type nullable enum const properties required additionalProperties unevaluatedProperties items
  patternProperties propertyNames pattern format uniqueItems multipleOf dependentRequired $defs definitions discriminator`
    .split(/\s+/)
    .concat(Object.keys(limits)),
);

/** A demand at its place below a schema. */
const demandAt =
  (pointer: string) =>
  (keyword: string, value: unknown, at = keyword): Demand => ({ keyword, value, pointer: `${pointer}/${at}` });

/**
 * What the keywords of one schema demand.
 * @param opaque takes what cannot be decided
 */
export function* demandsOf(doc: OpenApi, { pointer, schema }: Plain, opaque: Opaque[]): Generator<Demand> {
  const own = demandAt(pointer);
  const refuse = (keyword: string, reason: string): void =>
    void opaque.push({ keyword, pointer: `${pointer}/${keyword}`, reason });
  for (const [keyword, value] of Object.entries(schema)) {
    if (isAnnotation(keyword)) continue;
    if (keyword === "$dynamicRef" || keyword === "$recursiveRef") refuse(keyword, `${keyword} is not read`);
    if (keyword.startsWith("$")) continue;
    if (keyword === "enum") {
      const stray = strayIn(value, schema["type"]);
      if (stray !== undefined) {
        doc.contradict(`${pointer}/enum`, `It lists ${stray}, which is not of its type.`);
        refuse("enum", "it lists values that are not of its type");
      } else if (Array.isArray(value) && value.length > 0) yield own("enum", value);
      else doc.contradict(`${pointer}/enum`, "It lists no value, so that nothing can be valid.");
    } else if (typeof value === "number" && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
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
      else if (counts.test(keyword) && value === 0 && keyword.startsWith("min"))
        opaque.push({ keyword, pointer: `${pointer}/${keyword}`, reason: "no count is below 0", isHarmless: true });
      else yield own(keyword, value);
    } else if (keyword === "multipleOf") {
      if (typeof value === "number" && value > 0) yield own(keyword, value);
    } else if (keyword === "uniqueItems") {
      if (value === true) yield own(keyword, true);
    } else if (keyword === "pattern") {
      const problem = doc.problemOf(value);
      if (problem === undefined) yield own(keyword, value);
      else refuse(keyword, problem);
    } else if (keyword === "format") {
      if (typeof value !== "string" || isPlainFormat(value)) continue;
      if (isKnownFormat(value)) yield own(keyword, value);
      else refuse(keyword, `format ${JSON.stringify(value)} is not one that is known`);
    } else if (keyword === "items") {
      if (value === false) refuse(keyword, "it allows no item");
      else if (Array.isArray(value)) refuse(keyword, "schemas by position are not read");
      else if ("prefixItems" in schema) refuse(keyword, "it holds for what follows prefixItems");
    } else if (keyword === "unevaluatedProperties") {
      if (isObject(value)) refuse(keyword, "it depends on what other schemas describe");
    } else if (keyword === "dependentRequired") {
      if (isObject(value)) yield own(keyword, value);
    } else if (!known.has(keyword)) refuse(keyword, `${keyword} is not read`);
  }
}

/** A listed value that the type rules out, as YAML makes of a text without quotes; null says that there may be none. */
function strayIn(list: unknown, type: unknown): string | undefined {
  const names = new Set([type].flat().filter((one): one is TypeName => allTypes.includes(one as TypeName)));
  if (!Array.isArray(list) || names.size === 0) return undefined;
  const stray = list.find((value) => value !== null && !allowsType(names, typeOfValue(value)));
  return stray === undefined ? undefined : JSON.stringify(stray).slice(0, 60);
}

/**
 * Adds a demand to those of the same keyword: the stricter one counts.
 * @param opaque takes one that cannot be read beside another
 */
export function merge(doc: OpenApi, demands: Map<string, Demand>, demand: Demand, opaque: Opaque[]): void {
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
    if (both.length < (before.value as unknown[]).length) demands.set(keyword, { keyword, value: both, pointer });
  } else if (keyword === "const" && JSON.stringify(value) !== JSON.stringify(before.value)) {
    doc.contradict(pointer, "It has to be one value, and another one.");
    demands.delete(keyword);
    demands.set("enum", { keyword: "enum", value: [], pointer });
  } else if (JSON.stringify(value) !== JSON.stringify(before.value))
    opaque.push({ keyword, pointer, reason: `of several, the first ${keyword} is read` });
}

/** Of two limits on one side only the stricter is a demand of its own. */
export function dropWeaker(demands: Map<string, Demand>): void {
  for (const [inclusive, exclusive, sign] of [
    ["minimum", "exclusiveMinimum", 1],
    ["maximum", "exclusiveMaximum", -1],
  ] as const) {
    const [a, b] = [demands.get(inclusive), demands.get(exclusive)];
    if (!a || !b) continue;
    demands.delete(sign * (a.value as number) > sign * (b.value as number) ? exclusive : inclusive);
  }
}

/** An example or a default, and the pointer of the schema that it stands beside. */
export interface Sample extends Demand {
  readonly of: string;
}

/** Examples and the default of one schema. */
export function samplesOf({ pointer, schema }: Plain): Sample[] {
  const { example, examples, default: fallback } = schema;
  const own = demandAt(pointer);
  const samples = [
    ...(example === undefined ? [] : [own("example", example)]),
    ...(Array.isArray(examples) ? examples.map((value, i) => own("examples", value, `examples/${i}`)) : []),
    ...(fallback === undefined || fallback === null ? [] : [own("default", fallback)]),
    ...samplesBesideSchema(pointer, schema).map((one) => ({ ...one, keyword: "example" })),
  ];
  return samples.map((one) => ({ ...one, of: pointer }));
}
