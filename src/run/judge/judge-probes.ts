/** Judges the responses of a target to probes (readings X-ENFORCE, X-LEGAL-REFUSED). A pure function of the recorded exchanges. */

import type { Catalogue } from "../../check/catalogue.ts";
import { type Finding, type FindingLevel, isStrict, lenient, levelOf } from "../../check/clause.ts";
import { createGroups } from "../../check/groups.ts";
import { interfaceNamed, type KeyPlace } from "../../check/interface.ts";
import { judge } from "../../check/judge.ts";
import type { Probe, Twin } from "../../check/probe.ts";
import { type Evidence, evidenceOf, missedEvidence } from "../../verdict/evidence.ts";
import type { Outcome } from "../../verdict/results.ts";
import type { Incident } from "../../verdict/run-results.ts";
import type { Answers, SentRecord } from "../../verdict/sent-record.ts";
import { cookieValue } from "../../wire/cookies.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import { pointer } from "../../wire/pointer.ts";
import { targetNames } from "../plan/target.ts";
import { isOtherwiseRefused } from "../reach/wrong-key.ts";
import { isKeyHeader } from "../send/retarget.ts";
import { saysLater } from "../send/retry.ts";
import { beyondUnmet, ignoredNeed } from "./ignored-need.ts";
import { answersOnly, type JudgedBy } from "./judge-cassette.ts";
import {
  accepted,
  answerText,
  legalRefused,
  type Shown,
  shownBeyond,
  shownWithin,
  shownWrongKey,
} from "./probe-outcome.ts";
import { rateLimited } from "./request-failure.ts";
import { unansweredIn } from "./unanswered.ts";

/** Returns the incident for a legal request that the target refused, if each such refusal is an error. */
function legalRequestRefused(exchange: Exchange): Pick<Incident, "kind" | "problem"> {
  const { method, target } = exchange.request;
  const kind = exchange.response!.status >= 500 ? "server-error" : "refused";
  const asked = `${method} ${target.split("?", 1)[0]}`;
  return { kind, problem: `${asked}, which the document allows, was answered with ${answerText(exchange)}` };
}

/** Method and path. They select the operation. */
const addressOf = ({ method, target }: Twin["request"]): string => `${method} ${target.split("?", 1)[0]}`;

/** Returns the place where a variant differs from its twin, read from `how`. A key is in a header, a cookie or the query. */
function placeOf({ how, wrongKey, request }: Probe, key: KeyPlace = {}): Pick<Finding, "in" | "pointer"> {
  const isForm = /^multipart\/form-data\b/i.test(headerValue(request.headers, "content-type") ?? "");
  if (!wrongKey) return { in: isForm ? "form" : "body", pointer: / at (\/.*)$/.exec(how)?.[1] ?? "" };
  if (key.cookie !== undefined && cookieValue(request.headers, key.cookie) !== undefined)
    return { in: "headers", pointer: pointer("cookie", key.cookie) };
  const header = request.headers.find(([name]) => isKeyHeader(name, key))?.[0].toLowerCase();
  return header === undefined
    ? { in: "query", pointer: `/${key.query ?? "key"}` }
    : { in: "headers", pointer: `/${header}` };
}

/** A legal request (the twin) and the probes derived from it. */
export interface ProbeGroup {
  /** Its name in findings: `probes/messages/request/top-k-type`. */
  readonly source: string;
  readonly twin: Twin;
  readonly probes: readonly Probe[];
}

/** Judges the responses to a twin and its probes. Pure: equal records give equal outcomes. */
export function judgeProbes(
  { source, twin, probes }: ProbeGroup,
  answers: Answers,
  { target, policy }: JudgedBy,
  catalogue: Catalogue,
): Outcome {
  const names = targetNames(target);
  const of = interfaceNamed(catalogue.interfaces, twin.interface);
  const evidence: Evidence[] = [];
  const reproduce: Outcome["reproduce"][number][] = [];
  const asked = new Map(answers.sent.map((one) => [one.exchange, one]));
  const unsent = new Map(answers.unsent.map((one) => [one.exchange, one]));
  const undecided = (clauses: readonly string[], why: string): void =>
    void evidence.push(missedEvidence({ clauses, verdict: "no-verdict", why }));

  function toReproduce({ exchange, curl }: SentRecord): void {
    if (curl !== undefined && reproduce.at(-1)?.exchange !== exchange) reproduce.push({ source, exchange, curl });
  }

  /** Judges the response like that of a recorded request. */
  function judgeAnswer(one: SentRecord, request: Twin["request"], beyond: Probe | undefined): void {
    const { exchange, passed, failure } = one;
    // Documents describe responses to legal requests only. The response to an invalid request that the target accepted is
    // not judged: the acceptance is reported (X-ENFORCE), and the response to the twin is judged.
    // Responses from another address are not judged either.
    const isJudged = !beyond || (!accepted(passed) && addressOf(request) === addressOf(twin.request));
    if (!passed.response || failure !== undefined || !isJudged) return;
    const at = { source, exchange };
    const judged = judge(passed, at, catalogue, { names, policy, side: "response", probe: beyond !== undefined });
    const whole = answersOnly(evidenceOf(judged, at, catalogue), catalogue);
    const unmet = ignoredNeed(of, passed, whole, policy);
    const shown = unmet ? beyondUnmet(whole, unmet) : whole;
    evidence.push(shown);
    if (shown.findings.some(({ level }) => level !== "note")) toReproduce(one);
  }

  /** Returns one finding for the place where the request violates the clause, or for the whole clause if judging finds no place. */
  function findingsOn(
    probe: Probe,
    exchange: Exchange,
    position: number,
    shown: Extract<Shown, { level: FindingLevel }>,
  ): Finding[] {
    const clause = catalogue.clauses[catalogue.indexOf(probe.clause)]!;
    const at = { source, exchange: position };
    const told = { level: shown.level, reading: shown.reading, expected: shown.expected, actual: answerText(exchange) };
    if (probe.kind === "beyond") {
      const alone: Exchange = { ...exchange, response: null };
      const { findings } = judge(alone, at, catalogue, { names, policy: lenient, side: "request" });
      const first = findings.find((finding) => finding.clause === probe.clause);
      if (first) return [{ ...first, ...told, message: `${shown.what}: ${first.message}` }];
    }
    return [
      {
        ...at,
        interface: twin.interface,
        operation: twin.operation,
        side: "request",
        ...placeOf(probe, of?.key),
        event: null,
        clause: probe.clause,
        message: `${clause.says} ${shown.what} (${probe.how})`,
        document: clause.document,
        ...told,
      },
    ];
  }

  /** Whether a refusal of this request is always an error: under the chosen readings, the request has no violation. */
  function isAlwaysToAccept(exchange: Exchange): boolean {
    if (!isStrict(policy, legalRefused)) return false;
    const alone: Exchange = { ...exchange, response: null };
    const { findings } = judge(alone, { source, exchange: 0 }, catalogue, { names, policy, side: "request" });
    return !findings.some(({ level }) => level !== "note");
  }

  function shownBy(probe: Probe, passed: Exchange, tries: number): Shown {
    if (probe.wrongKey)
      return shownWrongKey(passed, probe, twin, of, policy, () => isOtherwiseRefused(passed, catalogue, names));
    if (probe.kind === "beyond") return shownBeyond(passed, probe, twin, of, policy);
    const maxLevel = levelOf(catalogue.clauses[catalogue.indexOf(probe.clause)]!);
    const shown = shownWithin(passed, probe, twin, of, maxLevel, isAlwaysToAccept(passed));
    // A single refusal may be temporary.
    return "level" in shown && tries < 2 ? { why: "a second refusal of a value within the rule" } : shown;
  }

  const incidents: Incident[] = [];
  const tell = (exchange: number, told: Pick<Incident, "kind" | "problem" | "notOffered">): void =>
    void incidents.push({
      source,
      exchange,
      interface: twin.interface,
      operation: twin.operation,
      ...told,
      needs: [],
    });
  const whole = (): Outcome => {
    const unanswered = unansweredIn(answers.sent, incidents);
    return {
      ...{ source, ...answers, evidence, unshown: [], incidents, signs: [], reproduce },
      ...(unanswered.length > 0 && { unanswered }),
    };
  };
  /** Reports a response that only demands a retry later (429, 503). From another address it is not about the operation and leaves no gap in a run. */
  function isLimited({ exchange, passed }: SentRecord, request: Twin["request"], about: readonly string[]): boolean {
    if (!passed.response || !saysLater(passed.response)) return false;
    const told = rateLimited(passed.request, passed.response);
    if (addressOf(request) === addressOf(twin.request)) tell(exchange, told);
    undecided(about, told.problem);
    return true;
  }
  const clauses = [...new Set(probes.map(({ clause }) => clause))];
  const unfit = unsent.get(0);
  if (unfit) undecided(clauses, unfit.why);
  const first = asked.get(0);
  if (!first) return whole();
  if (isLimited(first, twin.request, clauses)) return whole();
  judgeAnswer(first, twin.request, undefined);
  if (!accepted(first.passed)) {
    undecided(
      clauses,
      `acceptance of a request within the rule, which ${twin.operation} refused, perhaps since it does not offer what the rule is about: ${answerText(first.passed)}`,
    );
    if (first.passed.response && isAlwaysToAccept(first.passed)) tell(0, legalRequestRefused(first.passed));
    return whole();
  }
  for (const [i, probe] of probes.entries()) {
    const position = i + 1;
    const left = unsent.get(position);
    if (left) undecided([probe.clause], left.why);
    const answer = asked.get(position);
    if (!answer) continue;
    if (isLimited(answer, probe.request, [probe.clause])) continue;
    const beyond = probe.kind === "beyond" ? probe : undefined;
    judgeAnswer(answer, probe.request, beyond);
    if (probe.kind === "stranger") continue;
    const tries = answers.sent.filter(({ exchange }) => exchange === position).length;
    const shown = shownBy(probe, answer.passed, tries);
    if ("why" in shown) {
      undecided([probe.clause], shown.why);
      continue;
    }
    const findings = "level" in shown ? findingsOn(probe, answer.passed, position, shown) : [];
    const groups = createGroups();
    for (const finding of findings) groups.add(finding);
    evidence.push({
      at: { source, exchange: position },
      judged: false,
      findings,
      groups: groups.all(),
      exercised: [probe.clause],
      undecided: [],
      missed: [],
    });
    if (findings.length > 0) toReproduce(answer);
  }
  return whole();
}
