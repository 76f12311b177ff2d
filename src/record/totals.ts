/** Adds up what judges hand back: one document over all batches. */
import type { Clause, Level } from "../check/clause.ts";
import type { CheckDocument } from "../verdict/document.ts";
import type { Choice } from "../verdict/finding-sample.ts";
import { createOperations } from "../verdict/operations.ts";
import { createTally } from "../verdict/tally.ts";
import type { Batch } from "./follower.ts";

export interface Totals {
  add(batch: Pick<Batch, "exchanges" | "share">): void;
  /** Exchanges that were added. */
  exchanges(): number;
  /** Exchanges at which judging itself failed. */
  broken(): number;
  /**
   * The document of it all, without findings: whoever takes the batches keeps those.
   * @param listed what was chosen of the findings, for the positions that groups name
   */
  document(complete: boolean, listed?: Pick<Choice, "first">): CheckDocument;
}

/** @param failsAt the least level that fails a clause */
export function createTotals(clauses: readonly Clause[], failsAt: Level): Totals {
  const tally = createTally(clauses, failsAt, false);
  const operations = createOperations();
  let exchanges = 0;
  let broken = 0;
  return {
    add({ exchanges: judged, share }) {
      tally.absorb(share);
      exchanges += judged.length;
      for (const one of judged) {
        operations.add(one);
        if (one.broken !== undefined) broken++;
      }
    },
    exchanges: () => exchanges,
    broken: () => broken,
    document: (complete, listed) => ({ ...tally.document(complete, listed), operations: operations.list() }),
  };
}
