/** Adds up what judges hand back: one document over all batches. */
import type { Clause, Level } from "../check/clause.ts";
import type { CheckDocument } from "../verdict/document.ts";
import type { Choice } from "../verdict/finding-sample.ts";
import { createOperations } from "../verdict/operations.ts";
import { createTally } from "../verdict/tally.ts";
import type { Batch } from "./follower.ts";
import { createSessionLaws } from "./session-laws.ts";

/** A batch with the violations of laws that compare its exchanges with earlier ones. */
export type Added = Pick<Batch, "exchanges" | "share" | "notes">;

export interface Totals {
  add(batch: Pick<Batch, "source" | "file" | "first" | "exchanges" | "share" | "notes">): Added;
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
  let file = -1;
  let judgeSession = createSessionLaws(clauses);

  /** Judges the exchanges together. */
  function together(batch: Parameters<Totals["add"]>[0]): Added {
    if (batch.file !== file) judgeSession = createSessionLaws(clauses);
    file = batch.file;
    if (batch.exchanges.every(({ session }) => session === undefined)) return batch;
    const own = createTally(clauses, failsAt, false);
    const notes = [...batch.notes];
    const judged = batch.exchanges.map(({ session, ...one }, i) => {
      const shown = judgeSession(session, { source: batch.source, exchange: batch.first + i });
      if (!shown) return one;
      own.add(shown.evidence);
      notes.push(...shown.notes);
      const { findings, groups } = shown.evidence;
      return findings.length === 0
        ? one
        : { ...one, findings: [...one.findings, ...findings], groups: [...one.groups, ...groups] };
    });
    const share = own.share();
    tally.absorb(share);
    return {
      exchanges: judged,
      share: { ...batch.share, counts: [...batch.share.counts, ...share.counts] },
      notes,
    };
  }

  return {
    add(batch) {
      const { exchanges: judged, share } = batch;
      tally.absorb(share);
      exchanges += judged.length;
      for (const one of judged) {
        operations.add(one);
        if (one.broken !== undefined) broken++;
      }
      return together(batch);
    },
    exchanges: () => exchanges,
    broken: () => broken,
    document: (complete, listed) => ({ ...tally.document(complete, listed), operations: operations.list() }),
  };
}
