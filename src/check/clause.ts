/** The vocabulary of judging: clauses, readings, violations and findings. */

export type Level = "error" | "warning" | "note";
/** How much a finding weighs. `unenforced`: the target accepts a request that violates a rule on requests, and nothing more. */
export type FindingLevel = Level | "unenforced";
export type Side = "request" | "response";
export type Place = "method" | "path" | "query" | "headers" | "body" | "form" | "status" | "stream";

/** One atomic statement of a document, restated in one sentence of our own. */
export interface Clause {
  /** `<interface>.<section>.<name>`: the path of its files, then its name. */
  readonly id: string;
  readonly interface: string;
  readonly section: string;
  readonly says: string;
  readonly on: "request" | "response" | "stream" | "exchange" | "error";
  /** `shape` is decided by JSON Schema, `behaviour` by a rule, `unobservable` by nothing on the wire. */
  readonly kind: "shape" | "behaviour" | "unobservable";
  readonly level: "must" | "should" | "may";
  /** `field`: what the field agrees on and the documents do not say; warns at most, unless a strict reading raises it. */
  readonly basis: "document" | "field";
  readonly document: { readonly name: string; readonly section: string };
  readonly readings: readonly string[];
  /** The law that decides it, as its file has it. */
  readonly law?: Readonly<Record<string, unknown>>;
  /** Clauses that necessarily break along with it; rare. */
  readonly alsoBreaks?: readonly string[];
  /** Further headings of the document that repeat the statement. */
  readonly also?: readonly string[];
  /** Its shape cannot be decided, so that nothing judges it. */
  readonly opaque?: true;
  /** Why nothing on the wire can show it, where it is `unobservable`; why it cannot be decided, where it is opaque. */
  readonly reason?: string;
  /** Why no request of a run can have a target show it; recordings may. */
  readonly unasked?: string;
  /** The code that decides it, alone or beside a schema, if it was not run. The clause then has no verdict without it. */
  readonly missingCode?: string;
}

/** Whether an exchange can show that a clause is kept or violated. */
export const isDecidable = ({ kind, opaque, missingCode }: Pick<Clause, "kind" | "opaque" | "missingCode">): boolean =>
  kind !== "unobservable" && opaque === undefined && missingCode === undefined;

/** How one reading of a clause grades a violation: under the default policy, and when its strict option is chosen. */
export interface Grade {
  readonly id: string;
  /** A second reading whose strict option has the same effect. */
  readonly or?: string;
  readonly default: FindingLevel | "off";
  readonly strict: Level | "off";
}

/** A reading by which a violation warns, and is an error only where it, or another, is chosen to be strict. */
export const warns = (id: string, or?: string): Grade => ({
  id,
  ...(or !== undefined && { or }),
  default: "warning",
  strict: "error",
});

/** Reading X-ENFORCE: the target accepted a request that violates a rule on requests. */
export const accepts: Grade = { id: "X-ENFORCE", default: "unenforced", strict: "error" };

/** A reading by which a violation is a note, and an error only where it is chosen to be strict. */
export const notes = (id: string): Grade => ({ id, default: "note", strict: "error" });

/** A reading by which a violation is silent, and an error only where it is chosen to be strict. */
export const strictOnly = (id: string): Grade => ({ id, default: "off", strict: "error" });

/** A violation at one place, found by a rule or a schema. */
export interface Violation {
  readonly clause: string;
  readonly side: Side;
  readonly in: Place;
  /** 0-based stream event, where `in` is `stream`. */
  readonly event?: number;
  /** JSON Pointer into that place; `/name` for headers, query and form. */
  readonly pointer: string;
  /** The document's demand, as a noun phrase or value: `one of "stop", "length"`. */
  readonly expected: string;
  /** The received value. Findings quote an excerpt of it. */
  readonly actual: unknown;
  /** The sentence of the clause for the received type, if the clause covers several types. */
  readonly says?: string;
  /** An additional sentence, such as a suggestion for a misspelt name. */
  readonly hint?: string;
  /** Grades this violation apart from its clause's own level. */
  readonly reading?: Grade;
}

/** One violation as reported: the outward shape of `check --format json`. */
export interface Finding {
  readonly source: string;
  readonly exchange: number;
  readonly interface: string;
  readonly operation: string;
  readonly side: Side;
  readonly in: Place;
  readonly event: number | null;
  readonly pointer: string;
  readonly clause: string;
  readonly level: FindingLevel;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly document: { readonly name: string; readonly section: string };
  /** The reading that graded it, where one did. */
  readonly reading?: string;
  /** How well-known services do the same: one sentence, where the preset has one. */
  readonly diverges?: string;
}

/** The level a clause's violations have when no reading grades them. */
export function levelOf(clause: Clause): Level {
  const level = clause.level === "must" ? "error" : clause.level === "should" ? "warning" : "note";
  return clause.basis === "field" && level === "error" ? "warning" : level;
}

/** The readings that are strict: none, all, or those named. */
export interface Policy {
  readonly strict: "all" | ReadonlySet<string>;
  /** Values outside a response's listed enum only warn (reading X-OPEN-ENUM). */
  readonly openEnums: boolean;
  /** The weight of an accepted violation of a rule on requests, in place of `unenforced`; it outweighs a strict reading. */
  readonly enforcement?: "warning" | "error" | undefined;
}

export const lenient: Policy = { strict: new Set(), openEnums: false };

export function isStrict(policy: Policy, reading: string): boolean {
  return policy.strict === "all" || policy.strict.has(reading);
}

/** Whether a violation graded by a reading, if any, is not reported. */
export function isSilent(grade: Grade | undefined, policy: Policy): boolean {
  return grade !== undefined && gradeOf(grade, policy) === "off";
}

/** Whether the strict option of a grade's reading, or of its other reading, was chosen. */
export function isChosen(grade: Grade, policy: Policy): boolean {
  const { id, or } = grade;
  if (isOfEnforcement(grade) && policy.enforcement) return policy.enforcement === "error";
  return isStrict(policy, id) || (or !== undefined && isStrict(policy, or));
}

const isOfEnforcement = (grade: Grade): boolean => grade.default === "unenforced";

export function gradeOf(grade: Grade, policy: Policy): FindingLevel | "off" {
  if (isOfEnforcement(grade) && policy.enforcement) return policy.enforcement;
  return isChosen(grade, policy) ? grade.strict : grade.default;
}

/** A clause that real traffic is known to break, and how. */
export interface Divergence {
  readonly clause: string;
  /** One sentence: what the service does. */
  readonly reason: string;
  /**
   * The programs that show it. `official`: the service the document describes; `compatible`: others like it; `gateways`: proxies
   * of services; `libraries`: client libraries; `clients`: rejected requests.
   */
  readonly by: readonly ("official" | "compatible" | "gateways" | "libraries" | "clients")[];
  /** In how many exchanges of the traffic it was last judged on. */
  readonly count?: number;
  /** An exchange of that traffic that shows it. */
  readonly example?: string;
  /** The address of its documentation. */
  readonly source?: string;
}

/** How one contradiction or hole of the documents is read. */
export interface Reading {
  /** The question the documents leave open. */
  readonly asks: string;
  /** The answer that holds unless a strict one is chosen. */
  readonly default: string;
  readonly strict: string;
  /** Grades responses to requests of a run, facts at a gateway, or clauses of users' documents. No clause of ours names it then. */
  readonly of?: "run" | "gateway" | "documents";
}
