/**
 * The thread that runs suites: `@vitest/runner` alone, which is what vitest itself runs tests with. Its state belongs to a
 * thread, so that a run may be started from within somebody's own tests.
 */
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { startTests, type VitestRunner } from "@vitest/runner";
import type { Outcome } from "../verdict/results.ts";
import type { WireRequest } from "../wire/exchange.ts";

/** What the thread sends: an outcome as its cassette ends, how touchstone failed, and that no more comes. */
export type SuiteMessage = { readonly outcome: Outcome } | { readonly failure: string } | { readonly done: true };

const { files, root, concurrency } = workerData as {
  /** Absolute paths of compiled suites. */
  readonly files: string[];
  readonly root: string;
  readonly concurrency: number;
};
const tell = (message: SuiteMessage): void => parentPort!.postMessage(message);

/** Bodies in memory of their own, which changes threads without being copied; small ones share a pool that others use. */
function detached(outcome: Outcome): { readonly outcome: Outcome; readonly buffers: ArrayBuffer[] } {
  const buffers: ArrayBuffer[] = [];
  function own<M extends Pick<WireRequest, "body">>(message: M): M {
    const body = Uint8Array.from(message.body);
    buffers.push(body.buffer);
    return { ...message, body };
  }
  const asked = outcome.asked.map((one) => {
    const { request, response } = one.passed;
    return { ...one, passed: { ...one.passed, request: own(request), response: response && own(response) } };
  });
  return { outcome: { ...outcome, asked }, buffers };
}

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
    maxConcurrency: concurrency,
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
      const { outcome, buffers } = detached(meta.touchstone);
      parentPort!.postMessage({ outcome } satisfies SuiteMessage, buffers);
      delete meta.touchstone;
    }
    for (const { message } of result?.errors ?? []) tell({ failure: `${name}: ${message}` });
  },
};

for (const { name, result } of await startTests(files, runner))
  for (const { message } of result?.errors ?? []) tell({ failure: `${name}: ${message}` });
tell({ done: true });
