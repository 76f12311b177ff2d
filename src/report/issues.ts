/** The findings as CI systems track them: one issue a group of findings, with a fingerprint that stays the same from run to run. */
import { createHash } from "node:crypto";
import type { FindingLevel, Level } from "../check/clause.ts";
import type { Admission, Upstream } from "../verdict/document.ts";
import { upstreamText } from "./baseline.ts";
import { printable, shortened } from "./clean.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import { clauseTable, groupsByClause, incidentGroups, placeOf } from "./outline.ts";
import { plural } from "./plural.ts";
import { ranked, severity } from "./ranking.ts";
import { unansweredGroups } from "./unanswered.ts";

export interface Issue {
  /** A clause id, or what stands in for one. */
  readonly rule: string;
  /** The sentence of the rule. */
  readonly says: string;
  readonly level: Level;
  /** Whether it makes the whole fail. */
  readonly fails: boolean;
  /** One printable line: what was expected, what came, and where. */
  readonly message: string;
  /** The recording of the first finding; printable. */
  readonly source: string;
  readonly operation: string;
  readonly count: number;
  /** 64 hexadecimal digits: the same for what is wrong in the same way at the same place, whatever the exchange and the values. */
  readonly fingerprint: string;
  readonly expected?: Admission;
  /** How it stands in the baseline; absent where there is none. */
  readonly upstream?: Upstream;
}

/** Issues that are told; CI systems keep no more of one report. */
export const maxIssues = 5000;
const maxQuoteLength = 500;

const fingerprintOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** The issues, what fails first, and how many there are beyond those that are told; what is unenforced is none. */
export function issuesOf(
  results: Results,
  options: ReportOptions,
): { readonly issues: readonly Issue[]; readonly left: number } {
  const clauses = clauseTable(options.clauses);
  const verdicts = new Map(results.clauses.map((clause) => [clause.id, clause]));
  const byClause = groupsByClause(results);
  const found = ranked(results).flatMap(({ id }) => {
    const groups = byClause.get(id)?.groups ?? [];
    return groups.flatMap(([group, [first]]): Issue[] => {
      const { level } = group;
      if (!first || level === "unenforced") return [];
      const verdict = verdicts.get(id);
      const expected = verdict?.expected;
      const upstream = verdict?.upstream;
      const isOwn = !expected && upstream?.outcome !== "fails";
      const stands = upstream === undefined ? "" : `; ${upstreamText(upstream)}`;
      const rest = group.count > 1 ? `; ${group.count} alike in ${plural(group.exchanges, "exchange")}` : "";
      return [
        {
          rule: id,
          says: clauses.get(id)?.says ?? id,
          level,
          // A clause that fails has groups below the level that fails it, too.
          fails: verdict?.verdict === "fail" && isOwn && level === worstLevel(groups),
          message: `expected ${quote(first.expected)}, got ${quote(first.actual)} (${quote(placeOf(first))}${rest}${quote(stands)})`,
          source: quote(first.source),
          operation: quote(first.operation),
          count: group.count,
          fingerprint: fingerprintOf(id, level, group.side, group.in, group.pointer),
          ...(expected && { expected }),
          ...(upstream && { upstream }),
        },
      ];
    });
  });
  const all = [...found, ...(isRun(results) ? runIssues(results) : [])].sort(
    (a, b) => Number(b.fails) - Number(a.fails) || severity[a.level] - severity[b.level],
  );
  return { issues: all.slice(0, maxIssues), left: Math.max(0, all.length - maxIssues) };
}

const worstLevel = (groups: readonly (readonly [{ readonly level: FindingLevel }, unknown])[]): FindingLevel =>
  groups.map(([{ level }]) => level).sort((a, b) => severity[a] - severity[b])[0]!;

const quote = (text: string): string => shortened(printable(text), maxQuoteLength);

/** Issues that only a run has: requests that were not answered as recorded or never, and expectations that nothing needs. */
function runIssues(results: Extract<Results, { readonly plan: unknown }>): Issue[] {
  const unexplained = results.incidents.filter(({ explainedBy }) => explainedBy === undefined);
  const refused = incidentGroups(unexplained).map(({ incidents }): Issue => {
    const [first] = incidents;
    const { interface: of, operation, kind, problem, source, exchange, expected, upstream } = first!;
    const rest = incidents.length > 1 ? `; ${incidents.length} alike` : "";
    const stands = upstream === undefined ? "" : `; ${upstreamText(upstream)}`;
    return {
      rule: "run.answered",
      says: "A request is answered as it was when it was recorded.",
      level: "error",
      fails: !expected && upstream?.outcome !== "fails",
      message: quote(`${problem} (${source}, exchange ${exchange}${rest}${stands})`),
      source: quote(source),
      operation: quote(operation),
      count: incidents.length,
      fingerprint: fingerprintOf(
        ...["run.answered", of, operation, kind, expected?.reason ?? ""],
        ...(upstream ? [upstream.outcome] : []),
      ),
      ...(expected && { expected }),
      ...(upstream && { upstream }),
    };
  });
  const unanswered = unansweredGroups(results).map(
    ({ interface: of, operation, source, count, says, places }): Issue => ({
      rule: "run.unanswered",
      says: "Every request is answered.",
      level: "warning",
      fails: false,
      message: quote(`${says}: ${places.join("; ")}`),
      source: quote(source),
      operation: quote(operation),
      count,
      fingerprint: fingerprintOf("run.unanswered", of, operation),
    }),
  );
  const stale = (results.expectations?.stale ?? []).map(
    (name): Issue => ({
      rule: "run.expectation",
      says: "A known failure fails.",
      level: "error",
      fails: true,
      message: quote(`${name} is a known failure, and does not fail: take the entry out`),
      source: "expectations.json",
      operation: "",
      count: 1,
      fingerprint: fingerprintOf("run.expectation", name),
    }),
  );
  return [...refused, ...unanswered, ...stale];
}
