/** Tries one case on a client: two servers of its own, one question, and what was seen of it. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Exchange } from "../../wire/exchange.ts";
import type { createAnswers } from "../answers.ts";
import type { Case } from "../case.ts";
import type { AskingWay, ClientUnderTest } from "../client-under-test.ts";
import type { InterfaceName } from "../interface-names.ts";
import { type CaseObservation, type Handed, maxExchanges } from "../observation.ts";
import { openOrigins } from "../server/origins.ts";
import { createTrial } from "../server/trial.ts";

/** The observation of a case, with its exchanges. */
export interface TriedCase {
  readonly seen: CaseObservation;
  readonly exchanges: readonly Exchange[];
}

export interface TryOptions {
  /** Milliseconds that a client has. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** The prompt for clients, unless a user gives another. */
export const casePrompt = "Repeat what you were told, word for word.";

/** The key that clients are given. */
export const caseKey = "touchstone-case-key";

/** Milliseconds in which a client that was aborted has to say so, and in which connections that are done with close. */
const graceAfterAbort = 2_000;
const graceToClose = 300;

/** How a client asks so that a case can be shown. */
export function wayOf(one: Case, { form }: Pick<ClientUnderTest, "form">): AskingWay {
  const wanted = one.form ?? form ?? "stream";
  return { stream: wanted === "stream", tools: one.offersTools ?? one.needs === "tools", wants: one.wants };
}

/** Milliseconds that a client is told to wait at most: only in cases which end with that. */
const limitOf = (one: Case, { limit }: ClientUnderTest): number | undefined =>
  one.endsWithLimit && one.due === "error" ? limit : undefined;

/** A random seed, so that words are fresh for every case. */
export const newSeed = (): string => randomUUID();

/** The result of a client that did not end by itself. */
const killed: Omit<Handed, "after"> = { end: "killed" };

export async function tryCase(
  answers: ReturnType<typeof createAnswers>,
  client: ClientUnderTest,
  one: Case,
  name: InterfaceName,
  { timeout, signal }: TryOptions,
): Promise<TriedCase> {
  const seed = newSeed();
  const ask = (await client.prepare?.()) ?? client.ask;
  const abort = new AbortController();
  const answerer = answers(one, seed);
  const trial = createTrial(one, name, seed, (request, place) => {
    const planned = answerer(request, place);
    // More is not kept: what it would still ask changes nothing.
    if (planned.attempt >= maxExchanges) abort.abort();
    return planned;
  });
  const origins = await openOrigins({ trialOf: () => trial });
  const timer = setTimeout(() => abort.abort(), timeout);
  const stop = (): void => abort.abort();
  signal?.addEventListener("abort", stop);
  try {
    const asked = ask({
      ...wayOf(one, client),
      interface: name,
      case: one.id,
      baseUrl: origins.url,
      key: caseKey,
      model: "case-model",
      prompt: casePrompt,
      limit: limitOf(one, client),
      timeout,
      signal: abort.signal,
    });
    const aborted = new Promise<typeof killed>((resolve) =>
      abort.signal.addEventListener("abort", () => void sleep(graceAfterAbort).then(() => resolve(killed))),
    );
    const handed = await Promise.race([asked, aborted]);
    const after = Math.round(performance.now() - trial.started);
    await closing(trial);
    const ended = abort.signal.aborted ? { ...handed, end: "killed" as const } : handed;
    return { seen: trial.observation({ ...ended, after }), exchanges: trial.exchanges() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    await origins.close();
  }
}

/** Waits a moment for connections to be closed on which an answer is still to come. */
export async function closing(trial: ReturnType<typeof createTrial>): Promise<void> {
  for (let waited = 0; waited < graceToClose && trial.isSending(); waited += 10) await sleep(10);
}
