/** Asks a target a first question an interface before any suite runs: how it is reached, or what stands in the way, in one line. */
import type { Catalogue } from "../../check/catalogue.ts";
import { type Interface, interfaceNamed, keyClausesOf } from "../../check/interface.ts";
import { judge } from "../../check/judge.ts";
import { createHeadJudge } from "../../check/judge-heads.ts";
import { needsShownBy } from "../../interfaces/needs.ts";
import { UserError } from "../../user-error.ts";
import { evidenceOf, missedEvidence } from "../../verdict/evidence.ts";
import { type Outcome, onAnswers } from "../../verdict/results.ts";
import type { EndpointOverride, Incident } from "../../verdict/run-results.ts";
import type { SentRecord } from "../../verdict/sent-record.ts";
import type { Sender } from "../../wire/send.ts";
import type { JudgedBy } from "../judge/judge-cassette.ts";
import { excerptOf, rateLimited, saysAbsent } from "../judge/request-failure.ts";
import type { Recording } from "../plan/recordings.ts";
import { targetNames } from "../plan/target.ts";
import { keyHeaderOf } from "../send/endpoint-overrides.ts";
import { saysLater } from "../send/retry.ts";
import type { SendContext } from "../send/send-cassette.ts";
import { isGuess, isNotThere, isOdd, isToNobody } from "./absence.ts";
import type { Obstacle } from "./diagnose.ts";
import { beginsWell, doubt, type Reached, reach } from "./reach.ts";

/** The result of the smoke test. */
export interface SmokeTest {
  /** How interfaces are reached, where that is not as documented. */
  readonly overrides: Readonly<Record<string, EndpointOverride>>;
  /** Interfaces that receive no further requests: the target has none of their operations, or only answers 429 or 503. */
  readonly closed: readonly string[];
  /** One an interface. */
  readonly outcomes: readonly Outcome[];
}

/**
 * Asks first questions; UserError where the run makes no sense yet.
 * @param order the requests to come: the first good request of each interface counts, and if it is not found, the first good
 * request of each path
 */
export async function smokeTest(
  given: SendContext & { readonly recordings: readonly Recording[] },
  catalogue: Catalogue,
  sender: Sender,
): Promise<SmokeTest> {
  const order = { ...given, heads: createHeadJudge(catalogue, targetNames(given.target)) };
  const byInterface = goodRequests(order.recordings, catalogue.interfaces);
  const reached = new Map<string, Reached>();
  for (const [of, recordings] of byInterface)
    reached.set(of, await reach(recordings, order, catalogue.interfaces, sender));
  const answering = [...reached].filter(([, one]) => one.state === "answers");
  const keyHeaders = [
    ...new Set(
      answering.flatMap(([of, { override }]) => keyHeaderOf(interfaceNamed(catalogue.interfaces, of), override) ?? []),
    ),
  ];
  const isAlone = answering.length === 0;
  // A key that nothing accepts is an obstacle; beside what answers, a locked interface may be one that is not there.
  for (const [of, one] of reached)
    if (
      one.state === "odd" ||
      (one.state !== "answers" && one.state !== "absent" && (!isAlone || reached.size === 1))
    ) {
      const looked = await doubt(one, order.recordings, keyHeaders, order, catalogue.interfaces, sender);
      if (one.obstacle?.ofKey && isAlone && looked.state === "absent") throw lockedOrAbsent(of, one.obstacle);
      reached.set(of, looked);
    }
  const overrides: Record<string, EndpointOverride> = {};
  const outcomes: Outcome[] = [];
  const absent = new Map<string, readonly SentRecord[]>();
  const limited: string[] = [];
  for (const [of, { state, override, sent, obstacle }] of reached) {
    if (obstacle) throw new UserError(obstacle.problem, obstacle.remedy);
    if (state === "absent") absent.set(of, sent);
    else if (state === "limited") limited.push(of);
    else if (Object.keys(override).length > 0) overrides[of] = override;
    outcomes.push(judgeSmokeTest(sent, order, catalogue));
  }
  if (byInterface.size > 0 && absent.size === byInterface.size)
    throw new UserError(
      `${order.target.url} knows no operation: it answered ${[...absent.values()].map(([first]) => answerTo(first!)).join(", ")}`,
      "Give the address before /v1 or /v1beta, for example http://127.0.0.1:8080 or https://host/gateway.",
    );
  return { overrides, closed: [...absent.keys(), ...limited], outcomes };
}

/** One interface was asked, and refuses the key like a path that nobody has: the key is wrong, or the interface is not there. */
const lockedOrAbsent = (of: string, { problem, remedy }: Obstacle): UserError =>
  new UserError(problem, `${remedy} A path that nobody has is answered alike: perhaps the target has no ${of}.`);

const answerTo = ({ passed: { request, response } }: SentRecord): string =>
  `${request.method} ${request.target.split("?", 1)[0]} with ${response?.status}`;

/**
 * The outcome of one interface's smoke test: nothing, if its requests are answered as documented. A target may take its key
 * elsewhere (reading G-KEY: a rule that is not kept), or know no operation at all (one incident). Pure.
 */
export function judgeSmokeTest(
  sent: readonly SentRecord[],
  { target, policy }: JudgedBy,
  catalogue: Catalogue,
): Outcome {
  const [first] = sent as readonly [SentRecord, ...SentRecord[]];
  if (isNotThere(sent, catalogue.interfaces)) return absenceOutcome(sent, catalogue);
  const limited = sent.find(({ passed }) => saysLater(passed.response));
  if (limited && sent.every((one) => isToNobody(one) || !isAnswered(one)))
    return limitedOutcome(sent, limited, catalogue);
  const last = sent.findLast((one) => !isToNobody(one))!;
  const at = { source: last.source, exchange: last.exchange };
  const options = { names: targetNames(target), policy, side: "request" as const };
  const judged = evidenceOf(judge(last.passed, at, catalogue, options), at, catalogue);
  const moved = first.passed.response?.status !== last.passed.response?.status;
  const onKeys = keyClausesOf(catalogue.interfaces);
  const ofKey = ({ clause }: { readonly clause: string }): boolean =>
    catalogue.interfaces.some(({ keyClauses }) => keyClauses?.place === clause) || (moved && onKeys.has(clause));
  const warned = <T extends { readonly level: string }>(one: T) => ({ ...one, level: "warning" as const });
  const findings = judged.findings.filter(ofKey).map(warned);
  const exercised = [...new Set(findings.map(({ clause }) => clause))];
  const groups = judged.groups.filter(ofKey).map(warned);
  return {
    ...outcomeOf(sent),
    evidence: [{ judged: false, findings, groups, exercised, undecided: [], missed: [] }],
  };
}

/** Whether an answer says anything of an interface: it is there, and does not say "later". */
const isAnswered = ({ passed: { response } }: SentRecord): boolean =>
  !saysLater(response) && !saysAbsent(response) && response?.status !== 401 && response?.status !== 403;

/** One incident, and no verdict on the clauses of an interface that is not there. */
function absenceOutcome(sent: readonly SentRecord[], catalogue: Catalogue): Outcome {
  const [first] = sent as readonly [SentRecord, ...SentRecord[]];
  const excerpt = excerptOf(first.passed.response!, 100);
  const answers = new Set(sent.filter((one) => !isGuess(one, sent) && !isToNobody(one)).map(answerTo));
  const nobody = sent.find(
    (one) => isToNobody(one) && isOdd(one.passed.response!, interfaceNamed(catalogue.interfaces, one.interface)),
  );
  const asNobody = nobody ? ", as it answers a path that nobody has" : "";
  const problem = `the target has no operation of it: it answered ${[...answers].join(", ")}${excerpt && ` (${excerpt})`}${asNobody}`;
  return unsentOutcome(sent, first, { kind: "absent", problem }, `an operation of ${first.interface}`, catalogue);
}

/** One incident, and no verdict on the clauses of an interface that says nothing but "later". */
function limitedOutcome(sent: readonly SentRecord[], limited: SentRecord, catalogue: Catalogue): Outcome {
  const { kind, problem } = rateLimited(limited.passed.request, limited.passed.response!);
  const told = { kind, problem: `${problem}; nothing more of ${limited.interface} was asked` };
  return unsentOutcome(sent, limited, told, told.problem, catalogue);
}

/** The outcome of an interface of which nothing more is sent. */
function unsentOutcome(
  sent: readonly SentRecord[],
  { source, exchange, interface: of, passed: { request, response } }: SentRecord,
  told: Pick<Incident, "kind" | "problem">,
  why: string,
  catalogue: Catalogue,
): Outcome {
  const decidable = onAnswers(catalogue);
  const own = catalogue.clauses.filter((clause) => clause.interface === of && decidable.has(clause.id));
  const operation = `${request.method} ${request.target.split("?", 1)[0]}`;
  const at = { source, exchange, interface: of, operation };
  return {
    ...outcomeOf(sent),
    evidence: [missedEvidence({ clauses: own.map(({ id }) => id), verdict: "no-verdict", why })],
    incidents: [{ ...at, ...told, ...(response && { status: response.status }), needs: [] }],
  };
}

const outcomeOf = (sent: readonly SentRecord[]): Outcome => ({
  source: sent[0]!.source,
  sent,
  unsent: [],
  evidence: [],
  unshown: [],
  incidents: [],
  signs: [],
  reproduce: [],
});

/** Recordings that begin with a good request, of each interface the first a path, models apart; what needs nothing comes before all else. */
function goodRequests(recordings: readonly Recording[], interfaces: readonly Interface[]): Map<string, Recording[]> {
  const found = new Map<string, Map<string, Recording>>();
  const isPlain = ({ needs, exchanges: [first], interface: of }: Recording): boolean =>
    needs.length === 0 &&
    first !== undefined &&
    needsShownBy(first.exchange.request, interfaceNamed(interfaces, of)).length === 0;
  for (const recording of [...recordings.filter(isPlain), ...recordings.filter((one) => !isPlain(one))]) {
    if (!beginsWell(recording)) continue;
    const path = recording.exchanges[0]!.exchange.request.target.split("?", 1)[0]!.replace(/\/models\/[^:]+/, "");
    const own = found.get(recording.interface) ?? new Map<string, Recording>();
    if (!own.has(path)) own.set(path, recording);
    found.set(recording.interface, own);
  }
  return new Map([...found].map(([of, own]) => [of, [...own.values()]]));
}
