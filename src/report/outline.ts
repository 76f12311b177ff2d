/** The parts that readable reports share: counts by section, findings by clause, what is open and what would decide it. */
import type { Clause, Finding } from "../check/clause.ts";
import type { ExchangePlace } from "../check/finding-order.ts";
import { findingsByGroup } from "../check/groups.ts";
import { inheritedIn } from "../verdict/baseline.ts";
import type { ClauseVerdict, Group, Verdict } from "../verdict/document.ts";
import { countedClauses, interfacesLacking } from "../verdict/offered.ts";
import { isRefusedThroughout, redsOf } from "../verdict/outcome.ts";
import type { Incident, RunResults } from "../verdict/run-results.ts";
import { countStandings, standingOf, standingWords } from "../verdict/standing.ts";
import { inferredText } from "./inferred-names.ts";
import { notOfferedText } from "./not-offered.ts";
import { isRun, type Results } from "./options.ts";
import { plural } from "./plural.ts";
import { severity } from "./ranking.ts";

/** The verdicts in the order of sums and tables. */
export const verdicts: readonly Verdict[] = ["pass", "warning", "fail", "broken", "no-verdict", "skipped", "untested"];

export type Counts = Readonly<Record<Verdict, number>>;

export function countVerdicts(clauses: readonly ClauseVerdict[]): Counts {
  const counts = { pass: 0, warning: 0, fail: 0, unenforced: 0, untested: 0, skipped: 0, "no-verdict": 0, broken: 0 };
  for (const { verdict } of clauses) counts[verdict]++;
  return counts;
}

/** `509 clauses: 458 pass, 3 fail, 39 untested, 9 no verdict`: the sum of all clauses that reports count. */
export function clausesText(results: Results): string {
  const clauses = countedClauses(results);
  const texts = countTexts(clauses).map(({ text }) => text);
  return `${plural(clauses.length, "clause")}: ${texts.join(", ") || "none"}`;
}

/** `7 pass`, `5 fail`, `1 known failure`: each verdict of some clauses with its text. Known and inherited failures stand apart. */
export function countTexts(clauses: readonly ClauseVerdict[]): { readonly verdict: Verdict; readonly text: string }[] {
  const counts = countStandings(clauses.map(standingOf));
  return verdicts.flatMap((verdict) => [
    ...(counts[verdict] > 0 ? [{ verdict, text: `${counts[verdict]} ${standingWords[verdict].word}` }] : []),
    ...(verdict === "fail" && counts.expected > 0
      ? [{ verdict: "warning" as const, text: plural(counts.expected, "known failure") }]
      : []),
    ...(verdict === "fail" && counts.inherited > 0
      ? [{ verdict: "warning" as const, text: `${counts.inherited} ${standingWords.inherited.word}` }]
      : []),
  ]);
}

export interface SectionOutline {
  readonly interface: string;
  readonly section: string;
  readonly clauses: readonly ClauseVerdict[];
}

/** Clauses by interface and section, in the order of their ids. */
export function sectionsOf(clauses: readonly ClauseVerdict[]): SectionOutline[] {
  const sections = new Map<string, { interface: string; section: string; clauses: ClauseVerdict[] }>();
  for (const clause of clauses) {
    const [of = "", section = ""] = clause.id.split(".");
    const key = `${of}.${section}`;
    let entry = sections.get(key);
    if (!entry) sections.set(key, (entry = { interface: of, section, clauses: [] }));
    entry.clauses.push(clause);
  }
  return [...sections.values()];
}

/** The findings of one clause: its groups, each with the findings that are listed. */
export interface ClauseGroups {
  readonly id: string;
  readonly groups: readonly (readonly [group: Group, listed: readonly Finding[]])[];
}

/** Groups by clause id, in order; of a clause the most serious first, then those of most exchanges. */
export function groupsByClause({ groups, findings }: Results): Map<string, ClauseGroups> {
  const byClause = new Map<string, { id: string; groups: [Group, Finding[]][] }>();
  for (const [group, listed] of findingsByGroup(groups, findings)) {
    const known = byClause.get(group.clause);
    if (known) known.groups.push([group, listed]);
    else byClause.set(group.clause, { id: group.clause, groups: [[group, listed]] });
  }
  for (const { groups: own } of byClause.values())
    own.sort(([a], [b]) => severity[a.level] - severity[b.level] || b.exchanges - a.exchanges);
  return byClause;
}

/** The rules on requests whose violation a target accepts, `interface.section` to clause ids; none where nobody wants to hear of them. */
export function unenforcedRules(results: Results): Map<string, string[]> {
  const bySection = new Map<string, string[]>();
  if (isRun(results) && results.options.enforcement === "off") return bySection;
  for (const { id, verdict } of results.clauses) {
    if (verdict !== "unenforced") continue;
    const section = id.slice(0, id.lastIndexOf("."));
    bySection.set(section, [...(bySection.get(section) ?? []), id]);
  }
  return bySection;
}

/** `478 request rules are unenforced`: the one line that they cost; empty where there is none. */
export function unenforcedText(results: Results): string {
  const count = [...unenforcedRules(results).values()].flat().length;
  return count === 0 ? "" : `${plural(count, "request rule")} ${count === 1 ? "is" : "are"} unenforced`;
}

/** `, only messages`: the filters of a run, which judged only what they let through. */
export function filtersText({ plan }: RunResults): string {
  const names = [...plan.interfaces, ...plan.sections, ...plan.clauses, ...(plan.scenarios ?? [])];
  return names.length > 0 ? `, only ${names.join(", ")}` : "";
}

/** `66 requests of 63 recordings, 2 left out for what the target lacks, and 921 probes`. */
export function sentText({ plan }: RunResults): string {
  const skipped = plan.cassettes.filter((cassette) => cassette.skipped !== undefined).length;
  const probed = (plan.probes ?? []).reduce((sum, { requests }) => sum + requests, 0);
  return [
    `${plural(plan.exchanges, "request")} of ${plural(plan.cassettes.length - skipped, "recording")}`,
    ...(skipped > 0 ? [`${skipped} left out for what the target lacks`] : []),
    ...(probed > 0 ? [`and ${plural(probed, "probe")}`] : []),
  ].join(", ");
}

/** The planned requests of a run, by what became of them: rows that add up to the first. */
export function requestRows(results: RunResults): [says: string, count: number][] {
  const { plan, summary } = results;
  const probes = plan.probes ?? [];
  const probed = (of: typeof probes): number => of.reduce((sum, { requests }) => sum + requests, 0);
  const planned = Math.max(plan.exchanges + probed(probes), summary.exchanges);
  const lacking = interfacesLacking(results);
  const sent = plan.cassettes.filter(({ skipped, interface: of }) => skipped === undefined && lacking.includes(of));
  const elsewhere =
    sent.reduce((sum, { exchanges }) => sum + exchanges, 0) +
    probed(probes.filter((one) => lacking.includes(one.interface)));
  const notOffered = Math.min(elsewhere, planned - summary.exchanges);
  return [
    ["requests planned", planned],
    ["responses judged", summary.exchanges],
    ["for interfaces that are not offered", notOffered],
    [
      "without a response to judge: not sent, incomplete, rate limited, or accepted although invalid",
      planned - summary.exchanges - notOffered,
    ],
  ];
}

/** Places of one clause that reports show; the others are counted, and stand in results.json. */
const shownPlaces = 3;

export interface Places {
  readonly finding: Finding;
  /** `… and 297 more like it in 11 exchanges`, where there are more. */
  readonly more?: string;
}

/** The first places of a clause, one a group where there are several groups, and how many there are beside them. */
export function placesOf({ groups }: ClauseGroups): { readonly places: readonly Places[]; readonly others: string } {
  const each = groups.length === 1 ? shownPlaces : 1;
  const places = groups.slice(0, shownPlaces).flatMap(([{ count, exchanges }, listed]) => {
    const shown = listed.slice(0, each).map((finding): Places => ({ finding }));
    const last = shown.at(-1);
    const rest = count - shown.length;
    if (last && rest > 0)
      shown[shown.length - 1] = { ...last, more: `… and ${rest} more like it in ${plural(exchanges, "exchange")}` };
    return shown;
  });
  const left = groups.slice(shownPlaces);
  const findings = left.reduce((sum, [{ count }]) => sum + count, 0);
  const others = left.length > 0 ? `and ${findings} more at ${plural(left.length, "other place")}` : "";
  return { places, others };
}

/** Clauses by id. */
export type Clauses = ReadonlyMap<string, Clause>;

export function clauseTable(clauses: readonly Clause[]): Clauses {
  return new Map(clauses.map((clause) => [clause.id, clause]));
}

/** The place of a finding, for people: `chat/x.json, exchange 0: response body /choices/0`. */
export function placeOf({
  source,
  exchange,
  side,
  in: place,
  event,
  pointer,
}: Pick<Finding, "source" | "exchange" | "side" | "in" | "event" | "pointer">): string {
  const where = place === "stream" ? `event ${event ?? "?"} of the stream` : `${side} ${place}`;
  return `${source}, exchange ${exchange}: ${where}${pointer && ` at ${pointer}`}`;
}

/** The open clauses, by what would decide them: reason to clause ids. */
export function openQuestions(clauses: readonly ClauseVerdict[], verdict: Verdict): Map<string, string[]> {
  const questions = new Map<string, string[]>();
  for (const { id, verdict: own, needs = [] } of clauses)
    if (own === verdict) for (const need of needs) questions.set(need, [...(questions.get(need) ?? []), id]);
  return questions;
}

export interface OpenReason {
  readonly verdict: "no-verdict" | "skipped" | "untested";
  readonly reason: string;
  readonly ids: readonly string[];
}

/** Why answers showed nothing of a clause: none could, or none did. */
export const untestedReason = (clause: Clause | undefined): string =>
  clause?.unasked === undefined ? "no answer showed them" : "no run asks for them";

/** Clauses without a verdict, by why they have none; each clause once. */
export function openReasons(clauses: readonly ClauseVerdict[], known: Clauses): OpenReason[] {
  return (["no-verdict", "skipped", "untested"] as const).flatMap((verdict) => {
    const byReason = new Map<string, string[]>();
    for (const { id, verdict: own, needs = [] } of clauses) {
      if (own !== verdict) continue;
      const why = needs.join("; ") || (verdict === "untested" ? untestedReason(known.get(id)) : "nothing says why");
      byReason.set(why, [...(byReason.get(why) ?? []), id]);
    }
    return [...byReason].map(([reason, ids]) => ({ verdict, reason, ids }));
  });
}

export interface IncidentGroup {
  readonly incidents: readonly Incident[];
  /** Why they are expected, where they are. */
  readonly expected?: string;
}

/** Requests of one operation that were not answered as recorded, in the same way, for the same admitted reason, and alike in the baseline. */
export function incidentGroups(incidents: readonly Incident[]): IncidentGroup[] {
  const groups = new Map<string, { incidents: Incident[]; expected?: string }>();
  for (const incident of incidents) {
    const { interface: of, operation, kind, expected, explainedBy, upstream } = incident;
    const key = JSON.stringify([
      ...[of, operation, kind, expected?.reason ?? null, explainedBy ?? null],
      upstream?.outcome ?? null,
    ]);
    const known = groups.get(key);
    if (known) known.incidents.push(incident);
    else groups.set(key, { incidents: [incident], ...(expected && { expected: expected.reason }) });
  }
  return [...groups.values()];
}

/** The conclusion of it all. */
export interface Conclusion {
  readonly state: "incomplete" | "broken" | "fails" | "conforms";
  /** Why it fails, each with its count. */
  readonly reasons: readonly string[];
  /** Failures that the target admits to. */
  readonly excused: number;
  /** Failures that the baseline shares: clauses, and requests not answered as recorded. */
  readonly inherited: number;
  /** Clauses violated at warning level only. */
  readonly warned: number;
  /** Requests that were rate limited to the last. */
  readonly limited: number;
  /** Exchanges of which at least a part was not judged. */
  readonly unjudged: number;
}

export function conclusionOf(results: Results): Conclusion {
  const counts = countVerdicts(results.clauses);
  const reds = redsOf(results);
  const failing = reds.failing.length;
  const shared = inheritedIn(results);
  const reasons = [
    ...(failing > 0 ? [`${plural(failing, "clause")} ${failing === 1 ? "fails" : "fail"}`] : []),
    ...(reds.incidents.length > 0 ? [`${plural(reds.incidents.length, "request")} not answered as recorded`] : []),
    ...(reds.stale.length > 0 ? [plural(reds.stale.length, "stale known failure")] : []),
  ];
  const limited = reds.limited.length;
  const state = !results.complete
    ? "incomplete"
    : counts.broken > 0
      ? "broken"
      : reasons.length > 0
        ? "fails"
        : limited > 0 || (isRun(results) && isRefusedThroughout(results))
          ? "incomplete"
          : "conforms";
  return {
    state,
    reasons,
    excused: counts.fail - failing - shared.clauses.length,
    inherited: shared.clauses.length + shared.incidents.length,
    warned: counts.warning,
    limited,
    unjudged: results.summary.unjudged,
  };
}

/** `3 clauses, 1 request not answered as recorded`: what also fails upstream; empty if nothing does. */
export function inheritedText(results: Results, isWithWarnings = false): string {
  const { clauses, warnings, incidents } = inheritedIn(results);
  return [
    ...(clauses.length > 0 ? [plural(clauses.length, "clause")] : []),
    ...(incidents.length > 0 ? [`${plural(incidents.length, "request")} not answered as recorded`] : []),
    ...(isWithWarnings && warnings.length > 0 ? [plural(warnings.length, "warning")] : []),
  ].join(", ");
}

/** The failures in spite of which results conform: `1 known failure`, `3 failures that also fail upstream`. */
export function exceptionsOf({ excused, inherited }: Pick<Conclusion, "excused" | "inherited">): string[] {
  return [
    ...(excused > 0 ? [plural(excused, "known failure")] : []),
    ...(inherited > 0
      ? [`${plural(inherited, "failure")} that also ${inherited === 1 ? "fails" : "fail"} upstream`]
      : []),
  ];
}

/** The conclusion of results, in the words with which every report ends. */
export function conclusionText(results: Results): string {
  const conclusion = conclusionOf(results);
  const { state, reasons, limited } = conclusion;
  const shared = inheritedText(results);
  const but = exceptionsOf(conclusion).join(" and ");
  return {
    incomplete: results.complete ? `INCOMPLETE: ${undecidedText(limited)}` : `INCOMPLETE${lostText(results)}`,
    broken: "BROKEN: a check itself failed",
    fails: `DOES NOT CONFORM: ${reasons.join(", ")}${shared === "" ? "" : `; also fails upstream: ${shared}`}`,
    conforms: `${but === "" ? "conforms" : `conforms but for ${but}`} ${extentText(results)}`,
  }[state];
}

/** Why a run did not end, where its target was lost: the request that ended it, or those in flight. */
export function lostText(results: Results): string {
  const lost = isRun(results) ? results.lost : undefined;
  if (!lost) return "";
  const placeText = ({ source, exchange }: ExchangePlace): string => `${source} #${exchange}`;
  if (lost.endedBy) return `: the target stops when it receives ${placeText(lost.endedBy)}`;
  const alone = lost.survived ? "; it answers each of these when sent alone" : "";
  return `: the target could not be reached any more; in flight: ${lost.inFlight.map(placeText).join(", ")}${alone}`;
}

/** Why a run that ended decided nothing. */
export const undecidedText = (limited: number): string =>
  limited > 0
    ? `${plural(limited, "request")} ${limited === 1 ? "was" : "were"} rate limited to the last`
    : "every request was refused, so that nothing was shown";

/** `as far as tested`, or how far what is offered goes. */
export function extentText(results: Results): string {
  const missing = notOfferedText(results);
  return missing === "" ? "as far as tested" : `as far as offered; ${missing}`;
}

/** Facts that a run found out by itself: how its target is reached, one sentence an interface, and which names it uses. */
export function foundOut({ options: { ways }, inferred }: RunResults): string[] {
  const names = inferredText(inferred);
  const reached = Object.entries(ways).map(([of, { base, version, keyHeader }]) => {
    const parts = [
      ...(base === undefined ? [] : [`below ${base}`]),
      ...(version === undefined
        ? []
        : [version === "" ? "without the version in its paths" : `with ${version} in its paths`]),
      ...(keyHeader === undefined ? [] : [`with its key in the header ${keyHeader}`]),
    ];
    return `${of} is reached ${parts.join(", ")}; as documented it was not`;
  });
  return names === "" ? reached : [...reached, names];
}
