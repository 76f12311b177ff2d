/**
 * The thread that asks a target: suites by `@vitest/runner` alone, which is what vitest itself runs tests with, then probes.
 * Its state belongs to a thread, so that a run may be started from within somebody's own tests; judging goes on beside it.
 * It takes one order after the other.
 */
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { startTests, test, type VitestRunner } from "@vitest/runner";
import { suiteFor } from "../../../suites/suites.ts";
import { createHeadJudge } from "../../check/judge-heads.ts";
import { home } from "../../home.ts";
import type { Answers } from "../../verdict/sent-record.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import type { Recording } from "../plan/recordings.ts";
import { hasOwnModels, targetNames } from "../plan/target.ts";
import { sendProbes } from "./probes.ts";
import { type SendContext, sendCassette } from "./send-cassette.ts";
import { wavesOf } from "./send-schedule.ts";
import { runSender } from "./sender.ts";
import { createSlots } from "./slots.ts";
import type { SuiteMessage, SuiteOrder } from "./suite-messages.ts";

const tell = (message: SuiteMessage, buffers: ArrayBuffer[] = []): void => parentPort!.postMessage(message, buffers);

/** Sends answers with their bodies in memory of their own, which changes threads without being copied; small ones share a pool that others use. */
function tellAnswers(source: string, answers: Answers): void {
  const buffers: ArrayBuffer[] = [];
  function own<M extends Pick<WireRequest, "body">>(message: M): M {
    const body = Uint8Array.from(message.body);
    buffers.push(body.buffer);
    return { ...message, body };
  }
  const sent = answers.sent.map((one) => {
    const { request, response } = one.passed;
    return { ...one, passed: { ...one.passed, request: own(request), response: response && own(response) } };
  });
  tell({ source, answers: { ...answers, sent } }, buffers);
}

/** Whether a recording has the one who asks it wait for time to pass. */
const waits = (recording: Recording): boolean => wavesOf(recording).some(({ pause }) => pause > 0);

/** Declares a test for each recording, which sends it. */
function declareTests(all: readonly Recording[], send: (recording: Recording) => Promise<void>): void {
  const waiting = all.filter(waits);
  // Others are asked while these wait.
  for (const recordings of [waiting, all.filter((one) => !waiting.includes(one))])
    for (const name of new Set(recordings.map((recording) => recording.interface)))
      suiteFor(name).declare(recordings, {
        describe: (_title, declare) => declare(),
        // Named so that a failure of our own says where.
        test: (_title, recording) => test.concurrent(recording.source, () => send(recording)),
      });
}

const runnerOf = (declare: () => void): VitestRunner => ({
  config: {
    root: home,
    name: undefined,
    setupFiles: [],
    passWithNoTests: true,
    testNamePattern: undefined,
    allowOnly: false,
    sequence: { seed: 0, hooks: "stack", setupFiles: "list" },
    chaiConfig: undefined,
    // Places that all share bound what is sent at a time.
    maxConcurrency: Number.POSITIVE_INFINITY,
    testTimeout: 0,
    hookTimeout: 0,
    retry: 0,
    includeTaskLocation: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
  },
  importFile: declare,
  onAfterRunTask({ name, result }) {
    for (const { message } of result?.errors ?? []) tell({ failure: `${name}: ${message}` });
  },
});

/** The runner has one file after the other run, and some recordings wait a while: all suites are one file to it. */
async function askSuites(declare: () => void): Promise<void> {
  for (const { name, result } of await startTests([join(home, "suites")], runnerOf(declare)))
    for (const { message } of result?.errors ?? []) tell({ failure: `${name}: ${message}` });
}

/** Sends all of an order. @returns whether the thread may take another one */
async function carryOut({ order, concurrency }: SuiteOrder): Promise<boolean> {
  /** The one sender of all that is sent. */
  const sender = runSender(order.settings, true);
  const slots = createSlots(concurrency);
  const catalogue =
    order.documents.length === 0 && !hasOwnModels(order.target)
      ? undefined
      : await (await import("../../interfaces/catalogue.ts")).openCatalogue(order.documents, order.runsCode);
  const heads = catalogue && createHeadJudge(catalogue, targetNames(order.target));
  const asking: SendContext = {
    ...order,
    heads,
    wait: (milliseconds) => slots.without(() => sleep(milliseconds)),
  };
  /** Once the target is gone nothing more is sent. */
  let gone: string | undefined;
  const send = (recording: Recording): Promise<void> =>
    slots.within(async () => {
      if (gone !== undefined) return;
      const answers = await sendCassette(recording, asking, sender);
      gone ??= answers.unreachable;
      tellAnswers(recording.source, answers);
    });
  const probing = { ...order, heads, knownModels: order.probedModels };
  await Promise.all([
    askSuites(() => declareTests(order.recordings, send)),
    order.probes.length > 0 &&
      sendProbes(order.probes, probing, catalogue, sender, slots, ({ source }, answers) =>
        tellAnswers(source, answers),
      ),
  ]);
  await sender.close();
  return !catalogue?.interfaces.some(({ code }) => code);
}

for (;;) {
  const [message] = (await once(parentPort!, "message")) as [SuiteOrder];
  process.env = { ...message.environment };
  tell({ done: true, isReusable: await carryOut(message) });
}
