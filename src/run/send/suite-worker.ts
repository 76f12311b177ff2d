/**
 * The thread that asks a target: suites by `@vitest/runner` alone, which is what vitest itself runs tests with, then probes.
 * Its state belongs to a thread, so that a run may be started from within somebody's own tests; judging goes on beside it.
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

const [{ order, concurrency }] = (await once(parentPort!, "message")) as [SuiteOrder];
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

/** The one sender of all that the thread sends. */
const sender = runSender(order.settings, true);
const slots = createSlots(concurrency);
const catalogue =
  order.documents.length === 0 && !hasOwnModels(order.target)
    ? undefined
    : await (await import("../../interfaces/catalogue.ts")).openCatalogue(order.documents, order.runsCode);
const asking: SendContext = {
  ...order,
  heads: catalogue && createHeadJudge(catalogue, targetNames(order.target)),
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

/** Whether a recording has the one who asks it wait for time to pass. */
const waits = (recording: Recording): boolean => wavesOf(recording).some(({ pause }) => pause > 0);

function declareTests(): void {
  const waiting = order.recordings.filter(waits);
  // Others are asked while these wait.
  for (const recordings of [waiting, order.recordings.filter((one) => !waiting.includes(one))])
    for (const name of new Set(recordings.map((recording) => recording.interface)))
      suiteFor(name).declare(recordings, {
        describe: (_title, declare) => declare(),
        // Named so that a failure of our own says where.
        test: (_title, recording) => test.concurrent(recording.source, () => send(recording)),
      });
}

const runner: VitestRunner = {
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
  importFile: declareTests,
  onAfterRunTask({ name, result }) {
    for (const { message } of result?.errors ?? []) tell({ failure: `${name}: ${message}` });
  },
};

/** The runner has one file after the other run, and some recordings wait a while: all suites are one file to it. */
async function askSuites(): Promise<void> {
  for (const { name, result } of await startTests([join(home, "suites")], runner))
    for (const { message } of result?.errors ?? []) tell({ failure: `${name}: ${message}` });
}

async function askProbes(): Promise<void> {
  if (order.probes.length === 0) return;
  const { heads } = asking;
  const probing = { ...order, heads, knownModels: order.probedModels };
  await sendProbes(order.probes, probing, catalogue, sender, slots, ({ source }, answers) =>
    tellAnswers(source, answers),
  );
}

await Promise.all([askSuites(), askProbes()]);
tell({ done: true });
