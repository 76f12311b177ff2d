/** Declares the tests of one section: one a recorded cassette, what it came to handed to the run as task meta. */
import { workerData } from "node:worker_threads";
import { test } from "@vitest/runner";
import type { Catalogue } from "../check/catalogue.ts";
import type { Outcome } from "../verdict/results.ts";
import type { Sender } from "../wire/send.ts";
import { type Asking, askCassette } from "./ask.ts";
import { judgeCassette } from "./judge-cassette.ts";
import type { Recording } from "./recordings.ts";
import { type Manners, runSender } from "./sender.ts";

/** What a run hands to its suites. Plain data: it crosses to their thread. */
export interface RunOrder extends Asking {
  /** The cassettes to send. */
  readonly recordings: readonly Recording[];
  readonly manners: Manners;
}

declare module "@vitest/runner" {
  interface TaskMeta {
    touchstone?: Outcome;
  }
}

let sender: Sender | undefined;
/** Once the target is gone nothing more is sent. */
let gone: string | undefined;

/**
 * Declares the tests of `recordings/<interface>/<section>`, as far as the run wants them.
 * @param catalogue what to judge by
 */
export function suite(interfaceName: string, section: string, catalogue: Catalogue): void {
  const { order } = workerData as { readonly order: RunOrder };
  const sending = (sender ??= runSender(order.manners));
  for (const recording of order.recordings) {
    if (recording.interface !== interfaceName || recording.section !== section) continue;
    test.concurrent(recording.source, async ({ task }) => {
      if (gone !== undefined) return;
      const answers = await askCassette(recording, order, sending);
      const outcome = judgeCassette(recording, answers, order, catalogue);
      gone ??= outcome.gone;
      task.meta.touchstone = outcome;
    });
  }
}
