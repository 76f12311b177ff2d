/** Makes variants of a value in the other types that its schema allows. */
import { typeOf } from "./mutants.ts";
import type { Visit } from "./trace.ts";

/** Values that good requests hold where a subschema speaks, by type. */
export interface ValueVariants {
  add(visit: Visit): void;
  /** A value of each other type that the visited keyword `type` allows, as far as good requests have one; null always. */
  of(visit: Visit): readonly unknown[];
}

/** Values for types that a subschema allows and no good request has. */
const plain: Readonly<Record<string, readonly unknown[]>> = { null: [null], string: ["text"] };

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

export function createValueVariants(): ValueVariants {
  const seen = new Map<string, Map<string, unknown>>();
  return {
    add(visit) {
      if (visit.keyword !== "type" || isEmpty(visit.value)) return;
      const values = seen.get(visit.clause) ?? new Map<string, unknown>();
      seen.set(visit.clause, values);
      const type = typeOf(visit.value);
      const known = values.get(type);
      if (known === undefined || JSON.stringify(visit.value).length < JSON.stringify(known).length)
        values.set(type, visit.value);
    },
    of(visit) {
      if (visit.keyword !== "type") return [];
      const own = typeOf(visit.value);
      return [visit.node["type"]].flat().flatMap((type): readonly unknown[] => {
        if (typeof type !== "string" || type === own || (type === "number" && own === "integer")) return [];
        // A switch that was not set is no other form of one that is.
        if (type === "boolean") return [];
        const known = seen.get(visit.clause)?.get(type);
        return known === undefined ? (plain[type] ?? []) : [known];
      });
    },
  };
}
