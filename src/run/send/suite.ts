/** Declares the tests of one section: one a recorded cassette, what came of it handed to the run as task meta. */
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "@vitest/runner";
import type { Answers } from "../../verdict/sent-record.ts";
import type { Sender } from "../../wire/send.ts";
import type { ProbeGroup } from "../judge/judge-probes.ts";
import type { Recording } from "../plan/recordings.ts";
import { type Asking, sendCassette } from "./send-cassette.ts";
import { type Manners, runSender } from "./sender.ts";
import { createSlots, type Slots } from "./slots.ts";

/** What a run hands to the thread that asks. Plain data: it crosses to that thread. */
export interface RunOrder extends Asking {
  /** The cassettes to send. */
  readonly recordings: readonly Recording[];
  /** What to send after them. */
  readonly probes: readonly ProbeGroup[];
  /** Model ids of probes that stand for models of the target's own. */
  readonly probedModels: ReadonlySet<string>;
  readonly manners: Manners;
  /** Paths of users' own documents. */
  readonly documents: readonly string[];
}

declare module "@vitest/runner" {
  interface TaskMeta {
    touchstone?: Answers;
  }
}

interface ThisOrder {
  readonly order: RunOrder;
  /** The one sender of all that the thread sends. */
  readonly sender: Sender;
  /** Shared by all that it asks. */
  readonly slots: Slots;
}

let one: ThisOrder | undefined;

/** Has this thread do what it is sent. @param concurrency how many cassettes, or groups of probes, are asked at a time */
export function takeOrder(order: RunOrder, concurrency: number): ThisOrder {
  one = { order, sender: runSender(order.manners, true), slots: createSlots(concurrency) };
  return one;
}

/** Once the target is gone nothing more is sent. */
let gone: string | undefined;

/** Declares the tests of `recordings/<interface>/<section>`, as far as the run wants them. */
export function suite(interfaceName: string, section: string): void {
  if (!one) throw new Error("a suite was loaded before there was an order");
  const { order, sender, slots } = one;
  const asking: Asking = { ...order, wait: (milliseconds) => slots.without(() => sleep(milliseconds)) };
  for (const recording of order.recordings) {
    if (recording.interface !== interfaceName || recording.section !== section) continue;
    test.concurrent(recording.source, async ({ task }) => {
      await slots.within(async () => {
        if (gone !== undefined) return;
        const answers = await sendCassette(recording, asking, sender);
        gone ??= answers.gone;
        task.meta.touchstone = answers;
      });
    });
  }
}
