/** How each column was asked and judged, and in which of that the columns are not alike: what may not be laid to the targets. */
import type { RunResults } from "../../verdict/run-results.ts";
import type { Terms, Unlike } from "./document.ts";

export function termsOf({ options, plan, versions, documents, shard }: RunResults): Terms {
  const { preset, readings, level, enforcement = null, probes, ownRecordings } = options;
  return {
    touchstone: versions.touchstone,
    documents,
    preset: preset === null ? "none" : typeof preset === "string" ? preset : "a file",
    readings: [...readings].sort(),
    level,
    enforcement,
    probes: probes === false ? "none" : probes,
    filters: [
      ...plan.interfaces,
      ...plan.sections,
      ...plan.clauses,
      ...(plan.scenarios ?? []),
      ...(shard ? [`shard ${shard.index} of ${shard.of}`] : []),
    ],
    lacks: plan.lacks,
    limit: plan.limit,
    recordings: ownRecordings ? "of its own" : "touchstone's",
  };
}

/** The terms in words, each with how one column has it. */
const told: readonly (readonly [what: string, of: (terms: Terms) => string])[] = [
  ["touchstone", ({ touchstone }) => touchstone],
  // Digests are told apart below: two that differ tell people nothing but that they do.
  ["preset", ({ preset }) => preset],
  ["readings", ({ readings }) => readings.join(", ") || "default"],
  ["level that fails", ({ level }) => level],
  ["enforcement", ({ enforcement }) => enforcement ?? "default"],
  ["probes", ({ probes }) => probes],
  ["recordings", ({ recordings }) => recordings],
  ["asked only", ({ filters }) => filters.join(", ") || "everything"],
  ["said to lack", ({ lacks }) => lacks.join(", ") || "nothing"],
  ["requests at most", ({ limit }) => (limit === null ? "no bound" : String(limit))],
];

/** The terms that the columns do not share; first the clauses they were judged by. */
export function unlikeIn(terms: readonly Terms[]): Unlike[] {
  const names = [...new Set(terms.flatMap(({ documents }) => Object.keys(documents)))].sort();
  const documents = names.map((name) => [
    `clauses of ${name}`,
    (own: Terms) => own.documents[name]?.slice(0, 12) ?? "none",
  ]) as unknown as typeof told;
  return [...documents, ...told].flatMap(([what, of]) => {
    const values = terms.map(of);
    return new Set(values).size > 1 ? [{ what, values }] : [];
  });
}
