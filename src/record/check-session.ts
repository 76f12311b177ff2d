/** Judges the cassette of a recording session while it is written. */
import { closeSync, openSync, readSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { Clause, Finding } from "../check/clause.ts";
import type { Judging } from "../interfaces/judging.ts";
import { differencesOf, explainedDocument } from "../verdict/divergence.ts";
import type { CheckDocument } from "../verdict/document.ts";
import { createChoice } from "../verdict/finding-sample.ts";
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import { createFollower } from "./follower.ts";
import { growingSegment } from "./segments.ts";
import { createTotals } from "./totals.ts";

/** The result of judging a session. */
export interface SessionJudged {
  /** Incomplete where judging ended before the cassette did; with findings where they were to be kept. */
  readonly document: CheckDocument;
  /** Exchanges at which judging itself failed. */
  readonly broken: number;
  /** Bytes of the cassette that were not judged. */
  readonly unjudgedBytes: number;
}

export interface SessionCheck {
  /** Bytes of the cassette that were not judged yet. */
  lag(): Promise<number>;
  /** Nothing is written any more: judges what is left. */
  finish(): void;
  /** Judges no more. */
  abandon(): void;
  readonly ended: Promise<SessionJudged>;
}

export interface SessionCheckEvents {
  readonly exchange: (exchange: ListedExchange) => void;
  /** A sentence about what failed: some of the cassette may not be judged. */
  readonly trouble: (what: string) => void;
}

/** Bytes of a header are read this far. */
const maxHeader = 64 << 10;

/** Bytes of a cassette's header line, which holds nothing to judge; 0 where it is not there yet. */
function headerBytes(path: string): number {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(maxHeader);
      return head.subarray(0, readSync(file, head)).indexOf(0x0a) + 1;
    } finally {
      closeSync(file);
    }
  } catch {
    return 0;
  }
}

/**
 * Follows the cassette `out` until `finish` is called; waits where it does not exist yet.
 * @param keepsFindings whether the document is to list findings: they take memory as long as the session lasts
 */
export function checkSession(
  out: string,
  { documents, bindings, policy, diverges }: Judging,
  clauses: readonly Clause[],
  { exchange, trouble }: SessionCheckEvents,
  keepsFindings: boolean,
): SessionCheck {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => void (finish = resolve));
  /** The judge that stands still. */
  let still: number | undefined;
  const follower = createFollower(growingSegment(out, finished), {
    settings: { documents, bindings, policy, failsAt: "error", redacts: false },
    jobs: 1,
    yields: true,
    onStill(pid) {
      still = pid;
      follower.abandon();
    },
  });
  const totals = createTotals(clauses, "error");
  const choice = createChoice();
  const findings: Finding[] = [];
  let judgedTo = headerBytes(out);
  const lag = async (): Promise<number> => Math.max(0, (await stat(out).catch(() => ({ size: 0 }))).size - judgedTo);

  async function follow(): Promise<SessionJudged> {
    let complete = true;
    try {
      for await (const batch of follower) {
        judgedTo = batch.at;
        let isFirst = totals.broken() === 0;
        const { exchanges, notes } = totals.add(batch);
        for (const [i, one] of exchanges.entries()) {
          const at = batch.first + i;
          if (one.broken !== undefined && isFirst) {
            isFirst = false;
            trouble(`internal failure at judging exchange ${at}: ${one.broken}`);
          }
          if (keepsFindings) findings.push(...one.findings.filter(choice.takes));
          exchange({ ...one, exchange: at });
        }
        for (const note of notes) trouble(note);
      }
    } catch (error) {
      complete = false;
      trouble(`${(error as Error).message}; what follows is recorded, and not judged`);
    }
    const unjudgedBytes = await lag();
    if (still !== undefined && unjudgedBytes > 0)
      trouble(`the judging process ${still} stands still: ${unjudgedBytes} bytes of ${out} are not judged`);
    const document = { ...totals.document(complete && unjudgedBytes === 0, choice), findings };
    return {
      document: explainedDocument(document, differencesOf(diverges)),
      broken: totals.broken(),
      unjudgedBytes,
    };
  }

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
    ended: follow(),
  };
}
