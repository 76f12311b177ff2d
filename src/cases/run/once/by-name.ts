/** Cases by name: each request to one running program's server names its case as the model. */
import type { Catalogue } from "../../../check/catalogue.ts";
import { routeOf } from "../../../check/route.ts";
import { modelOf } from "../../../interfaces/model.ts";
import type { Program } from "../../../program/program.ts";
import { jsonReply } from "../../../reference/answer.ts";
import type { WireRequest } from "../../../wire/exchange.ts";
import { pathOf } from "../../../wire/target.ts";
import { caseNamed } from "../../all-cases.ts";
import { answerOf, type createAnswers } from "../../answers.ts";
import type { CaseEvidence } from "../../client-document.ts";
import { type Handed, maxExchanges } from "../../observation.ts";
import { openOrigins } from "../../server/origins.ts";
import { createTrial, type Trial } from "../../server/trial.ts";
import { sourceOfPlanned } from "../ledger.ts";
import { graceToEnd, startClient } from "../program-client.ts";
import type { Planned } from "../run-cases.ts";
import { caseKey, casePrompt, closing, newSeed, wayOf } from "../try-case.ts";
import { createReportReader } from "./report-lines.ts";
import { createTail } from "./tail.ts";

export interface OnceContext {
  readonly catalogue: Catalogue;
  readonly answers: ReturnType<typeof createAnswers>;
  readonly command: readonly string[];
  /** Milliseconds a case may take. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** Told of the evidence of each case; false where the program is of no use. */
  readonly tried: (evidence: CaseEvidence) => boolean;
}

/** Everything else that is seen of a program. */
export interface Besides {
  /** Its requests that named no case, the first few. */
  readonly strangers: string[];
  /** Whether it ever told of a case. */
  hasReported: boolean;
  /** Its output when it ended. */
  printed: Pick<Handed, "output" | "errors">;
}

/** The model that stands for a case: some clients and paths take no `/` in it. */
export const modelNameOf = (id: string): string => id.replaceAll("/", ".");

/** The list of cases that `GET /cases` gives, in the order in which a program should go through them. */
const listOf = (plan: readonly Planned[]) =>
  plan.map(({ one, interface: name }) => {
    const { stream, tools, wants } = wayOf(one, {});
    return {
      ...{ case: one.id, interface: name, model: modelNameOf(one.id), stream, tools, wants, says: one.says },
      prompt: casePrompt,
    };
  });

/** The evidence of a case that was never asked for, or whose end is not seen. */
export const evidenceOf = (trial: Trial, handed: Omit<Handed, "after">, after: number): CaseEvidence => ({
  seen: trial.observation({ ...handed, after }),
  exchanges: trial.exchanges(),
});

export function trialFor({ answers }: Pick<OnceContext, "answers">, { one, interface: name }: Planned): Trial {
  const seed = newSeed();
  return createTrial(one, name, seed, answers(one, seed));
}

/** A case that was asked for. */
interface Entry {
  readonly planned: Planned;
  readonly trial: Trial;
  /** Number of requests that named the case. */
  requests: number;
  timer?: NodeJS.Timeout;
  isSettled: boolean;
}

/** The rest of some cases when a program has ended. */
interface Rest {
  /** Cases of which one ended the program. */
  readonly suspects: readonly Planned[];
  readonly unasked: readonly Planned[];
  /** Whether starting it again may show more. */
  readonly goesOn: boolean;
}

/** Bytes of standard error that say why a program ended. */
const maxLastWords = 64 << 10;

/** Milliseconds between two looks at whether a program still does something. */
const lookPause = 50;

/** @param deadline `performance.now` at which the program is ended, whatever it does */
async function tryBatch(
  context: OnceContext,
  batch: readonly Planned[],
  besides: Besides,
  deadline: number,
): Promise<Rest> {
  const { catalogue, command, timeout, signal, tried } = context;
  const planned = new Map(batch.map((one) => [sourceOfPlanned(one), one]));
  const bySource = new Map<string, Entry>();
  const settling: Promise<void>[] = [];
  const stray = trialFor(context, { one: caseNamed("plain"), interface: "chat-completions" });
  const lastWords = createTail(maxLastWords);
  let program: Program | undefined;
  let lastProgress = performance.now();
  let hangs = false;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    void program?.end(graceToEnd);
  };

  function settle(entry: Entry, handed: Omit<Handed, "after">): void {
    if (entry.isSettled) return;
    entry.isSettled = true;
    clearTimeout(entry.timer);
    const after = Math.round(performance.now() - entry.trial.started);
    const told = (): void => {
      if (!tried(evidenceOf(entry.trial, handed, after))) end();
    };
    settling.push(closing(entry.trial).then(told));
  }

  /** A case takes too long: a program that tells of its cases hangs; of any other nothing is known. */
  function overdue(entry: Entry): void {
    if (!besides.hasReported) settle(entry, { end: "unseen" });
    else {
      hangs = true;
      settle(entry, { end: "killed" });
      end();
    }
  }

  function entryOf(source: string): Entry | undefined {
    const own = planned.get(source);
    const known = bySource.get(source);
    if (known || !own) return known;
    const entry: Entry = { planned: own, trial: trialFor(context, own), requests: 0, isSettled: false };
    entry.timer = setTimeout(overdue, timeout, entry);
    lastProgress = performance.now();
    bySource.set(source, entry);
    return entry;
  }

  function trialOf(request: WireRequest): Trial {
    const route = routeOf(catalogue.interfaces, request.method, request.target);
    if (!route) return stray;
    const model = modelOf(request, route.interface.model);
    const name = model?.split("/").at(-1);
    const own = batch.find((one) => one.interface === route.interface.name && modelNameOf(one.one.id) === name);
    const entry = own && entryOf(sourceOfPlanned(own));
    if (entry) {
      if (++entry.requests <= maxExchanges) lastProgress = performance.now();
      return entry.trial;
    }
    if (request.method === "POST" && besides.strangers.length < 3)
      besides.strangers.push(`${pathOf(request.target)} with the model ${model}`);
    return stray;
  }

  const reports = createReportReader(({ case: id, interface: of, handed }) => {
    const open = [...bySource.values()].find(
      ({ planned: one, isSettled }) => !isSettled && one.one.id === id && (of === undefined || one.interface === of),
    );
    const source = batch.find((one) => one.one.id === id && (of === undefined || one.interface === of));
    const entry = open ?? (source && entryOf(sourceOfPlanned(source)));
    if (!entry) return;
    besides.hasReported = true;
    settle(entry, handed);
  });

  const list = answerOf(jsonReply(200, listOf(batch)));
  const origins = await openOrigins({
    trialOf,
    aside: ({ method, target }) => (method === "GET" && pathOf(target) === "/cases" ? list : undefined),
  });
  signal?.addEventListener("abort", end);
  const looking = setInterval(() => {
    const isOpen = [...bySource.values()].some(({ isSettled }) => !isSettled);
    const now = performance.now();
    if (now > deadline || (!isOpen && now - lastProgress > timeout)) end();
  }, lookPause);
  try {
    const values = { base_url: origins.url, key: caseKey, prompt: casePrompt };
    program = await startClient(command, catalogue.interfaces, values, (from, bytes) => {
      if (from === "stdout") reports(bytes);
      else lastWords.add(bytes);
    });
    if (signal?.aborted) end();
    const { exitCode, signal: by, stdout, stderr } = await program.ended;
    besides.printed = { output: stdout.bytes.toString("utf8"), errors: stderr.bytes.toString("utf8") };
    const open = [...bySource.values()].filter(({ isSettled }) => !isSettled);
    const fails = exitCode !== 0 && !isOver;
    const [only] = open;
    if (fails && only && open.length === 1) {
      settle(only, { end: "exited", exitCode, ...(by && { signal: by }), errors: lastWords.take() });
    } else if (!fails || open.length === 0) for (const entry of open) settle(entry, { end: "unseen" });
    const hasProgress = settling.length > 0;
    await Promise.all(settling);
    return {
      suspects: open.filter(({ isSettled }) => !isSettled).map((entry) => entry.planned),
      unasked: batch.filter((one) => !bySource.has(sourceOfPlanned(one))),
      goesOn: (fails || hangs) && (hasProgress || open.length > 0) && !signal?.aborted,
    };
  } finally {
    clearInterval(looking);
    for (const { timer } of bySource.values()) clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    await origins.close();
  }
}

/**
 * Has a program go through cases, and starts it again for the rest where one case ends it, or never ends. Ends it for good after
 * twice the time of a case for each case and for its start.
 * @returns the milliseconds of that bound if it was reached
 */
export async function tryByName(
  context: OnceContext,
  plan: readonly Planned[],
  besides: Besides,
): Promise<number | undefined> {
  const bound = 2 * context.timeout * (plan.length + 1);
  const deadline = performance.now() + bound;
  const batches = [plan];
  for (let batch = batches.shift(); batch && !context.signal?.aborted; batch = batches.shift()) {
    if (batch.length === 0) continue;
    const rest = await tryBatch(context, batch, besides, deadline);
    if (performance.now() > deadline) return bound;
    batches.push(...rest.suspects.map((one) => [one]));
    if (rest.goesOn) batches.push(rest.unasked);
  }
  return undefined;
}
