/** The work of `check`: judges one source, or a stretch of one; runs in a worker or in the command itself. */

import { openStretch, type Stretch } from "../cassette/range.ts";
import { openSource } from "../cassette/read.ts";
import type { Finding, Level, Side } from "../check/clause.ts";
import { type Catalogue, judge } from "../check/judge.ts";
import { evidenceOf } from "../verdict/evidence.ts";
import { createTally, type Share } from "../verdict/tally.ts";
import type { Judging } from "./options.ts";

export interface Task {
  readonly path: string;
  readonly stretch?: Stretch;
}

/** One exchange as the text report shows it. */
export interface Line {
  /** `POST /v1/messages`, or method and path of what no operation owns. */
  readonly operation: string;
  readonly known: boolean;
  /** Null when no response came. */
  readonly status: number | null;
  readonly findings: readonly Finding[];
}

export interface Judged {
  readonly lines: readonly Line[];
  readonly share: Share;
  readonly notes: readonly string[];
}

export interface Bench extends Pick<Judging, "names" | "policy"> {
  readonly catalogue: Catalogue;
  readonly side?: Side | undefined;
  readonly failsAt: Level;
}

/** Judges every exchange of a task, in order. Exchange positions count from the task's first. Throws UnreadableInput. */
export async function judgeTask({ path, stretch }: Task, bench: Bench): Promise<Judged> {
  const { catalogue, names, policy, side, failsAt } = bench;
  const tally = createTally(catalogue.clauses, failsAt, false);
  const lines: Line[] = [];
  const notes: string[] = [];
  const source = stretch ? openStretch(path, stretch, notes) : await openSource(path);
  for await (const { exchange, index } of source) {
    const at = { source: path, exchange: index };
    const judgement = judge(exchange, at, catalogue, { names, policy, ...(side && { side }) });
    tally.add(evidenceOf(judgement, catalogue));
    const { method, target } = exchange.request;
    lines.push({
      operation: judgement.operation ?? `${method} ${target.split("?", 1)[0]}`,
      known: judgement.operation !== null,
      status: exchange.response?.status ?? null,
      findings: judgement.findings,
    });
  }
  return { lines, share: tally.share(), notes: "notes" in source ? source.notes : notes };
}
