/** The rules of an operation by when they run, each with the coverage index of its clause. */

import type { Catalogue } from "./catalogue.ts";
import type { Interface } from "./interface.ts";
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

/** Positions of the rules of an interface: of those on all of its operations, and of the others by the names of theirs. */
interface Positions {
  readonly operations: ReadonlySet<Operation>;
  readonly ofAll: readonly number[];
  readonly named: ReadonlyMap<string, number[]>;
}

const positions = new WeakMap<Interface, Positions>();

function positionsIn(of: Interface): Positions {
  const known = positions.get(of);
  if (known) return known;
  const ofAll: number[] = [];
  const named = new Map<string, number[]>();
  for (const [i, { operations }] of of.rules.entries()) {
    if (!operations) ofAll.push(i);
    for (const name of operations ?? []) if (!named.get(name)?.push(i)) named.set(name, [i]);
  }
  const found = { operations: new Set(of.operations), ofAll, named };
  positions.set(of, found);
  return found;
}

/** Splits the rules of an operation once a catalogue, whose clauses are where they are. */
export function rulesBySide(catalogue: Catalogue, { interface: of, operation }: Route): Sides {
  let own = sides.get(catalogue);
  if (!own) sides.set(catalogue, (own = new Map()));
  let split = own.get(operation);
  if (!split) {
    split = { request: [], response: [], stream: [] };
    const { operations, ofAll, named } = positionsIn(of);
    // Rules on all operations of an interface are none on requests with a method that it does not have.
    const general = operations.has(operation) ? ofAll : [];
    for (const i of [...general, ...(named.get(operation.name) ?? [])].sort((a, b) => a - b)) {
      const rule = of.rules[i]!;
      const index = catalogue.indexOf(rule.clause);
      const on = catalogue.clauses[index]?.on;
      split[on === "request" || on === "stream" ? on : "response"].push({ rule, index });
    }
    own.set(operation, split);
  }
  return split;
}
