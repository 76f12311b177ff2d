/** Declares the vitest tests of one section: one a recorded cassette, its findings handed to the run as task meta. */
import { inject, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import type { Policy } from "../check/clause.ts";
import { createSender, type Sender, type SendLimits } from "../wire/send.ts";
import { askCassette, type Outcome } from "./ask.ts";
import { readRecording } from "./recordings.ts";
import type { Target } from "./target.ts";

/** What a run hands to its suites. */
export interface RunOrder {
  readonly target: Target;
  readonly policy: Policy;
  readonly knownModels: ReadonlySet<string>;
  /** Folder of the recordings, and the cassettes in it to send. */
  readonly recordings: string;
  readonly sources: readonly string[];
  readonly limits: SendLimits;
  /** Clauses whose failure is expected: they do not fail a test. */
  readonly expected: readonly string[];
}

declare module "vitest" {
  interface ProvidedContext {
    touchstone: RunOrder;
  }
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
  const order = inject("touchstone");
  sender ??= createSender(order.limits);
  const sending = sender;
  for (const source of order.sources.filter((one) => one.startsWith(`${interfaceName}/${section}/`)))
    test.concurrent(source, async ({ task }) => {
      if (gone !== undefined) return;
      const outcome = await askCassette(await readRecording(order.recordings, source), order, catalogue, sending);
      gone ??= outcome.gone;
      task.meta.touchstone = outcome;
      const red = redIn(outcome, order.expected);
      if (red !== undefined) throw new Error(red);
    });
}

/** The first thing that makes a test red. */
function redIn({ evidence, incidents, gone: away }: Outcome, expected: readonly string[]): string | undefined {
  const finding = evidence
    .flatMap(({ findings }) => findings)
    .find(({ level, clause }) => level === "error" && !expected.includes(clause));
  return away ?? finding?.message ?? incidents[0]?.problem;
}
