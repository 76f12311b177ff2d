/** A rule: code that decides a clause that JSON Schema cannot express. */
import type { Exchange } from "../wire/exchange.ts";
import type { Grade, Place, Side, Violation } from "./clause.ts";
import type { Subject } from "./subject.ts";

/** Violation found by a rule. It has no clause id, because its clause is always that of the rule. */
export interface Fault {
  readonly side: Side;
  readonly in: Place;
  readonly event?: number;
  /** JSON Pointer within `in`. Absent if the violation is about all of it. */
  readonly pointer?: string;
  readonly expected: string;
  readonly actual: unknown;
  readonly hint?: string;
  readonly reading?: Grade;
}

/** Location in the response. */
export type Spot = Pick<Fault, "in" | "event"> & { readonly pointer: string };

/**
 * Reason for an undecided clause, if callers have to distinguish it: the recorder may have dropped the credential of the request,
 * or a user's rule threw an error.
 */
export type UndecidedCode = "credential-may-be-dropped" | "rule-failed";

/** Outcome of a rule that cannot decide its clause because information is missing, such as a binding. */
export interface Undecided {
  /** The missing information, for people: `bind models.reasoning for "o9"`. */
  readonly needs: string;
  readonly code?: UndecidedCode;
  /** Id of a reading. Under its strict option this outcome is ignored: the rule also yields a violation with this reading. */
  readonly unless?: string;
}

export interface Rule {
  readonly clause: string;
  /** Names of the operations that the clause applies to. Default: all operations of the interface. */
  readonly operations?: ReadonlySet<string>;
  /** Whether the clause applies to the exchange. Only then can the exchange exercise the clause. */
  readonly applies: (subject: Subject) => boolean;
  /**
   * Yields violations. Checks of frequent content return undefined for valid exchanges, because creating a generator costs more
   * than most rules.
   */
  readonly check: (subject: Subject) => Iterable<Fault | Undecided> | undefined;
  /**
   * Changes an exchange so that exactly this clause fails, as in mutation testing. The exchange is valid, and the rule applies to
   * it. Returns undefined if such a change is impossible.
   */
  readonly spoil: (exchange: Exchange) => Exchange | undefined;
  /**
   * Derives valid requests at the limits of the rule, or with each allowed value, from an exchange that exercises it. A target
   * should accept them. `how` describes the variant in the same words as for schemas: `maxLength at /prompt`, `enum at /size`.
   */
  readonly within?: (exchange: Exchange) => readonly { readonly how: string; readonly exchange: Exchange }[];
  /** Set if the rule reads request values that redaction masks. Cassettes then contain its verdict on the original values. */
  readonly readsMasked?: true;
  /** Ids of clauses that every violation of this clause also violates. Rare. */
  readonly alsoBreaks?: readonly string[];
}

/** Error thrown by a `spoil`, `within` or `concerns` function of a user. */
export class RuleFailure extends Error {}

export function isUndecided(outcome: Fault | Undecided): outcome is Undecided {
  return "needs" in outcome;
}

export function violationOf(rule: Rule, fault: Fault): Violation {
  return { ...fault, clause: rule.clause, pointer: fault.pointer ?? "" };
}
