/** The outcomes that are known of clients, each with its reason, and how a run differs from them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseOutcome, CaseResult } from "../../cases/document.ts";
import { home } from "../../home.ts";
import { nameOf } from "./list.ts";
import type { TriedClient } from "./try-client.ts";

/** Outcomes that have one reason, checked by hand against the bytes and the source of the client. */
export interface KnownOutcome {
  readonly outcome: CaseOutcome;
  readonly reason: string;
  /** Names with versions. */
  readonly clients: readonly string[];
  readonly cases: readonly string[];
  /** The client itself does so in some runs, and not in others. */
  readonly byChance?: true;
}

/** An outcome that nobody expects, or an expected one that did not come. */
export interface Difference {
  readonly client: string;
  readonly case: string;
  readonly seen: CaseOutcome;
  readonly why: string;
  readonly expected: CaseOutcome | undefined;
}

export const readKnown = (): readonly KnownOutcome[] =>
  JSON.parse(readFileSync(join(home, "src", "dev", "clients-matrix", "outcomes.json"), "utf8"));

/** Whether an outcome is one that needs a reason. */
export const isAmiss = ({ level }: CaseResult): boolean => level === "error" || level === "warning";

/** The reason of an outcome; undefined where nobody wrote one. */
export const knownOf = (
  known: readonly KnownOutcome[],
  client: string,
  { case: id, outcome }: CaseResult,
): KnownOutcome | undefined =>
  known.find((one) => one.outcome === outcome && one.clients.includes(client) && one.cases.includes(id));

/** @param tried clients with the cases that were tried */
export function differences(known: readonly KnownOutcome[], tried: readonly TriedClient[]): readonly Difference[] {
  return tried.flatMap(({ client, results }) => {
    const name = nameOf(client);
    const own = known.filter(({ clients }) => clients.includes(name));
    return results.flatMap((result): Difference[] => {
      const { case: id, outcome: seen, why } = result;
      if (isAmiss(result) && knownOf(own, name, result)) return [];
      const expected = own.find((one) => one.cases.includes(id) && one.byChance !== true)?.outcome;
      return isAmiss(result) || expected !== undefined ? [{ client: name, case: id, seen, why, expected }] : [];
    });
  });
}

/** Entries that speak of a client or a case that is none of the matrix. */
export function strays(known: readonly KnownOutcome[], tried: readonly TriedClient[]): readonly string[] {
  const there = new Set(tried.flatMap(({ client, results }) => results.map((one) => `${nameOf(client)} ${one.case}`)));
  return known.flatMap(({ clients, cases }) =>
    clients.flatMap((client) => cases.map((id) => `${client} ${id}`)).filter((one) => !there.has(one)),
  );
}
