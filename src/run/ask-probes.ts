/** Asks a target for the rules on requests: what breaks one must be refused, what just keeps it accepted, each beside its twin. */
import type { Catalogue } from "../check/catalogue.ts";
import { type Finding, isStrict, type Level, lenient } from "../check/clause.ts";
import { createGroups } from "../check/groups.ts";
import { judge } from "../check/judge.ts";
import type { Probe, Twin } from "../check/probe.ts";
import { type Evidence, evidenceOf, missedEvidence } from "../verdict/evidence.ts";
import type { Outcome } from "../verdict/results.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Sender } from "../wire/send.ts";
import { type Asking, answersOnly } from "./ask.ts";
import { curlOf } from "./curl.ts";
import { plainBody } from "./incident.ts";
import { retarget } from "./retarget.ts";
import { saysLater } from "./retry.ts";
import { secretsOf, withoutSecrets } from "./secrets.ts";
import { targetNames } from "./target.ts";

/** What a clause's probes came to at one request. */
type Shown =
  | { readonly kept: true }
  /** Nothing can be said: what was in the way. */
  | { readonly why: string }
  | { readonly level: Level; readonly reading: string; readonly what: string; readonly expected: string };

const quoted = 200;

/** The status of an answer, with the beginning of what it says. */
function saidBy({ response }: Exchange): string {
  if (!response) return "no answer";
  const decoded = plainBody(response);
  const text = decoded.ok
    ? Buffer.from(decoded.bytes.subarray(0, 2000)).toString("utf8").replace(/\s+/g, " ").trim()
    : "";
  const excerpt = Array.from(text).slice(0, quoted).join("");
  return `status ${response.status}${excerpt && `: ${excerpt}`}`;
}

/** Statuses that speak of who asks or of what is not there, not of the value that was sent. */
const besideTheValue = new Set([401, 402, 403, 404]);

const accepted = ({ response, aborted }: Exchange): boolean =>
  response !== null && aborted === undefined && response.status >= 200 && response.status < 300;

/** Interfaces whose documents name the status of a refused request. */
const naming = new Set(["messages", "generate-content"]);

/** What the answer to a request that breaks a clause shows (reading X-ENFORCE). */
function shownBeyond(exchange: Exchange, { interface: of }: Twin, strict: boolean): Shown {
  const { response, aborted } = exchange;
  if (!response || aborted) return { why: "a whole answer to a request that breaks the rule" };
  if (saysLater(response)) return { why: `an answer in time: rate limited, ${saidBy(exchange)}` };
  const level = strict ? "error" : "warning";
  const expected = naming.has(of) ? "a refusal with a status from 400 to 499" : "a refusal";
  if (accepted(exchange))
    return {
      level,
      reading: "X-ENFORCE",
      expected,
      what: "the rule is not enforced: a request that breaks it was accepted",
    };
  if (response.status >= 500 && naming.has(of))
    return {
      level,
      reading: "X-ENFORCE",
      expected,
      what: "a request that breaks the rule was not refused as the client's fault",
    };
  return response.status >= 400 ? { kept: true } : { why: `an acceptance or a refusal, not ${saidBy(exchange)}` };
}

/** What the answer to a request within the rule shows, whose twin was accepted (reading X-LEGAL-REFUSED). */
function shownWithin(exchange: Exchange, { how }: Probe): Shown {
  const { response, aborted } = exchange;
  if (accepted(exchange)) return { kept: true };
  if (!response || aborted) return { why: "a whole answer to a request within the rule" };
  if (saysLater(response)) return { why: `an answer in time: rate limited, ${saidBy(exchange)}` };
  if (besideTheValue.has(response.status))
    return { why: `a refusal or an acceptance of a value within the rule, not ${saidBy(exchange)}` };
  // A limit is of what is there; another value of a list may be a feature of its own, which is perhaps not offered.
  const isLimit = !how.startsWith("enum");
  return {
    level: isLimit && response.status < 500 ? "error" : "warning",
    reading: "X-LEGAL-REFUSED",
    expected: "acceptance, as of the same request with another value",
    what: `a request within the rule was refused${isLimit ? "" : ", perhaps since what it asks for is not offered"}`,
  };
}

/** An exchange of which only the request is there. */
const unsent: Omit<Exchange, "request"> = { origin: "", started: 0, response: null };

/** Method and path: what decides whether an operation is meant at all. */
const addressOf = ({ method, target }: Twin["request"]): string => `${method} ${target.split("?", 1)[0]}`;

/** Where a variant differs from its twin, as `how` says it. */
const pointerOf = (how: string): string => / at (\/.*)$/.exec(how)?.[1] ?? "";

/**
 * Sends one twin and, where it was accepted, its probes.
 * @param source what findings call the group
 */
export async function askProbes(
  source: string,
  twin: Twin,
  probes: readonly Probe[],
  { target, policy, knownModels }: Asking,
  catalogue: Catalogue,
  sender: Sender,
): Promise<Outcome> {
  const names = targetNames(target);
  const secrets = secretsOf(target);
  const evidence: Evidence[] = [];
  const reproduce: Outcome["reproduce"][number][] = [];
  const strict = isStrict(policy, "X-ENFORCE");

  /** The clauses that a request breaks at error level, by the target's names. */
  const brokenBy = (request: Twin["request"]): string[] =>
    judge({ ...unsent, request }, { source, exchange: 0 }, catalogue, { names, policy: lenient, side: "request" })
      .findings.filter(({ level }) => level === "error")
      .map(({ clause }) => clause);

  /** Sends a request, judges the answer, and gives what passed without credentials. */
  async function ask(position: number, request: Twin["request"], beyond: Probe | undefined) {
    const negative = beyond?.clause.includes(".auth.") ?? false;
    const recorded = { interface: twin.interface, bindings: {}, negative };
    const asked = retarget(request, recorded, target, knownModels);
    // With the target's own models and names a request may break other rules than it did, or none.
    const broken = brokenBy(asked.request);
    if (beyond ? !broken.includes(beyond.clause) : broken.length > 0)
      return {
        unfit: "models and names of the target under which the probe is about this rule alone",
      };
    const { exchange: passed, failure } = await sender.send(asked.origin, asked.request);
    if (failure?.kind === "unreachable") return { gone: failure.problem };
    const exchange = withoutSecrets(passed, target, names);
    const curl = (): void => {
      const command = curlOf(target.shownAs ?? asked.origin, asked.request, secrets);
      if (command !== undefined && reproduce.at(-1)?.exchange !== position)
        reproduce.push({ source, exchange: position, curl: command });
    };
    // What a target makes of a broken request it should have refused is nothing to judge, nor what it says elsewhere.
    const isJudged = !beyond || (!accepted(exchange) && addressOf(request) === addressOf(twin.request));
    if (exchange.response && !failure && isJudged) {
      const at = { source, exchange: position };
      const judged = judge(exchange, at, catalogue, { names, policy, side: "response", probe: beyond !== undefined });
      evidence.push(answersOnly(evidenceOf(judged, at, catalogue), catalogue));
      if (judged.findings.some(({ level }) => level !== "note")) curl();
    }
    return { exchange, curl };
  }

  /** The places that judging names in a request that breaks a clause; the clause alone where it names none. */
  function findingsOn(
    probe: Probe,
    exchange: Exchange,
    position: number,
    shown: Extract<Shown, { level: Level }>,
  ): Finding[] {
    const clause = catalogue.clauses[catalogue.indexOf(probe.clause)]!;
    const at = { source, exchange: position };
    const told = { level: shown.level, reading: shown.reading, expected: shown.expected, actual: saidBy(exchange) };
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
        in: "body",
        event: null,
        pointer: pointerOf(probe.how),
        clause: probe.clause,
        message: `${clause.says} ${shown.what} (${probe.how})`,
        document: clause.document,
        ...told,
      },
    ];
  }

  const first = await ask(0, twin.request, undefined);
  const clauses = [...new Set(probes.map(({ clause }) => clause))];
  if (first.unfit !== undefined) {
    evidence.push(missedEvidence({ clauses, verdict: "no-verdict", why: first.unfit }));
    return { source, evidence, unshown: [], incidents: [], reproduce };
  }
  if (first.gone !== undefined) return { source, evidence, unshown: [], incidents: [], reproduce, gone: first.gone };
  if (!accepted(first.exchange)) {
    const why = `acceptance of a request within the rule, which ${twin.operation} refused, perhaps since it does not offer what the rule is about: ${saidBy(first.exchange)}`;
    evidence.push(missedEvidence({ clauses, verdict: "no-verdict", why }));
    return { source, evidence, unshown: [], incidents: [], reproduce };
  }
  for (const [i, probe] of probes.entries()) {
    const position = i + 1;
    const beyond = probe.kind === "beyond" ? probe : undefined;
    const answer = await ask(position, probe.request, beyond);
    if (answer.unfit !== undefined) {
      evidence.push(missedEvidence({ clauses: [probe.clause], verdict: "no-verdict", why: answer.unfit }));
      continue;
    }
    if (answer.gone !== undefined)
      return { source, evidence, unshown: [], incidents: [], reproduce, gone: answer.gone };
    const shown = beyond ? shownBeyond(answer.exchange, twin, strict) : shownWithin(answer.exchange, probe);
    if ("why" in shown) {
      evidence.push(missedEvidence({ clauses: [probe.clause], verdict: "no-verdict", why: shown.why }));
      continue;
    }
    const findings = "level" in shown ? findingsOn(probe, answer.exchange, position, shown) : [];
    const groups = createGroups();
    for (const finding of findings) groups.add(finding);
    evidence.push({
      judged: false,
      findings,
      groups: groups.all(),
      exercised: [probe.clause],
      undecided: [],
      missed: [],
    });
    if (findings.length > 0) answer.curl();
  }
  return { source, evidence, unshown: [], incidents: [], reproduce };
}
