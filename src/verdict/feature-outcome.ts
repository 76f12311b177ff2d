/** Says of one feature whether a target has it, by what its recordings and clauses came to. */
import { byExchange, compare, type ExchangePlace } from "../check/finding-order.ts";
import type { ClauseVerdict } from "./document.ts";
import type { AnswerSigns, FeatureOutcome, Incident, PlannedCassette, RunResults } from "./run-results.ts";
import type { Violation } from "./violations.ts";

/** The evidence of a run, as all features read it. */
export interface Shown extends Pick<RunResults, "plan" | "incidents" | "clauses"> {
  readonly answers: readonly AnswerSigns[];
  /** Interfaces that answered a good request well. */
  readonly answering: ReadonlySet<string>;
  readonly violations: readonly Violation[];
}

/** Whether an answer is a reply: success in status and content. */
export const isGood = ({ status, isError }: Pick<AnswerSigns, "status" | "isError">): boolean =>
  status >= 200 && status <= 299 && !isError;

/** A feature of a target, as `schemas/features.json` describes it. */
export interface Feature {
  /** `<interface>/<name>`. */
  readonly name: string;
  readonly says: string;
  /** The recordings that ask for it: those that fit one of these. */
  readonly scenarios: readonly ScenarioPattern[];
  /** Clauses without which it is broken; `*` stands for anything. */
  readonly clauses: readonly string[];
  /** Clauses on how a reply comes: one that violates them is of no use, and one that keeps them shows nothing of the feature. */
  readonly form?: readonly string[];
  /** The part that every reply to it holds: a reply without it is of no use. */
  readonly everyReply?: string;
  /**
   * The signs in a reply, one of which shows it: the parts it holds; `input-tokens`: it counts more than the same request
   * without what is sent; `refusal`: a bad request was refused. If this is absent, a clause of it that passes shows it.
   */
  readonly shownBy?: readonly string[];
  /** An interface without it is none: a refusal has to say that it is not offered. */
  readonly required?: true;
}

export interface ScenarioPattern {
  readonly sections?: readonly string[];
  /** The needs that the recording may have, and of which it has one; none at all if this is empty. */
  readonly needs?: readonly string[];
  /** The recording's own name; `*` stands for anything. */
  readonly named?: readonly string[];
}

const matcher = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);

/** Tells whether any of the patterns fits a name; `*` stands for anything. */
export function fittingAny(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set(patterns);
  const matchers = patterns.filter((pattern) => pattern.includes("*")).map(matcher);
  return (name) => names.has(name) || matchers.some((one) => one.test(name));
}

/** Whether a recording asks for a feature. */
export function asksFor({ name, scenarios }: Feature, cassette: Omit<PlannedCassette, "exchanges">): boolean {
  if (!name.startsWith(`${cassette.interface}/`)) return false;
  const own = cassette.needs ?? [];
  const called = cassette.source
    .split("/")
    .at(-1)!
    .replace(/\.jsonl?$/, "");
  return scenarios.some(
    ({ sections, needs, named }) =>
      (sections?.includes(cassette.section) ?? true) &&
      (needs === undefined || (own.every((need) => needs.includes(need)) && own.length > 0 === needs.length > 0)) &&
      (named === undefined || fittingAny(named)(called)),
  );
}

/** An exchange of a feature's recordings that shows that it does not work. */
export interface Failure extends ExchangePlace {
  readonly clause?: string;
}

/** The outcome of one feature. */
export function featureOutcome(feature: Feature, run: Shown): FeatureOutcome {
  const { name } = feature;
  const of = name.slice(0, name.indexOf("/"));
  const told = (
    outcome: FeatureOutcome["outcome"],
    why: string,
    by?: FeatureOutcome["decidedBy"],
    faults: readonly string[] = [],
  ): FeatureOutcome => ({ name, outcome, faults, why, ...(by && { decidedBy: placeOf(by) }) });

  const absent = run.incidents.find((one) => one.kind === "absent" && one.interface === of);
  if (absent) return told("not offered", `the target has no ${of}`, absent);
  const asked = run.plan.cassettes.filter((cassette) => asksFor(feature, cassette));
  const sent = new Set(asked.filter(({ skipped }) => skipped === undefined).map(({ source }) => source));
  const [skipped] = asked;
  if (skipped && sent.size === 0) return told("not offered", `${skipped.skipped} is listed in lacks`);
  const answers = run.answers.filter((one) => sent.has(one.source) && isAbout(feature, one));
  // A reply that only ignored a need is an answer to all else.
  const answered = new Set(answers.map(keyOf));
  const unanswered = run.incidents.filter(
    (one) => sent.has(one.source) && one.kind !== "rate-limited" && !answered.has(keyOf(one)),
  );
  const unexplained = unanswered.filter(({ explainedBy }) => explainedBy === undefined);
  const incidents = answers.length > 0 ? unexplained : unanswered;
  if (answers.length + incidents.length === 0) return told("not shown", "nothing that was answered asked for it");
  if (answers.length === 0 && incidents.every(({ kind }) => kind === "refused")) {
    if (!run.answering.has(of)) return told("not shown", `every request to ${of} was refused`, incidents[0]);
    if (!feature.required || incidents.every(({ notOffered }) => notOffered))
      return told("not offered", "every request for it was refused", incidents[0]);
  }

  const isOwn = fittingAny(feature.clauses);
  const own = run.clauses.filter(({ id }) => isOwn(id));
  const isNeeded = fittingAny([...feature.clauses, ...(feature.form ?? [])]);
  const failed = new Set(
    run.clauses.filter(({ id, verdict }) => verdict === "fail" && isNeeded(id)).map(({ id }) => id),
  );
  // How a refusal is worded is no fault of what it does not refuse.
  const refused = new Set(unanswered.filter(({ explainedBy }) => explainedBy !== undefined).map(keyOf));
  const found = run.violations.filter((one) => !one.isNote && sent.has(one.source) && !refused.has(keyOf(one)));
  const useless = answers.filter((one) => one.isError || isEmpty(feature, one));
  const faults = [
    ...new Set([
      ...incidents.map(({ source }) => source),
      ...useless.map(({ source }) => source),
      ...found.map(({ clause }) => clause),
      ...own.filter(({ verdict }) => verdict === "fail" || verdict === "warning").map(({ id }) => id),
    ]),
  ].sort(compare);
  const failures = failuresOf(
    incidents,
    useless,
    found.filter(({ clause }) => failed.has(clause)),
  );
  const all = new Set([...answers, ...incidents].map(keyOf)).size;
  const [first] = failures;
  if (first && failures.length * 2 > all)
    return told("broken", `${failures.length} of ${all} exchanges that ask for it fail`, first, faults);
  const evidence = evidenceFor(feature, answers, own, run);
  if (typeof evidence === "string") return told("not shown", evidence);
  if (faults.length === 0) return told("works", evidence.why, evidence.by);
  const fault = first ?? found[0] ?? (evidence.by && { ...evidence.by, clause: faults[0]! });
  return told("works, with faults", faults.length === 1 ? faults[0]! : `${faults.length} faults`, fault, faults);
}

const placeOf = ({ source, exchange, clause }: Failure): Failure => ({
  source,
  exchange,
  ...(clause !== undefined && { clause }),
});

const keyOf = ({ source, exchange }: ExchangePlace): string => `${exchange} ${source}`;

/** Each exchange that fails, once, in order. */
function failuresOf(...lists: readonly [readonly Incident[], readonly AnswerSigns[], readonly Violation[]]): Failure[] {
  const [incidents, answers, findings] = lists;
  const places = new Map<string, Failure>();
  for (const one of [...findings, ...answers, ...incidents]) places.set(keyOf(one), one);
  return [...places.values()].sort(byExchange);
}

/** Whether a good reply lacks what each holds; one that the model refused holds its refusal. */
export const isEmpty = ({ everyReply }: Feature, answer: AnswerSigns): boolean =>
  everyReply !== undefined && isGood(answer) && !answer.holds.includes(everyReply);

/** Whether an exchange asks for a feature that needs something; one beside it is there to be compared with. */
function isAbout({ scenarios }: Feature, { asks }: AnswerSigns): boolean {
  const needs = scenarios.flatMap((one) => one.needs ?? []);
  return needs.length === 0 || needs.some((need) => asks.includes(need));
}

/** Statuses that speak of the address, whatever was asked there. */
const ofAddress = new Set([404, 405]);

/** Statuses that speak of who asks: others say more. */
const ofKey = new Set([401, 403]);

/** Tokens that a reply has to count more for what says more: a placeholder may name a size or a file, and grows by less. */
const minGrowth = 16;

/** Tokens that only something read takes, whatever it says: a placeholder is a sentence, and few models take less for a picture. */
const minFixedPrice = 50;

interface Evidence {
  readonly why: string;
  readonly by?: Failure;
}

/** Signs that read oddly by their names. */
const signWords: Readonly<Record<string, string>> = {
  call: "a tool call",
  calls: "several tool calls",
  choices: "several choices",
  picture: "a picture",
  sound: "sound",
  continuation: "the continuation of the prefilled text",
  "answer-to-tool-result": "an answer to a tool result",
};

/** Whether a feature is shown by what a reply holds, and not by a refusal, by usage or by clauses. */
export const isShownByParts = ({ shownBy }: Feature): boolean =>
  shownBy !== undefined && !shownBy.includes("refusal") && !shownBy.includes("input-tokens");

/** The evidence that a feature works, or the reason why nothing shows it. */
function evidenceFor(
  { shownBy, name }: Feature,
  answers: readonly AnswerSigns[],
  own: readonly ClauseVerdict[],
  run: Shown,
): Evidence | string {
  if (shownBy === undefined) {
    const kept = own.find(({ verdict }) => verdict === "pass") ?? own.find(({ verdict }) => verdict === "warning");
    if (!kept) return own.length > 0 ? "no answer showed a clause of it" : "nothing in an answer shows it";
    return { why: kept.id, ...(kept.shownIn && { by: { ...kept.shownIn, clause: kept.id } }) };
  }
  if (shownBy.includes("refusal")) {
    if (!run.answering.has(name.slice(0, name.indexOf("/")))) return "no good request was answered";
    const refusals = answers.filter(({ status }) => status >= 400 && status <= 499 && !ofAddress.has(status));
    const refusal = refusals.find(({ status }) => !ofKey.has(status)) ?? refusals[0];
    return refusal ? { why: `status ${refusal.status}`, by: refusal } : "no bad request was refused as such";
  }
  const good = answers.filter(isGood);
  if (shownBy.includes("input-tokens")) return growth(good, run);
  const holding = good.find(({ holds }) => shownBy.some((sign) => holds.includes(sign)));
  return holding
    ? { why: `holds ${shownBy.find((sign) => holding.holds.includes(sign))}`, by: holding }
    : `no answer contains ${shownBy.map((sign) => signWords[sign] ?? sign).join(" or ")}`;
}

/**
 * Whether replies count what was sent with a request: more for one that says more, or for each of them more than a placeholder
 * takes. The last reply of each recording is to a request that says more than the first.
 */
function growth(answers: readonly AnswerSigns[], run: Shown): Evidence | string {
  let seen = "no usage to compare with and without it";
  for (const source of new Set(answers.map((one) => one.source))) {
    const [small, ...larger] = answers.filter((one) => one.source === source && one.inputTokens !== undefined);
    const plain = run.answers.find(
      (one) => one.source === source && isGood(one) && small !== undefined && one.asks.length < small.asks.length,
    );
    if (small?.inputTokens === undefined || plain?.inputTokens === undefined) continue;
    const large = larger.at(-1) ?? small;
    const [without, few, many] = [plain.inputTokens, small.inputTokens, large.inputTokens!];
    const why = `${few === many ? many : `${few} and ${many}`} input tokens with it, ${without} without`;
    const grows = many >= without + minGrowth && many >= few + minGrowth;
    // Less for what says more: its bytes were counted, or a cache knew it.
    const isFixed = Math.min(few, many) >= without + minFixedPrice && many > few - minGrowth;
    if (grows || isFixed) return { why, by: grows ? large : small };
    seen = `${why}: as for a placeholder`;
  }
  return seen;
}
