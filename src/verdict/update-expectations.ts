/** Makes the entries that fit what happened, for an expectations file that is to be written anew. */
import type { Level } from "../check/clause.ts";
import { compare } from "../check/finding-order.ts";
import type { Expectation } from "./document.ts";
import { nameOf, placeholderReason } from "./expectations.ts";
import { isInherited } from "./outcome.ts";
import type { RunResults } from "./run-results.ts";
import { fails } from "./tally.ts";

type Update = Pick<RunResults, "clauses" | "incidents" | "findings"> & {
  readonly plan: Pick<RunResults["plan"], "clauses">;
  readonly options: { readonly level: Level };
  readonly expectations: NonNullable<RunResults["expectations"]>;
};

/**
 * An entry whose failure goes on stays as it is and where it is. An entry whose failure is gone is dropped. New failures
 * follow, with a reason to fill in. Entries nothing was learned about stay. A run of chosen clauses adds only clauses.
 */
export function updateExpectations({
  clauses,
  incidents,
  findings,
  plan,
  options,
  expectations,
}: Update): Expectation[] {
  const gone = new Set(expectations.stale);
  const kept = expectations.entries.filter((entry) => !gone.has(nameOf(entry)));
  const known = new Set(kept.map(nameOf));
  const inPlaces = new Set(kept.flatMap(({ clause, cassette }) => (cassette === undefined ? [] : [clause])));
  // What the baseline fails alike fails no run, so that no entry has to excuse it.
  const failing = clauses.filter((one) => one.verdict === "fail" && !isInherited(one)).map(({ id }) => id);
  const added: Omit<Expectation, "reason">[] = [];
  for (const clause of failing) {
    if (known.has(clause)) continue;
    // Whoever named places wants the others named, too.
    const sources = inPlaces.has(clause)
      ? findings.filter((one) => one.clause === clause && fails(one.level, options.level)).map(({ source }) => source)
      : [undefined];
    for (const cassette of new Set(sources)) added.push({ clause, ...(cassette !== undefined && { cassette }) });
  }
  const unanswered = incidents.filter(
    (one) => one.kind !== "rate-limited" && one.explainedBy === undefined && !isInherited(one),
  );
  if (plan.clauses.length === 0)
    for (const cassette of new Set(unanswered.map(({ source }) => source))) added.push({ cassette });
  return [
    ...kept,
    ...added
      .filter((entry) => !known.has(nameOf(entry)))
      .sort((a, b) => compare(nameOf(a), nameOf(b)))
      .map((entry) => ({ ...entry, reason: `${placeholderReason} added by --update-expectations` }) as Expectation),
  ];
}
