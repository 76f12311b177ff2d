/** A rule: code that decides a clause JSON Schema cannot express. */
import type { Exchange } from "../wire/exchange.ts";
import type { Grade, Place, Side, Violation } from "./clause.ts";
import type { Subject } from "./subject.ts";

/** A violation as a rule yields it: its clause is the rule's own. */
export interface Fault {
  readonly side: Side;
  readonly in: Place;
  readonly event?: number;
  /** JSON Pointer in the place; the whole place when absent. */
  readonly pointer?: string;
  readonly expected: string;
  readonly actual: unknown;
  readonly hint?: string;
  readonly reading?: Grade;
}

/** A place in the response. */
export type Spot = Pick<Fault, "in" | "event"> & { readonly pointer: string };

/**
 * Why nothing can be decided, where somebody acts on it: the recording may have dropped the credential of its request, or the rule
 * itself failed, which is code of a user's own.
 */
export type UndecidedCode = "credential-may-be-dropped" | "rule-failed";

/** Nothing can be decided until somebody supplies what is missing, e.g. a binding. */
export interface Undecided {
  /** The knowledge that would decide it, for people: `bind models.reasoning for "o9"`. */
  readonly needs: string;
  readonly code?: UndecidedCode;
  /** A reading: with its strict option, another violation of the same rule decides this one. */
  readonly unless?: string;
}

export interface Rule {
  readonly clause: string;
  /** Names of the operations the clause speaks about; absent for all of the interface. */
  readonly operations?: ReadonlySet<string>;
  /** Whether the exchange holds what the clause speaks about; only then it counts as exercised. */
  readonly applies: (subject: Subject) => boolean;
  /**
   * Yields violations. Checks of common content return undefined for good exchanges, because starting a generator costs more than
   * most rules do.
   */
  readonly check: (subject: Subject) => Iterable<Fault | Undecided> | undefined;
  /**
   * A mutation, as in mutation testing: breaks a good exchange to which the rule applies, so that exactly this clause fails;
   * undefined where it cannot.
   */
  readonly spoil: (exchange: Exchange) => Exchange | undefined;
  /**
   * Good requests at the rule's limits, or with each value that it allows, made of one that exercises it: a target should accept
   * them. `how` is as of variants that schemas give: `maxLength at /prompt`, `enum at /size`.
   */
  readonly within?: (exchange: Exchange) => readonly { readonly how: string; readonly exchange: Exchange }[];
  /** Set if the rule reads values of the request that redaction masks: cassettes keep its verdict on them. */
  readonly readsMasked?: true;
  /** Clauses that necessarily break along with it; rare. */
  readonly alsoBreaks?: readonly string[];
}

/** Thrown where a spoil, or another function that only proof and probes call, fails: it is code of a user's own. */
export class RuleFailure extends Error {}

export function isUndecided(outcome: Fault | Undecided): outcome is Undecided {
  return "needs" in outcome;
}

export function violationOf(rule: Rule, fault: Fault): Violation {
  return { ...fault, clause: rule.clause, pointer: fault.pointer ?? "" };
}
