/** Asks a target one question an interface before any suite runs, so that a wrong address, key or model is one line and no wall of failures. */
import type { Catalogue } from "../check/catalogue.ts";
import { judge } from "../check/judge.ts";
import { UserError } from "../user-error.ts";
import type { Asked } from "../verdict/asked.ts";
import { evidenceOf } from "../verdict/evidence.ts";
import type { Outcome } from "../verdict/results.ts";
import type { WireResponse } from "../wire/exchange.ts";
import type { Sender } from "../wire/send.ts";
import { type Asking, askedOf } from "./ask.ts";
import type { JudgedBy } from "./judge-cassette.ts";
import { modelOf } from "./model.ts";
import { type Obstacle, obstacleIn } from "./obstacle.ts";
import type { Recording } from "./recordings.ts";
import { keyFor, retarget } from "./retarget.ts";
import { type Manners, runSender } from "./sender.ts";
import { targetNames } from "./target.ts";

interface SmokeTest {
  /** What stands in the way; undefined where nothing does. */
  readonly obstacle?: Obstacle;
  readonly asked: readonly Asked[];
}

/**
 * Asks once for each interface; UserError where the run makes no sense yet.
 * @returns the interfaces whose key the target takes in a header alone, and what that comes to
 */
export async function askFirstQuestions(
  order: Asking & { readonly recordings: readonly Recording[]; readonly manners: Manners },
  catalogue: Catalogue,
): Promise<{ readonly interfaces: readonly string[]; readonly outcomes: readonly Outcome[] }> {
  const sender = runSender(order.manners);
  try {
    const { obstacle, asked } = await smokeTest(order.recordings, order, sender);
    if (obstacle) throw new UserError(obstacle.problem, obstacle.remedy);
    const outcomes = asked.map((one) => judgeFirst(one, order, catalogue));
    return { interfaces: keysFound(outcomes), outcomes };
  } finally {
    await sender.close();
  }
}

/** The interfaces whose key the target takes in a header alone: it refused the request that is as documented (reading G-KEY). */
export const keysFound = (firsts: readonly Outcome[]): string[] =>
  firsts.flatMap(({ asked, evidence }) => (evidence[0]?.findings.length ? asked.map((one) => one.interface) : []));

/** What a first question comes to. Where its key stands elsewhere than the document says, the rule on the key is not kept. */
export function judgeFirst(asked: Asked, { target, policy }: JudgedBy, catalogue: Catalogue): Outcome {
  const { source, exchange } = asked;
  const at = { source, exchange };
  const options = { names: targetNames(target), policy, side: "request" as const };
  const judged = evidenceOf(judge(asked.passed, at, catalogue, options), at, catalogue);
  const ofKey = ({ clause }: { readonly clause: string }): boolean => clause === "generate-content.auth.key";
  const findings = judged.findings.filter(ofKey);
  const exercised = findings.map(({ clause }) => clause);
  const groups = judged.groups.filter(ofKey);
  return {
    source,
    asked: [asked],
    unsent: [],
    evidence: [{ judged: false, findings, groups, exercised, undecided: [], missed: [] }],
    unshown: [],
    incidents: [],
    reproduce: [],
  };
}

/** Sends the first good request of each interface. */
async function smokeTest(recordings: readonly Recording[], asking: Asking, sender: Sender): Promise<SmokeTest> {
  const { target } = asking;
  const absent: string[] = [];
  const asked: Asked[] = [];
  const stopped = (obstacle: Obstacle): SmokeTest => ({ obstacle, asked });
  const probes = firstOfEach(recordings);
  for (const recording of probes) {
    const { interface: of } = recording;
    const first = await askFirst(recording, 0, asking, sender);
    if ("problem" in first) return stopped(first);
    asked.push(first.asked);
    const { response, operation, refused } = first;
    if (refused?.ofKey) {
      const again = await askFirst(recording, 1, withKeyInHeader(asking, of), sender);
      if (!("problem" in again) && !again.refused) {
        asked.push(again.asked);
        continue;
      }
    }
    if (refused) return stopped(refused);
    if (response.status === 404 || response.status === 405) absent.push(operation);
  }
  if (probes.length > 0 && absent.length === probes.length)
    return stopped({
      problem: `${target.url} knows no operation: it answered ${absent.join(", ")} with 404 or 405`,
      remedy: "Give the address before /v1 or /v1beta, for example http://127.0.0.1:8080 or https://host/gateway.",
    });
  return { asked };
}

const withKeyInHeader = ({ target, ...asking }: Asking, of: string): Asking => ({
  ...asking,
  target: { ...target, keysInHeaders: [...(target.keysInHeaders ?? []), of] },
});

/** The answer to a first request. */
interface First {
  readonly asked: Asked;
  readonly response: WireResponse;
  readonly operation: string;
  readonly refused: Obstacle | undefined;
}

/** Sends the first request of a recording; an obstacle where no answer came to it. */
async function askFirst(
  { interface: of, bindings, exchanges }: Recording,
  exchange: number,
  asking: Asking,
  sender: Sender,
): Promise<First | Obstacle> {
  const { target } = asking;
  const recorded = { interface: of, bindings, negative: false };
  const made = retarget(exchanges[0]!.exchange.request, recorded, target, asking.knownModels);
  const sent = await sender.send(made.origin, made.request);
  const { failure } = sent;
  const operation = `${made.request.method} ${made.request.target.split("?", 1)[0]}`;
  if (failure?.kind === "unreachable")
    return {
      problem: `${target.url} cannot be reached: ${failure.problem}`,
      remedy: /certificate/i.test(failure.problem)
        ? "Have Node trust it (NODE_EXTRA_CA_CERTS=FILE), or accept any certificate with --insecure."
        : "Start the target (--wait SECONDS waits for it), or correct its address; touchstone run without a target judges the embedded one.",
    };
  if (failure?.kind === "unsendable") throw new Error(`${operation} cannot be sent: ${failure.problem}`);
  const asked = askedOf(
    sent,
    { source: `smoke-test/${of}`, exchange, interface: of, part: "smoke test" as const },
    made,
    target,
    bindings,
  );
  const { response } = asked.passed;
  if (!response)
    return {
      problem: `${target.url} does not answer ${operation}: ${failure?.problem}`,
      remedy: `Make sure an HTTP server for ${of} listens there, or choose others with --interface or --lacks ${of}.`,
    };
  const refused = obstacleIn(response, of, operation, modelOf(made.request), keyFor(target, of) !== undefined);
  return { asked, response, operation, refused };
}

function firstOfEach(recordings: readonly Recording[]): Recording[] {
  const first = new Map<string, Recording>();
  for (const recording of recordings) {
    const response = recording.exchanges[0]?.exchange.response;
    if (recording.violates.length > 0 || !response || response.status < 200 || response.status > 299) continue;
    if (!first.has(recording.interface)) first.set(recording.interface, recording);
  }
  return [...first.values()];
}
