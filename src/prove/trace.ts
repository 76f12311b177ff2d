/** Follows validation: which clause's keyword met which value, and where. */
import type { Ajv } from "ajv";
import { compile } from "../check/compile.ts";
import type { Owners } from "../check/schema.ts";
import type { SchemaSource } from "../check/schema-files.ts";
import { resolvePointer } from "../wire/pointer.ts";

/** One meeting of an owned keyword and a value. */
export interface Visit {
  readonly clause: string;
  readonly keyword: string;
  /** The member, where the keyword is `required`. */
  readonly member?: string;
  /** The subschema that holds the keyword. */
  readonly node: Readonly<Record<string, unknown>>;
  readonly pointer: string;
  readonly value: unknown;
  /** True where the value is the name of a member of what stands at `pointer` (under `propertyNames`). */
  readonly isName: boolean;
}

export interface Tracer {
  /** Every visit of one value, in schema order. */
  readonly visits: (schema: string, value: unknown) => readonly Visit[];
}

/** A tracer over schemas; compiles each when first asked for. */
export function createTracer(sources: readonly SchemaSource[]): Tracer {
  let met: { owners: Owners; node: Record<string, unknown>; pointer: string; value: unknown }[] = [];
  const compiled = compile(sources, {
    source: false,
    onMeet: (owners, node, pointer, value) => void met.push({ owners, node, pointer, value }),
  });
  const ajv = compiled.ajv as Ajv;
  return {
    visits(schema, value) {
      const validate = ajv.getSchema(schema);
      if (!validate) throw new Error(`${schema} is no schema of schemas/`);
      met = [];
      validate.call({ marks: new Uint8Array(compiled.clauses.length), closed: false } as never, value);
      return met.flatMap(({ owners, node, pointer, value: at }) => {
        const isName = typeof at === "string" && typeof resolvePointer(value, pointer) === "object";
        const visit = { node, pointer, value: at, isName };
        return Object.entries(owners).flatMap(([keyword, owner]): Visit[] =>
          typeof owner === "string"
            ? [{ ...visit, clause: owner, keyword }]
            : Object.entries(owner).map(([member, clause]) => ({ ...visit, clause, keyword, member })),
        );
      });
    },
  };
}
