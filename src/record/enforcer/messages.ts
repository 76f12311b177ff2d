/** The messages between the enforcer and its threads. */
import type { Policy } from "../../check/clause.ts";
import type { Bindings } from "../../check/names.ts";
import type { Refusal } from "../../interfaces/refusal.ts";

/** How requests are judged; a thread gets it at its start, and one request a message from then on. */
export interface EnforcerSettings {
  /** Paths of users' own documents. */
  readonly documents: readonly string[];
  readonly bindings: readonly Bindings[];
  readonly policy: Policy;
  readonly keepHeaders: readonly string[];
  /** Sources of regular expressions. */
  readonly redact: readonly string[];
}

/** The messages of a thread: that it is ready, then one answer a request. */
export interface EnforcerAnswer {
  readonly ready?: true;
  readonly refusal?: Refusal;
  /** Why it could not be judged. */
  readonly unjudged?: string;
}
