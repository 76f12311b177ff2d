/** The rules of an operation by when they run, each with the coverage index of its clause. */

import type { Catalogue } from "./catalogue.ts";
import type { Operation } from "./operation.ts";
import type { Route } from "./route.ts";
import type { Rule } from "./rule.ts";

/** A rule and the coverage index of its clause. */
export interface Indexed {
  readonly rule: Rule;
  readonly index: number;
}

/** Rules on the request run first, so that the others can know whether it was at fault; those on streams when there is one. */
type Sides = Readonly<Record<"request" | "response" | "stream", Indexed[]>>;

const sides = new WeakMap<Catalogue, Map<Operation, Sides>>();

/** Splits the rules of an operation once a catalogue, whose clauses are where they are. */
export function rulesBySide(catalogue: Catalogue, { interface: of, operation }: Route): Sides {
  let own = sides.get(catalogue);
  if (!own) sides.set(catalogue, (own = new Map()));
  let split = own.get(operation);
  if (!split) {
    split = { request: [], response: [], stream: [] };
    for (const rule of of.rules) {
      // Rules on all operations of an interface are none on requests with a method that it does not have.
      if (rule.concerns ? !rule.concerns(operation) : !of.operations.includes(operation)) continue;
      const index = catalogue.indexOf(rule.clause);
      const on = catalogue.clauses[index]?.on;
      split[on === "request" || on === "stream" ? on : "response"].push({ rule, index });
    }
    own.set(operation, split);
  }
  return split;
}
