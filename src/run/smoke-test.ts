/** Asks a target a first question an interface before any suite runs: how it is reached, or what stands in the way, in one line. */
import type { Catalogue } from "../check/catalogue.ts";
import { judge } from "../check/judge.ts";
import { UserError } from "../user-error.ts";
import type { Asked } from "../verdict/asked.ts";
import { evidenceOf, missedEvidence } from "../verdict/evidence.ts";
import { type Outcome, onAnswers } from "../verdict/results.ts";
import type { Way } from "../verdict/run-results.ts";
import type { WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import type { Sender } from "../wire/send.ts";
import { type Asking, askedOf } from "./ask.ts";
import { excerptOf, saysAbsent } from "./incident.ts";
import type { JudgedBy } from "./judge-cassette.ts";
import { modelOf } from "./model.ts";
import { type Obstacle, obstacleIn } from "./obstacle.ts";
import type { Recording } from "./recordings.ts";
import { keyFor, retarget } from "./retarget.ts";
import { targetNames } from "./target.ts";
import { otherAddresses, otherKeyHeaders } from "./ways.ts";

/** What the first questions showed. */
export interface FirstLook {
  /** How interfaces are reached, where that is not as documented. */
  readonly ways: Readonly<Record<string, Way>>;
  /** Interfaces of which the target knows no operation: nothing more is asked of them. */
  readonly absent: readonly string[];
  /** One an interface. */
  readonly outcomes: readonly Outcome[];
}

/** A first question, and how it was answered. */
interface First {
  readonly asked: Asked;
  readonly response: WireResponse;
  readonly operation: string;
  readonly refused: Obstacle | undefined;
}

/** What findings call the first questions of an interface. */
export const firstQuestionsOf = (of: string): string => `smoke-test/${of}`;

/**
 * Asks first questions; UserError where the run makes no sense yet.
 * @param order what is going to be asked: of each interface the first good request counts, and of one that is not found the
 * first good request of each path
 */
export async function askFirstQuestions(
  order: Asking & { readonly recordings: readonly Recording[] },
  catalogue: Catalogue,
  sender: Sender,
): Promise<FirstLook> {
  const ways: Record<string, Way> = {};
  const outcomes: Outcome[] = [];
  const absent = new Map<string, readonly Asked[]>();
  const byInterface = goodRequests(order.recordings);
  for (const [of, recordings] of byInterface) {
    const { way, asked } = await reach(recordings, order, sender);
    if (!way) absent.set(of, asked);
    else if (Object.keys(way).length > 0) ways[of] = way;
    outcomes.push(judgeFirst(asked, order, catalogue));
  }
  if (byInterface.size > 0 && absent.size === byInterface.size)
    throw new UserError(
      `${order.target.url} knows no operation: it answered ${[...absent.values()].map(([first]) => answerTo(first!)).join(", ")}`,
      "Give the address before /v1 or /v1beta, for example http://127.0.0.1:8080 or https://host/gateway.",
    );
  return { ways, absent: [...absent.keys()], outcomes };
}

const answerTo = ({ passed: { request, response } }: Asked): string =>
  `${request.method} ${request.target.split("?", 1)[0]} with ${response?.status}`;

/**
 * What the first questions of one interface come to: nothing, where its requests are answered as documented. A target may take
 * its key elsewhere (reading G-KEY: a rule that is not kept), or know no operation at all (one incident). Pure.
 */
export function judgeFirst(asked: readonly Asked[], { target, policy }: JudgedBy, catalogue: Catalogue): Outcome {
  const [first] = asked as readonly [Asked, ...Asked[]];
  if (asked.every((one) => saysAbsent(one.passed.response) || (isGuess(one, first) && !isMeant(one.passed.response!))))
    return absenceOutcome(asked, catalogue);
  const last = asked.at(-1)!;
  const at = { source: last.source, exchange: last.exchange };
  const options = { names: targetNames(target), policy, side: "request" as const };
  const judged = evidenceOf(judge(last.passed, at, catalogue, options), at, catalogue);
  const moved = first.passed.response?.status !== last.passed.response?.status;
  const ofKey = ({ clause }: { readonly clause: string }): boolean =>
    clause === "generate-content.auth.key" || (moved && clause.split(".")[1] === "auth");
  const warned = <T extends { readonly level: string }>(one: T) => ({ ...one, level: "warning" as const });
  const findings = judged.findings.filter(ofKey).map(warned);
  const exercised = [...new Set(findings.map(({ clause }) => clause))];
  const groups = judged.groups.filter(ofKey).map(warned);
  return {
    ...outcomeOf(asked),
    evidence: [{ judged: false, findings, groups, exercised, undecided: [], missed: [] }],
  };
}

/** Whether this is the first question again, at another address. */
const isGuess = (one: Asked, first: Asked): boolean =>
  one !== first && Buffer.from(one.passed.request.body).equals(first.passed.request.body);

/** One incident, and no verdict on the clauses of an interface that is not there. */
function absenceOutcome(asked: readonly Asked[], catalogue: Catalogue): Outcome {
  const [first] = asked as readonly [Asked, ...Asked[]];
  const { source, exchange, interface: of, passed } = first;
  const decidable = onAnswers(catalogue);
  const clauses = catalogue.clauses.filter((clause) => clause.interface === of && decidable.has(clause.id));
  const excerpt = excerptOf(passed.response!, 100);
  const answers = [...new Set(asked.filter((one) => !isGuess(one, first)).map(answerTo))].join(", ");
  return {
    ...outcomeOf(asked),
    evidence: [
      missedEvidence({ clauses: clauses.map(({ id }) => id), verdict: "no-verdict", why: `an operation of ${of}` }),
    ],
    incidents: [
      {
        source,
        exchange,
        interface: of,
        operation: `${passed.request.method} ${passed.request.target.split("?", 1)[0]}`,
        kind: "absent",
        problem: `the target has no operation of it: it answered ${answers}${excerpt && ` (${excerpt})`}`,
        needs: [],
      },
    ],
  };
}

const outcomeOf = (asked: readonly Asked[]): Outcome => ({
  source: asked[0]!.source,
  asked,
  unsent: [],
  evidence: [],
  unshown: [],
  incidents: [],
  reproduce: [],
});

/**
 * Finds out how an interface is reached: as documented first, then at other addresses, then with the key elsewhere.
 * @returns what was asked, all of it; no way where the interface is not there
 */
async function reach(
  recordings: readonly Recording[],
  asking: Asking,
  sender: Sender,
): Promise<{ readonly way?: Way; readonly asked: readonly Asked[] }> {
  const [recording] = recordings;
  const { interface: of } = recording!;
  const asked: Asked[] = [];
  const ask = async (one: Recording, way: Way): Promise<First> => {
    const first = await askFirst(one, asked.length, along(way, of, asking), sender);
    asked.push(first.asked);
    return first;
  };
  let way: Way = {};
  let first = await ask(recording!, way);
  if (isAbsent(first)) {
    const path = recording!.exchanges[0]!.exchange.request.target;
    for (const other of otherAddresses(asking.target.url, path)) {
      const again = await ask(recording!, other);
      if (isAbsent(again) || !isMeant(again.response)) continue;
      way = other;
      first = again;
      break;
    }
  }
  if (isAbsent(first)) {
    for (const other of recordings.slice(1)) if (!isAbsent(await ask(other, {}))) return { way, asked };
    return { asked };
  }
  if (!first.refused) return { way, asked };
  for (const keyHeader of first.refused.ofKey ? (otherKeyHeaders[of] ?? []) : []) {
    const again = await ask(recording!, { ...way, keyHeader });
    if (!again.refused && !isAbsent(again)) return { way: { ...way, keyHeader }, asked };
  }
  throw new UserError(first.refused.problem, first.refused.remedy);
}

const isAbsent = ({ response, refused }: First): boolean => !refused && saysAbsent(response);

/** Whether an answer at a guessed address is one to the request: what is not there is told with any status, and pages with success. */
function isMeant({ status, headers, body }: WireResponse): boolean {
  if (status === 401 || status === 403) return true;
  const isWhole = status >= 200 && status <= 299;
  const type = headerValue(headers, "content-type") ?? "";
  return (
    isWhole && (/event-stream/i.test(type) || /^\s*\{(?!\s*"error")/.test(excerptOf({ status, headers, body }, 40)))
  );
}

const along = (way: Way, of: string, { target, ...asking }: Asking): Asking => ({
  ...asking,
  target: { ...target, ways: { ...target.ways, [of]: way } },
});

/** Sends the first request of a recording; UserError where no answer came to it. */
async function askFirst(
  { interface: of, bindings, exchanges }: Recording,
  exchange: number,
  asking: Asking,
  sender: Sender,
): Promise<First> {
  const { target } = asking;
  const recorded = { interface: of, bindings, negative: false };
  const made = retarget(exchanges[0]!.exchange.request, recorded, target, asking.knownModels);
  const sent = await sender.send(made.origin, made.request);
  const { failure } = sent;
  const operation = `${made.request.method} ${made.request.target.split("?", 1)[0]}`;
  if (failure?.kind === "unreachable")
    throw new UserError(
      `${target.url} cannot be reached: ${failure.problem}`,
      /certificate/i.test(failure.problem)
        ? "Have Node trust it (NODE_EXTRA_CA_CERTS=FILE), or accept any certificate with --insecure."
        : "Start the target (--wait SECONDS waits for it), or correct its address; touchstone run without a target judges the embedded one.",
    );
  if (failure?.kind === "unsendable") throw new Error(`${operation} cannot be sent: ${failure.problem}`);
  const asked = askedOf(
    sent,
    { source: firstQuestionsOf(of), exchange, interface: of, part: "smoke test" as const },
    made,
    target,
    bindings,
  );
  const { response } = asked.passed;
  if (!response)
    throw new UserError(
      `${target.url} does not answer ${operation}: ${failure?.problem}`,
      `Make sure an HTTP server for ${of} listens there, or choose others with --interface or --lacks ${of}.`,
    );
  const refused = obstacleIn({
    response,
    interface: of,
    operation,
    model: modelOf(made.request),
    keyGiven: keyFor(target, of) !== undefined,
    sent: made.request.headers.map(([name]) => name.toLowerCase()),
    url: target.url,
    location: sent.exchange.response && headerValue(sent.exchange.response.headers, "location"),
  });
  return { asked, response, operation, refused };
}

/** Recordings that begin with a good request, of each interface the first a path; models apart. */
function goodRequests(recordings: readonly Recording[]): Map<string, Recording[]> {
  const found = new Map<string, Map<string, Recording>>();
  for (const recording of recordings) {
    const { request, response } = recording.exchanges[0]?.exchange ?? {};
    if (recording.violates.length > 0 || !request || !response || response.status < 200 || response.status > 299)
      continue;
    const path = request.target.split("?", 1)[0]!.replace(/\/models\/[^:]+/, "");
    const own = found.get(recording.interface) ?? new Map<string, Recording>();
    if (!own.has(path)) own.set(path, recording);
    found.set(recording.interface, own);
  }
  return new Map([...found].map(([of, own]) => [of, [...own.values()]]));
}
