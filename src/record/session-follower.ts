/** Follows the cassette while `record` writes it: has it judged, shows what comes of it, and sums up. */
import { stat } from "node:fs/promises";
import { loadClauses } from "../interfaces/clause-data.ts";
import type { Judging } from "../interfaces/judging.ts";
import type { Shown } from "../report/terminal/record-view.ts";
import type { VerdictDocument } from "../verdict/document.ts";
import { createTally } from "../verdict/tally.ts";
import { createFollower } from "./follower.ts";
import { createOperations, type OperationCount } from "./operations.ts";
import { partOfGrowing } from "./parts.ts";

/** What came of the exchanges that were judged. */
export interface Followed {
  /** Incomplete where judging ended before the cassette did. */
  readonly judged: VerdictDocument;
  readonly operations: readonly OperationCount[];
  /** Exchanges at which judging itself failed. */
  readonly broken: number;
  /** Bytes of the cassette that were not judged. */
  readonly left: number;
}

export interface Following {
  /** Bytes of the cassette that were not judged yet. */
  lag(): Promise<number>;
  /** Nothing is written any more: judges what is left. */
  finish(): void;
  /** Judges no more. */
  abandon(): void;
  readonly ended: Promise<Followed>;
}

export interface FollowingTo {
  readonly shown: (shown: Shown) => void;
  readonly trouble: (what: string) => void;
}

export function followCassette(out: string, { bindings, policy }: Judging, { shown, trouble }: FollowingTo): Following {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => void (finish = resolve));
  const follower = createFollower(partOfGrowing(out, finished), {
    settings: { bindings, policy, failsAt: "error", redacts: false },
    jobs: 1,
    yields: true,
  });
  const tally = createTally(loadClauses(), "error", false);
  const operations = createOperations();
  let broken = 0;
  let judgedTo = 0;
  const lag = async (): Promise<number> => Math.max(0, (await stat(out).catch(() => ({ size: 0 }))).size - judgedTo);

  async function follow(): Promise<Followed> {
    let complete = true;
    try {
      for await (const { first, rows, share, at, notes } of follower) {
        judgedTo = at;
        tally.absorb(share);
        for (const [i, row] of rows.entries()) {
          operations.add(row);
          if (row.broken !== undefined && broken++ === 0)
            trouble(`internal failure at judging exchange ${first + i}: ${row.broken}`);
          shown({ ...row, exchange: first + i });
        }
        for (const note of notes) trouble(note);
      }
    } catch (error) {
      complete = false;
      trouble(`${(error as Error).message}; what follows is recorded, and not judged`);
    }
    const left = await lag();
    const judged = tally.document(complete && left === 0);
    return { judged, operations: operations.list(), broken, left };
  }

  const ended = follow();
  return {
    lag,
    finish() {
      finish();
      follower.finish();
    },
    abandon() {
      finish();
      follower.abandon();
    },
    ended,
  };
}
