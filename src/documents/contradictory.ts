/** Finds demands that no value can obey together: a document contradicts itself there, and nobody is judged by it. */

import type { Demand, Opaque } from "./demands.ts";
import { allowsType, type TypeName, typeOfValue } from "./json-types.ts";
import { obeys } from "./obeys.ts";
import type { OpenApi } from "./openapi.ts";

type Demands = Map<string, Demand>;

const reason = "no value obeys it along with what else is demanded there";

/** Keywords of two limits that values lie between. */
const counts = [
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;

const limitIn = (demands: Demands, keyword: string): number | undefined =>
  demands.get(keyword)?.value as number | undefined;

/** Whether no number lies within the limits; fractions count only where they may be. */
function noNumber(demands: Demands, isWhole: boolean): boolean {
  const [least, above] = [limitIn(demands, "minimum"), limitIn(demands, "exclusiveMinimum")];
  const [most, below] = [limitIn(demands, "maximum"), limitIn(demands, "exclusiveMaximum")];
  const low = Math.max(least ?? Number.NEGATIVE_INFINITY, above ?? Number.NEGATIVE_INFINITY);
  const high = Math.min(most ?? Number.POSITIVE_INFINITY, below ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(low) || !Number.isFinite(high)) return false;
  const step = limitIn(demands, "multipleOf") ?? (isWhole ? 1 : undefined);
  if (low > high || (low === high && (above === low || below === high))) return true;
  // Fractions are as the computer rounds them, so only whole steps are counted.
  if (step === undefined || !Number.isInteger(step)) return false;
  const first = Math.ceil(low / step) * step;
  const next = first === above ? first + step : first;
  return next > high || next === below;
}

/**
 * Takes out what contradicts itself, noted in the document and as undecided.
 * @param types those that are allowed; undefined where any are
 */
export function dropContradictory(
  doc: OpenApi,
  demands: Demands,
  types: ReadonlySet<TypeName> | undefined,
  opaque: Opaque[],
): void {
  const drop = (keywords: readonly string[], says?: string): void => {
    const own = keywords.flatMap((keyword) => demands.get(keyword) ?? []);
    if (says !== undefined) doc.contradict(own.at(-1)!.pointer, says);
    for (const { keyword, pointer } of own) {
      demands.delete(keyword);
      opaque.push({ keyword, pointer, reason });
    }
  };
  for (const [least, most] of counts)
    if ((limitIn(demands, least) ?? 0) > (limitIn(demands, most) ?? Number.POSITIVE_INFINITY))
      drop([least, most], `No value obeys it: ${least} is above ${most}.`);
  const isWhole = types?.has("integer") === true && !types.has("number");
  if (noNumber(demands, isWhole))
    drop(
      ["multipleOf", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"],
      "No number lies within its limits.",
    );
  const list = demands.get("const") ?? demands.get("enum");
  if (!list) return;
  const values = list.keyword === "const" ? [list.value] : (list.value as readonly unknown[]);
  const others = [...demands.values()].filter((one) => one !== list);
  const isAllowed = (value: unknown): boolean =>
    (types === undefined || allowsType(types, typeOfValue(value))) && others.every((one) => obeys(value, one));
  if (values.some(isAllowed)) return;
  // Lists that have no value in common are noted where they are read.
  const isNoted = values.length === 0;
  drop(["enum", "const"], isNoted ? undefined : "No value that it lists obeys what else is demanded there.");
}
