/**
 * The thread that asks a target: suites by `@vitest/runner` alone, which is what vitest itself runs tests with, then probes.
 * Its state belongs to a thread, so that a run may be started from within somebody's own tests; judging goes on beside it.
 */
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";
import { startTests, type VitestRunner } from "@vitest/runner";
import type { Answers } from "../../verdict/sent-record.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { hasOwnModels } from "../plan/target.ts";
import { sendProbes } from "./probes.ts";
import { type RunOrder, takeOrder } from "./suite.ts";

/** What came of one source. */
export interface Answered {
  readonly source: string;
  readonly answers: Answers;
}

/** What the thread sends: answers as their source ends, how touchstone failed, and that no more comes. */
export type SuiteMessage = Answered | { readonly failure: string } | { readonly done: true };

/** What the thread is sent, once. */
export interface SuiteOrder {
  readonly order: RunOrder;
  /** Absolute paths of compiled suites. */
  readonly files: readonly string[];
  readonly root: string;
  readonly concurrency: number;
}

const [given] = (await once(parentPort!, "message")) as [SuiteOrder];
const { files, root, order } = given;
const tell = (message: SuiteMessage, buffers: ArrayBuffer[] = []): void => parentPort!.postMessage(message, buffers);

/** Sends answers with their bodies in memory of their own, which changes threads without being copied; small ones share a pool that others use. */
function tellAnswers(source: string, answers: Answers): void {
  const buffers: ArrayBuffer[] = [];
  function own<M extends Pick<WireRequest, "body">>(message: M): M {
    const body = Uint8Array.from(message.body);
    buffers.push(body.buffer);
    return { ...message, body };
  }
  const asked = answers.asked.map((one) => {
    const { request, response } = one.passed;
    return { ...one, passed: { ...one.passed, request: own(request), response: response && own(response) } };
  });
  tell({ source, answers: { ...answers, asked } }, buffers);
}

const { sender, slots } = takeOrder(order, given.concurrency);

const runner: VitestRunner = {
  config: {
    root,
    name: undefined,
    setupFiles: [],
    passWithNoTests: true,
    testNamePattern: undefined,
    allowOnly: false,
    sequence: { seed: 0, hooks: "stack", setupFiles: "list" },
    chaiConfig: undefined,
    // What is asked at a time is bounded by places that all share.
    maxConcurrency: Number.POSITIVE_INFINITY,
    testTimeout: 0,
    hookTimeout: 0,
    retry: 0,
    includeTaskLocation: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
  },
  async importFile() {
    for (const file of files) await import(pathToFileURL(file).href);
  },
  onAfterRunTask({ name, meta, result }) {
    if (meta.touchstone) {
      tellAnswers(name, meta.touchstone);
      delete meta.touchstone;
    }
    for (const { message } of result?.errors ?? []) tell({ failure: `${name}: ${message}` });
  },
};

/** The runner has one file after the other run, and some recordings wait a while: all suites are one file to it. */
async function askSuites(): Promise<void> {
  for (const { name, result } of await startTests([join(root, "suites")], runner))
    for (const { message } of result?.errors ?? []) tell({ failure: `${name}: ${message}` });
}

async function askProbes(): Promise<void> {
  if (order.probes.length === 0) return;
  // Only models of the target's own make something else of a probe.
  const catalogue = hasOwnModels(order.target)
    ? await (await import("../../interfaces/catalogue.ts")).openCatalogue(order.documents)
    : undefined;
  const asking = { ...order, knownModels: order.probedModels };
  await sendProbes(order.probes, asking, catalogue, sender, slots, ({ source }, answers) =>
    tellAnswers(source, answers),
  );
}

await Promise.all([askSuites(), askProbes()]);
tell({ done: true });
