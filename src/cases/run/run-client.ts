/** A run against a client: the plain answer first, then all other cases, and those that went amiss once more. */
import type { Catalogue } from "../../check/catalogue.ts";
import { routeOf } from "../../check/route.ts";
import { UserError } from "../../user-error.ts";
import { pathOf } from "../../wire/target.ts";
import { caseNamed, casesOf } from "../all-cases.ts";
import { createAnswers } from "../answers.ts";
import type { CaseEvidence } from "../client-document.ts";
import type { ClientUnderTest } from "../client-under-test.ts";
import type { CaseResult } from "../document.ts";
import { everyInterface, type InterfaceName } from "../interface-names.ts";
import { quoted } from "../judge/words.ts";
import type { Handed } from "../observation.ts";
import { openOrigins } from "../server/origins.ts";
import { createTrial, type Trial } from "../server/trial.ts";
import { createLedger, type LedgerOptions } from "./ledger.ts";
import { type Planned, runCases } from "./run-cases.ts";
import { caseKey, casePrompt, newSeed } from "./try-case.ts";

export interface RunClientOptions extends Pick<LedgerOptions, "known" | "keep"> {
  /** Interfaces that the client is tried with; those that it asks by itself, unless said. */
  readonly interfaces?: readonly InterfaceName[] | undefined;
  /** Patterns of cases; all unless said. */
  readonly cases?: readonly string[] | undefined;
  /** Milliseconds a case may take. */
  readonly timeout: number;
  /** Cases under way at a time. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  /** Told how far it is. */
  readonly progress?: ((tried: number, of: number, result: CaseResult) => void) | undefined;
  /** Told how many of the failing cases were tried once more. */
  readonly retried?: ((tried: number, of: number) => void) | undefined;
}

export interface ClientRun {
  readonly interfaces: readonly InterfaceName[];
  readonly evidence: readonly CaseEvidence[];
  /** Whether every case was tried. */
  readonly isComplete: boolean;
}

/** Cases under way at a time while the processor is idle: each takes the memory of a client. */
const maxWaiting = 16;

/** Cases that take their time, which begin first. */
const isLong = ({ one }: Planned): boolean =>
  one.endsWithLimit === true || /slow|silence|waiting|retry|^endless/.test(one.id);

/** Asks one plain question, and tells apart by what is asked which interfaces the client speaks. */
async function askPlainly(
  catalogue: Catalogue,
  answers: ReturnType<typeof createAnswers>,
  client: ClientUnderTest,
  { timeout, signal, interfaces }: RunClientOptions,
): Promise<{ readonly evidence: readonly CaseEvidence[] } & Pick<PlainAsk, "handed" | "asked" | "broken">> {
  const plain = caseNamed("plain");
  const trials = new Map<InterfaceName, Trial>();
  const asked: string[] = [];
  const broken: string[] = [];
  const trialOf = (name: InterfaceName): Trial => {
    const known = trials.get(name);
    if (known) return known;
    const seed = newSeed();
    const trial = createTrial(plain, name, seed, answers(plain, seed));
    trials.set(name, trial);
    return trial;
  };
  const origins = await openOrigins({
    broken: (problem) => void broken.push(problem),
    trialOf({ method, target }) {
      if (asked.length < 5) asked.push(`${method} ${pathOf(target)}`);
      const route = routeOf(catalogue.interfaces, method, target);
      const name = everyInterface.find((one) => one === route?.interface.name);
      return trialOf(name ?? [...trials.keys()][0] ?? interfaces?.[0] ?? "chat-completions");
    },
  });
  const started = performance.now();
  const limit = AbortSignal.timeout(timeout);
  const abort = signal ? AbortSignal.any([limit, signal]) : limit;
  const [own] = interfaces ?? client.interfaces;
  try {
    const given = await client.ask({
      interface: own ?? "chat-completions",
      case: plain.id,
      stream: client.form !== "whole",
      tools: false,
      baseUrl: origins.url,
      key: caseKey,
      model: "case-model",
      prompt: casePrompt,
      timeout,
      signal: abort,
    });
    const after = Math.round(performance.now() - started);
    const handed: Handed = { ...given, ...(abort.aborted && { end: "killed" }), after };
    const evidence = [...trials.values()].map((trial) => ({
      seen: trial.observation(handed),
      exchanges: trial.exchanges(),
    }));
    return { evidence, handed, asked, broken };
  } finally {
    await origins.close();
  }
}

/** What a client made of the plain question. */
export interface PlainAsk {
  readonly handed: Handed;
  /** The first requests. */
  readonly asked: readonly string[];
  /** Why bytes that it sent are no request that is read here. */
  readonly broken?: readonly string[] | undefined;
  /** The interface that it was to speak; undefined: any. */
  readonly wanted: InterfaceName | undefined;
  /** What it made of the answer, by the interfaces that it spoke. */
  readonly results: readonly CaseResult[];
}

/** Why a client cannot be tried at all, in one line and one that says what to do. */
export function useless(name: string, { handed, asked, broken = [], wanted, results }: PlainAsk): UserError {
  const result = results.find((one) => wanted === undefined || one.interface === wanted);
  const printed = quoted(`${handed.output ?? ""} ${handed.errors ?? ""}`);
  const said = printed === "" ? "it printed nothing" : `it printed: ${printed}`;
  const how = handed.signal ? `ended by ${handed.signal}` : `exited with ${handed.exitCode}`;
  const ending = handed.end === "exited" && handed.exitCode !== 0 ? `it ${how}, and ${said}` : said;
  if (asked.length === 0 && broken.length > 0)
    return new UserError(
      `${name} sent bytes that are no request of HTTP/1.1: ${broken[0]}`,
      "Have it speak HTTP/1.1 without TLS: the base URL begins with http://.",
    );
  if (asked.length === 0)
    return new UserError(
      `${name} asked nothing: ${ending}`,
      "Have it use {base_url} in its arguments, or a variable that its SDK reads, such as OPENAI_BASE_URL.",
    );
  if (!result) {
    if (results.length > 0)
      return new UserError(
        `${name} asked nothing of ${wanted}: it asked ${asked.join(", ")}, which is of ${results[0]!.interface}`,
        `Have it speak ${wanted}, or leave out --interface.`,
      );
    return new UserError(
      `${name} asked ${asked.join(", ")}, which is of no interface that touchstone knows`,
      "See that it speaks chat completions, images, messages or generate content, and that its base URL has the right path.",
    );
  }
  const exit = handed.end === "exited" ? `; it ${how}` : "";
  return new UserError(
    `${name} does not work with a plain good answer: ${result.why}${exit}; ${said}`,
    "It has to print the answer, and exit with 0 where all is well.",
  );
}

/** Tries a client with all cases of its interfaces. Throws UserError where it does not work with the plain answer. */
export async function runClient(
  catalogue: Catalogue,
  client: ClientUnderTest,
  options: RunClientOptions,
): Promise<ClientRun> {
  const { cases: patterns = [], progress, retried, signal } = options;
  const answers = createAnswers(catalogue);
  const ledger = createLedger(answers, { ...options, limit: client.limit });

  /** Tries the plain answer. @returns the interfaces with which it came out */
  async function tryPlainly(): Promise<readonly InterfaceName[]> {
    const known = ledger.plain();
    const wanted: readonly (InterfaceName | undefined)[] = options.interfaces ??
      [client.interfaces, known].find((interfaces) => interfaces.length > 0) ?? [undefined];
    const names: InterfaceName[] = [];
    let failure: UserError | undefined;
    for (const name of wanted) {
      if (name !== undefined && known.includes(name)) {
        names.push(name);
        continue;
      }
      const { evidence, handed, asked, broken } = await askPlainly(catalogue, answers, client, {
        ...options,
        interfaces: name && [name],
      });
      if (signal?.aborted) return [];
      const results = evidence
        .map((one) => ({ one, result: ledger.judged(one) }))
        .filter(({ result }) => result.outcome !== "not-shown");
      const good = results.filter(
        ({ result }) => result.outcome === "works" && (name === undefined || result.interface === name),
      );
      for (const { one } of good) {
        ledger.keep(one);
        names.push(one.seen.interface as InterfaceName);
      }
      if (good.length === 0)
        failure ??= useless(client.name, {
          handed,
          asked,
          broken,
          wanted: name,
          results: results.map(({ result }) => result),
        });
    }
    // One interface that does not work says nothing of the others.
    if (names.length === 0 && failure) throw failure;
    return names;
  }

  const names = await tryPlainly();
  const all = names.flatMap((name) => casesOf(name, patterns).map((one): Planned => ({ one, interface: name })));
  const plan = all.filter((planned) => !ledger.has(planned));
  let tried = all.length - plan.length;
  const whileIdle = options.concurrency === 1 ? 1 : maxWaiting;
  await runCases(answers, client, [...plan.filter(isLong), ...plan.filter((one) => !isLong(one))], {
    ...options,
    whileIdle,
    done(evidence) {
      const result = ledger.tried(evidence);
      progress?.(++tried, all.length, result);
    },
  });
  // A busy machine looks like a slow client: nothing is held against it that a second look does not show.
  if (!signal?.aborted) {
    const again = ledger.failed(plan);
    let repeated = 0;
    await runCases(answers, client, again, {
      ...options,
      concurrency: Math.max(1, Math.floor(options.concurrency / 2)),
      whileIdle,
      done(evidence) {
        ledger.retried(evidence);
        retried?.(++repeated, again.length);
      },
    });
    if (!signal?.aborted) ledger.finish();
  }
  const isComplete = !signal?.aborted && all.every(ledger.has);
  return { interfaces: names, evidence: ledger.of(all, names), isComplete };
}
