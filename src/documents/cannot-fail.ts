/** Finds demands that no value can violate, or none without violating another one as well: their clauses are opaque. */
import type { Demand } from "./demands.ts";
import type { TypeName } from "./json-types.ts";
import type { Node } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { Shape } from "./shape.ts";

interface Reader {
  readonly doc: OpenApi;
  readonly shape: (node: Node) => Shape;
}

/** Why a demand of a shape cannot be violated by itself; undefined if it can. */
export function whyCannotFail({ keyword, value }: Demand, own: Shape, reader: Reader): string | undefined {
  const most = own.demands.get("maxItems")?.value as number | undefined;
  if (keyword === "uniqueItems" && most !== undefined && most < 2)
    return "a list of at most one item has no item twice";
  if (keyword === "maxItems" && own.demands.has("uniqueItems") && (value as number) > 1) {
    const count = own.items && countOfValues(reader.shape(own.items));
    return count !== undefined && count <= (value as number)
      ? "a list of different values among those that are listed is never longer"
      : undefined;
  }
  if (keyword === "minProperties") {
    const demanded = [...own.required.keys()].filter((name) => isDemanded(own, name, reader));
    return demanded.length >= (value as number) ? "its required members are at least as many" : undefined;
  }
  if (keyword === "enum" && own.types && [...own.types.names].every((type) => type === "boolean" || type === "null"))
    return [true, false].every((one) => (value as unknown[]).includes(one)) ? "it lists true and false" : undefined;
  return undefined;
}

/** The number of different values that a shape allows; undefined if it lists none. */
function countOfValues({ demands, types, nullable }: Shape): number | undefined {
  const list = demands.get("enum")?.value;
  if (Array.isArray(list)) return new Set(list.map((one) => JSON.stringify(one))).size + (nullable ? 1 : 0);
  if (demands.has("const")) return nullable ? 2 : 1;
  const names = [...(types?.names ?? [])];
  if (names.length === 0 || !names.every((type) => type === "boolean" || type === "null")) return undefined;
  return names.reduce((sum, type) => sum + (type === "boolean" ? 2 : 1), 0);
}

/** Whether the absence of a member is an error. In OpenAPI 3.0 that of a nullable one warns. */
export function isDemanded({ required, properties }: Shape, name: string, { doc, shape }: Reader): boolean {
  const member = properties.get(name);
  return required.get(name)?.described === true && !(doc.isOld && member !== undefined && shape(member).nullable);
}

const everyType: readonly TypeName[] = ["string", "number", "boolean", "object", "array", "null"];

/** Whether a list of types excludes no value. */
export const allowsAll = (names: ReadonlySet<TypeName>): boolean => everyType.every((type) => names.has(type));
