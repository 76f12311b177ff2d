/** What is known of a client: what it is tried with, and which clauses it cannot do without. */
import type { Finding } from "../check/clause.ts";

/** What a client does with an answer that breaks a clause. */
export type Effect = "throws" | "drops" | "mixes" | "waits" | "asks again";

/** A clause that a client cannot do without. */
export interface Need {
  readonly clause: string;
  /** What the client was doing. */
  readonly scenario: string;
  readonly effect: Effect;
  /** What has to stand where the clause wants something else, as `offendingKind` names it; anything where absent. */
  readonly when?: readonly string[];
  /** What was seen. */
  readonly evidence: string;
}

/** Something that a client is tried with. */
export interface ClientScenario {
  /** The features that it uses. */
  readonly features: readonly string[];
  /** The recordings whose requests are like its own. */
  readonly like: readonly string[];
  /** Laws without which an answer is not what its model said, however well the client reads it: nobody can use what it gives. */
  readonly laws?: readonly string[];
}

/** A client as `schemas/clients.json` describes it. */
export interface Client {
  readonly name: string;
  readonly says: string;
  readonly package: string;
  /** The version whose behaviour `needs` tells. */
  readonly version: string;
  readonly scenarios: Readonly<Record<string, ClientScenario>>;
  /** Made by `npm run check:clients -- --write`. */
  readonly needs: readonly Need[];
}

/** What kind of value a finding blames. */
export function offendingKind({ actual }: Pick<Finding, "actual">): string {
  if (actual === "nothing" || actual === "null") return actual;
  if (actual === "true" || actual === "false") return "boolean";
  if (actual.startsWith('"')) return /^"\s*[{[]/.test(actual) ? "JSON text" : "text";
  if (/^-?\d/.test(actual)) return "number";
  if (actual.startsWith("{")) return "object";
  return actual.startsWith("[") ? "list" : "other";
}
