/** The parts that readable reports share: counts by section, findings by clause, what is open and what would decide it. */
import type { Clause, Finding } from "../check/clause.ts";
import type { ClauseVerdict, RunResults, Verdict } from "../verdict/document.ts";
import { redsOf } from "../verdict/outcome.ts";
import { isRun, type Results } from "./options.ts";

export const verdicts: readonly Verdict[] = ["pass", "fail", "untested", "skipped", "no-verdict", "broken"];

export type Counts = Readonly<Record<Verdict, number>>;

export function countVerdicts(clauses: readonly ClauseVerdict[]): Counts {
  const counts = { pass: 0, fail: 0, untested: 0, skipped: 0, "no-verdict": 0, broken: 0 };
  for (const { verdict } of clauses) counts[verdict]++;
  return counts;
}

export interface SectionOutline {
  readonly interface: string;
  readonly section: string;
  readonly clauses: readonly ClauseVerdict[];
}

/** Clauses by interface and section, in the order of their ids. */
export function sectionsOf(results: Results): SectionOutline[] {
  const sections = new Map<string, { interface: string; section: string; clauses: ClauseVerdict[] }>();
  for (const clause of results.clauses) {
    const [of = "", section = ""] = clause.id.split(".");
    const key = `${of}.${section}`;
    let entry = sections.get(key);
    if (!entry) sections.set(key, (entry = { interface: of, section, clauses: [] }));
    entry.clauses.push(clause);
  }
  return [...sections.values()];
}

/** Findings by clause id, in order. */
export function findingsByClause(results: Results): Map<string, Finding[]> {
  const byClause = new Map<string, Finding[]>();
  for (const finding of results.findings) {
    const list = byClause.get(finding.clause);
    if (list) list.push(finding);
    else byClause.set(finding.clause, [finding]);
  }
  return byClause;
}

export function clauseTable(clauses: readonly Clause[]): ReadonlyMap<string, Clause> {
  return new Map(clauses.map((clause) => [clause.id, clause]));
}

/** Where a finding stands, for people: `chat/x.json, exchange 0: response body /choices/0`. */
export function placeOf({ source, exchange, side, in: place, event, pointer }: Finding): string {
  const where = place === "stream" ? `event ${event ?? "?"} of the stream` : `${side} ${place}`;
  return `${source}, exchange ${exchange}: ${where}${pointer && ` at ${pointer}`}`;
}

export function plural(n: number, noun: string, many = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : many}`;
}

/** What stays open, by what would decide it: reason to clause ids. */
export function openQuestions(clauses: readonly ClauseVerdict[], verdict: Verdict): Map<string, string[]> {
  const questions = new Map<string, string[]>();
  for (const { id, verdict: own, needs = [] } of clauses)
    if (own === verdict) for (const need of needs) questions.set(need, [...(questions.get(need) ?? []), id]);
  return questions;
}

/** What it all came to. */
export interface Standing {
  readonly state: "incomplete" | "broken" | "fails" | "conforms";
  /** Why it fails, each with its count. */
  readonly reasons: readonly string[];
  /** Failures that the target admits to. */
  readonly excused: number;
}

export function standingOf(results: Results): Standing {
  const counts = countVerdicts(results.clauses);
  const reds = isRun(results) ? redsOf(results) : undefined;
  const failing = reds ? reds.failing.length : counts.fail;
  const reasons = [
    ...(failing > 0 ? [`${plural(failing, "clause")} ${failing === 1 ? "fails" : "fail"}`] : []),
    ...(reds?.incidents.length ? [`${plural(reds.incidents.length, "request")} not answered as recorded`] : []),
    ...(reds?.stale.length ? [plural(reds.stale.length, "stale expectation")] : []),
  ];
  const state = !results.complete
    ? "incomplete"
    : counts.broken > 0
      ? "broken"
      : reasons.length > 0
        ? "fails"
        : "conforms";
  return { state, reasons, excused: counts.fail - failing };
}

/** The command that sends the request of a finding or an incident again, where it is short enough to be read. */
export function commandFor(
  { reproduce }: RunResults,
  at: { readonly source: string; readonly exchange: number },
  longest: number,
): string | undefined {
  const curl = reproduce.find(({ source, exchange }) => source === at.source && exchange === at.exchange)?.curl;
  return curl === undefined || curl.length <= longest
    ? curl
    : `(${curl.length} characters; it stands in results.json of --out DIR, under reproduce)`;
}
