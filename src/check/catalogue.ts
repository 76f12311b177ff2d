/** Everything judging needs to know: clauses, schemas and interfaces. */
import type { Clause } from "./clause.ts";
import type { Interface } from "./interface.ts";
import type { Validator } from "./schema.ts";

export interface Catalogue {
  /** Sorted by id; a clause's position is its coverage index. */
  readonly clauses: readonly Clause[];
  readonly indexOf: (clause: string) => number;
  readonly validator: (schema: string) => Validator;
  readonly interfaces: readonly Interface[];
}
