/** Whether a value follows a caller's own JSON Schema, as far as its common keywords say; at a cost that is counted. */

import { type Budget, spend, TooMuch } from "../../check/budget.ts";
import { formatList, quoted } from "../../check/format-list.ts";
import { remember, type Subject } from "../../check/subject.ts";
import { characters } from "../../wire/characters.ts";
import { isObject } from "../../wire/json.ts";
import { pointer } from "../../wire/pointer.ts";
import { resolveReference, type Schema } from "./schema-reference.ts";

/** A violation of a schema: its place, and what was wanted. */
export interface Mismatch {
  readonly pointer: string;
  readonly expected: string;
}

/** The first way in which a value breaks a schema; undefined where it follows it as far as this reader knows. Throws TooMuch. */
export type Match = (schema: unknown, value: unknown) => Mismatch | undefined;

/** A mismatch whose place is put together on the way out, so that what fits costs nothing for it. */
interface Found {
  readonly path: (string | number)[];
  readonly expected: () => string;
}

/** The demands of a schema on any value, worked out once. */
interface Plan {
  readonly target: Schema;
  readonly types: readonly unknown[] | undefined;
  /** The values of `enum` and of `const`. */
  readonly allowed: readonly Allowed[];
  readonly bounds: readonly Bound[];
  readonly required: readonly string[];
  readonly speaksOfMembers: boolean;
  /** The branches of `anyOf` that a value may follow. */
  readonly branches: Branches | undefined;
}

/** Gives the branches of `anyOf` that a value may follow, in two lists; all others it surely breaks. */
type Branches = (value: unknown) => readonly (readonly unknown[])[];

interface Allowed {
  has(value: unknown): boolean;
  expected(): string;
}

type Bound = readonly [keyword: string, of: "number" | "array" | "string", least: boolean, strict: boolean];

const bounds: readonly Bound[] = [
  ["minimum", "number", true, false],
  ["maximum", "number", false, false],
  ["exclusiveMinimum", "number", true, true],
  ["exclusiveMaximum", "number", false, true],
  ["minItems", "array", true, false],
  ["maxItems", "array", false, false],
  ["minLength", "string", true, false],
  ["maxLength", "string", false, false],
];

/** Levels that are looked into: a schema may refer to itself without end. */
const maxDepth = 256;
/** Steps it costs to check a value against a schema, and to read a schema. */
const [visit, reading] = [10, 50];
/** Longest text that V8 hashes by its characters; longer ones it hashes by length, and then compares. */
const hashed = 16_000;

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? "object" : typeof value;
}

const types = new Set<unknown>(["null", "boolean", "number", "integer", "string", "array", "object"]);

/** Dialects have further types (`any`, upper case): what this reader does not know, it does not refuse. */
function fitsType(value: unknown, wanted: readonly unknown[]): boolean {
  const own = typeOf(value);
  return wanted.some((one) => !types.has(one) || one === own || (one === "integer" && Number.isInteger(value)));
}

/** A canonical text: equal values give the same one. */
function canonicalText(value: unknown, budget: Budget): string {
  spend(budget, typeof value === "string" ? visit + value.length : visit);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, budget)).join()}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, item]) => `${canonicalText(name, budget)}:${canonicalText(item, budget)}`).join()}}`;
}

/** Looks up values among many in one step each. */
function allowedIn(values: readonly unknown[], budget: Budget, expected: () => string): Allowed {
  const plain = new Set<unknown>();
  const written = new Set<string>();
  let long = 0;
  for (const value of values) {
    if (typeof value === "object" && value !== null) written.add(canonicalText(value, budget));
    else {
      spend(budget, visit);
      plain.add(value);
      if (typeof value === "string" && value.length > hashed) long++;
    }
  }
  let text: string | undefined;
  return {
    has(value) {
      if (typeof value === "object" && value !== null)
        return written.size > 0 && written.has(canonicalText(value, budget));
      if (typeof value === "string" && value.length > hashed) spend(budget, long * value.length);
      return plain.has(value);
    },
    expected: () => (text ??= expected()),
  };
}

/** Fewer branches are tried one after another. */
const manyBranches = 4;

/** The values a member may have by its own `const` or `enum`; undefined where there is none, or a reference stands in its place. */
function valuesOf(branch: Schema, name: string): readonly unknown[] | undefined {
  const { properties } = branch;
  const member = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isObject(member) || member["$ref"] !== undefined) return undefined;
  if (Object.hasOwn(member, "const")) return [member["const"]];
  return Array.isArray(member["enum"]) ? member["enum"] : undefined;
}

/** A discriminated union: branches that differ in the value of one member are looked up by it. */
function branchesOf(anyOf: readonly unknown[], root: Schema, budget: Budget): Branches {
  const all = [anyOf];
  if (anyOf.length < manyBranches) return () => all;
  const targets = anyOf.map((branch) => {
    if (!isObject(branch)) return undefined;
    const reference = branch["$ref"];
    spend(budget, reading + (typeof reference === "string" ? reference.length : 0));
    return resolveReference(root, branch);
  });
  const first = targets.find((target) => isObject(target?.["properties"]));
  const name = first && Object.keys(first["properties"] as Schema).find((one) => valuesOf(first, one));
  if (name === undefined) return () => all;
  const byValue = new Map<unknown, unknown[]>();
  const others: unknown[] = [];
  for (const [i, target] of targets.entries()) {
    const values = target && valuesOf(target, name);
    if (!values) others.push(anyOf[i]);
    for (const value of values ?? []) {
      spend(budget, visit);
      const known = byValue.get(value);
      if (!known) byValue.set(value, [anyOf[i]]);
      else if (known.at(-1) !== anyOf[i]) known.push(anyOf[i]);
    }
  }
  return (value) => {
    const own = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    if (own === undefined || typeof own === "object" || (typeof own === "string" && own.length > hashed)) return all;
    return [byValue.get(own) ?? [], others];
  };
}

function planOf(schema: Schema, root: Schema, budget: Budget): Plan {
  spend(budget, reading);
  const { type, enum: values, required, properties, anyOf, $ref: reference } = schema;
  for (const list of [type, required]) if (Array.isArray(list)) spend(budget, list.length);
  if (typeof reference === "string") spend(budget, reference.length);
  const allowed: Allowed[] = [];
  if (Array.isArray(values))
    allowed.push(allowedIn(values, budget, () => `one of [${formatList(values, ",", quoted)}]`));
  if (Object.hasOwn(schema, "const")) allowed.push(allowedIn([schema["const"]], budget, () => quoted(schema["const"])));
  return {
    target: resolveReference(root, schema),
    types: typeof type === "string" || Array.isArray(type) ? [type].flat() : undefined,
    allowed,
    bounds: bounds.filter(([keyword]) => typeof schema[keyword] === "number"),
    required: Array.isArray(required) ? required.filter((name) => typeof name === "string") : [],
    speaksOfMembers: isObject(properties) && Object.keys(properties).length > 0,
    branches: Array.isArray(anyOf) && anyOf.length > 0 ? branchesOf(anyOf, root, budget) : undefined,
  };
}

/** A matcher that reads every schema once, however many values are held against it. */
export function createMatch(budget: Budget): Match {
  const plans = new Map<Schema, Plan>();
  /** The text whose characters were counted last. */
  let counted = "";
  let count = 0;

  function charactersOf(text: string): number {
    // Comparing costs little, and may be asked for again and again.
    spend(budget, text.length >> 6);
    if (text !== counted) {
      spend(budget, text.length);
      count = characters(text);
      counted = text;
    }
    return count;
  }

  function isWithin([keyword, of, isMin, strict]: Bound, schema: Schema, value: unknown): boolean {
    if (of === "array" ? !Array.isArray(value) : typeof value !== of) return true;
    const bound = schema[keyword] as number;
    let size = of === "number" ? (value as number) : (value as string | unknown[]).length;
    // A text has half as many characters as units, or more: counted only where that decides.
    if (of === "string") {
      if (isMin ? size < bound : size <= bound) return !isMin;
      if (isMin ? size >= 2 * bound : size > 2 * bound) return isMin;
      size = charactersOf(value as string);
    }
    if (strict) return isMin ? size > bound : size < bound;
    return isMin ? size >= bound : size <= bound;
  }

  function search(schema: unknown, value: unknown, root: Schema, depth: number): Found | undefined {
    spend(budget, visit);
    if (schema === false) return { path: [], expected: () => "nothing here" };
    if (!isObject(schema)) return undefined;
    if (depth > maxDepth) throw new TooMuch();
    let plan = plans.get(schema);
    if (!plan) plans.set(schema, (plan = planOf(schema, root, budget)));
    if (plan.target !== schema) return search(plan.target, value, root, depth + 1);
    const { types: wanted } = plan;
    if (wanted) {
      spend(budget, wanted.length);
      if (!fitsType(value, wanted)) return { path: [], expected: () => formatList(wanted, " or ", String) };
    }
    for (const allowed of plan.allowed) if (!allowed.has(value)) return { path: [], expected: allowed.expected };
    for (const bound of plan.bounds)
      if (!isWithin(bound, schema, value))
        return { path: [], expected: () => `${bound[0]} ${String(schema[bound[0]])}` };
    return inside(plan, schema, value, root, depth);
  }

  function below(token: string | number, found: Found | undefined): Found | undefined {
    found?.path.unshift(token);
    return found;
  }

  function inside(plan: Plan, schema: Schema, value: unknown, root: Schema, depth: number): Found | undefined {
    const { properties, items, allOf, additionalProperties: others, patternProperties } = schema;
    const deeper = (sub: unknown, child: unknown): Found | undefined => search(sub, child, root, depth + 1);
    if (isObject(value)) {
      spend(budget, plan.required.length);
      for (const name of plan.required)
        if (!Object.hasOwn(value, name)) return { path: [name], expected: () => "this member to be present" };
      const known = isObject(properties) ? properties : {};
      const bindsOthers = others !== undefined && !isObject(patternProperties);
      const names = plan.speaksOfMembers || bindsOthers ? Object.keys(value) : [];
      spend(budget, visit * names.length);
      for (const name of names) {
        const own = Object.hasOwn(known, name);
        const broken = own || bindsOthers ? below(name, deeper(own ? known[name] : others, value[name])) : undefined;
        if (broken) return broken;
      }
    }
    if (Array.isArray(value) && items !== undefined && !Array.isArray(items))
      for (let i = 0; i < value.length; i++) {
        const broken = below(i, deeper(items, value[i]));
        if (broken) return broken;
      }
    for (const part of Array.isArray(allOf) ? allOf : []) {
      const broken = deeper(part, value);
      if (broken) return broken;
    }
    if (plan.branches?.(value).every((branches) => branches.every((branch) => deeper(branch, value))))
      return { path: [], expected: () => "one of the alternatives of anyOf" };
    return undefined;
  }

  return (schema, value) => {
    const found = isObject(schema) ? search(schema, value, schema, 0) : undefined;
    return found && { pointer: pointer(...found.path), expected: found.expected() };
  };
}

/** The matcher for schemas that stand in an exchange's request. */
export const matchOf: (subject: Subject) => Match = remember(({ budget }) => createMatch(budget));
