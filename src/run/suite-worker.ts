/**
 * The thread that asks a target: suites by `@vitest/runner` alone, which is what vitest itself runs tests with, then probes.
 * Its state belongs to a thread, so that a run may be started from within somebody's own tests; judging goes on beside it.
 */
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { startTests, type VitestRunner } from "@vitest/runner";
import type { Answers } from "../verdict/asked.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { sendProbes } from "./probes.ts";
import { thisOrder } from "./suite.ts";
import { hasOwnModels } from "./target.ts";

/** What came of one source. */
export interface Answered {
  readonly source: string;
  readonly answers: Answers;
}

/** What the thread sends: answers as their source ends, how touchstone failed, and that no more comes. */
export type SuiteMessage = Answered | { readonly failure: string } | { readonly done: true };

const { files, root, concurrency } = workerData as {
  /** Absolute paths of compiled suites. */
  readonly files: string[];
  readonly root: string;
  readonly concurrency: number;
};
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

const { order, sender } = thisOrder();
/** Suites are asked one after the other, and some wait a while: probes go on beside them, within the same bound; a pace is kept by one alone. */
const beside = files.length > 0 && order.manners.rate === undefined ? Math.floor(concurrency / 2) : 0;
let gone = false;

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
    maxConcurrency: concurrency - beside,
    testTimeout: 0,
    hookTimeout: 0,
    retry: 0,
    includeTaskLocation: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
  },
  importFile: (path) => import(pathToFileURL(path).href),
  onAfterRunTask({ name, meta, result }) {
    if (meta.touchstone) {
      tellAnswers(name, meta.touchstone);
      gone ||= meta.touchstone.gone !== undefined;
      delete meta.touchstone;
    }
    for (const { message } of result?.errors ?? []) tell({ failure: `${name}: ${message}` });
  },
};

async function askSuites(): Promise<void> {
  for (const { name, result } of await startTests(files, runner))
    for (const { message } of result?.errors ?? []) tell({ failure: `${name}: ${message}` });
}

/** @param suites ends as the suites do */
async function askProbes(suites: Promise<void>): Promise<void> {
  if (order.probes.length === 0) return;
  // Only models of the target's own make something else of a probe.
  const catalogue = hasOwnModels(order.target)
    ? await (await import("../interfaces/catalogue.ts")).loadCatalogue()
    : undefined;
  const asking = { ...order, knownModels: order.probedModels };
  const more = suites.then(() => (gone ? 0 : concurrency - beside));
  await sendProbes(order.probes, asking, catalogue, sender, { now: beside, more }, ({ source }, answers) =>
    tellAnswers(source, answers),
  );
}

const suites = askSuites();
await Promise.all([suites, askProbes(suites)]);
tell({ done: true });
