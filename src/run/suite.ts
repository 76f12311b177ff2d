/** Declares the tests of one section: one a recorded cassette, what came of it handed to the run as task meta. */
import { workerData } from "node:worker_threads";
import { test } from "@vitest/runner";
import type { Answers } from "../verdict/asked.ts";
import type { Sender } from "../wire/send.ts";
import { type Asking, askCassette } from "./ask.ts";
import type { ProbeGroup } from "./judge-probes.ts";
import type { Recording } from "./recordings.ts";
import { type Manners, runSender } from "./sender.ts";

/** What a run hands to the thread that asks. Plain data: it crosses to that thread. */
export interface RunOrder extends Asking {
  /** The cassettes to send. */
  readonly recordings: readonly Recording[];
  /** What to send after them. */
  readonly probes: readonly ProbeGroup[];
  /** Model ids of probes that stand for models of the target's own. */
  readonly probedModels: ReadonlySet<string>;
  readonly manners: Manners;
}

declare module "@vitest/runner" {
  interface TaskMeta {
    touchstone?: Answers;
  }
}

let sender: Sender | undefined;

/** The order of this thread, and the one sender of all that it sends. */
export function thisOrder(): { readonly order: RunOrder; readonly sender: Sender } {
  const { order } = workerData as { readonly order: RunOrder };
  sender ??= runSender(order.manners);
  return { order, sender };
}

/** Once the target is gone nothing more is sent. */
let gone: string | undefined;

/** Declares the tests of `recordings/<interface>/<section>`, as far as the run wants them. */
export function suite(interfaceName: string, section: string): void {
  const { order, sender } = thisOrder();
  for (const recording of order.recordings) {
    if (recording.interface !== interfaceName || recording.section !== section) continue;
    test.concurrent(recording.source, async ({ task }) => {
      if (gone !== undefined) return;
      const answers = await askCassette(recording, order, sender);
      gone ??= answers.gone;
      task.meta.touchstone = answers;
    });
  }
}
