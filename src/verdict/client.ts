/** Facts about a client: the scenarios it is tried with, and the clauses it cannot do without. */
import type { Finding } from "../check/clause.ts";
import type { Violated } from "./run-results.ts";
import type { Spread } from "./stream-spread.ts";

/** The reaction of a client to an answer that breaks a clause. */
export type Effect = "throws" | "drops" | "mixes" | "waits" | "asks again";

/** A clause that a client cannot do without. */
export interface Need {
  readonly clause: string;
  /** The action of the client. */
  readonly scenario: string;
  /** To which of the scenario's requests the answer came, counted from 0; absent where it makes one. */
  readonly request?: number;
  readonly effect: Effect;
  /** The kinds of value that must stand in place of what the clause wants, as `offendingKind` names them; any kind if absent. */
  readonly when?: readonly string[];
  /** Words that it takes there, unlike other texts, as `offendingKind` names them. */
  readonly unless?: readonly string[];
  /** In which events of a stream it has to stand; any where absent. */
  readonly spread?: readonly Spread[];
  /** The observation. */
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

/** The kind of value that a finding blames; for a text that is a word, the word. */
export function offendingKind({ actual }: Pick<Finding, "actual">): string {
  if (actual === "nothing" || actual === "null") return actual;
  if (actual === "true" || actual === "false") return "boolean";
  if (actual.startsWith('"')) return /^"\s*[{[]/.test(actual) ? "JSON text" : textKind(actual);
  if (/^0(?: \w+)?$/.test(actual)) return "zero";
  if (/^-?\d/.test(actual)) return "number";
  if (actual.startsWith("{")) return "object";
  return actual.startsWith("[") ? "list" : "other";
}

const textKind = (actual: string): string => {
  const word = /^"([a-z]+(?:_[a-z]+)*)"$/.exec(actual)?.[1];
  return actual === '""' ? "empty text" : word !== undefined && word.length <= maxWordLength ? `text:${word}` : "text";
};

/** Longer ones are content. */
const maxWordLength = 32;

/** A kind without the word that it names. */
export const plainKind = (kind: string): string => kind.split(":", 1)[0]!;

/** Whether a client cannot do without what a violation of its clause takes away. */
export const isNeeded = (need: Need, { kinds, spread }: Pick<Violated, "kinds" | "spread">): boolean =>
  kinds.some((kind) => !need.unless?.includes(kind) && (need.when?.includes(plainKind(kind)) ?? true)) &&
  (need.spread === undefined || spread === undefined || need.spread.some((one) => spread.includes(one)));
