/** The work of `check`: judges one source, or a stretch of one; runs in a worker or in the command itself. */

import { openStretch, type Stretch } from "../cassette/range.ts";
import { openSource } from "../cassette/read.ts";
import type { Finding, Level, Side } from "../check/clause.ts";
import { type Catalogue, type Judgement, judge } from "../check/judge.ts";
import { type Bindings, namesFrom } from "../check/names.ts";
import { redact } from "../redact/redact.ts";
import { createTally, type Share } from "../verdict/tally.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Judging } from "./options.ts";

export interface Task {
  readonly path: string;
  readonly stretch?: Stretch;
  /** What the cassette says its names mean, where only a stretch of it is read. */
  readonly bindings?: Bindings;
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

export interface Bench extends Pick<Judging, "bindings" | "policy"> {
  readonly catalogue: Catalogue;
  readonly side?: Side | undefined;
  readonly failsAt: Level;
}

/** Judges every exchange of a task, in order. Exchange positions count from the task's first. Throws UnreadableInput. */
export async function judgeTask({ path, stretch, bindings }: Task, bench: Bench): Promise<Judged> {
  const { catalogue, policy, side, failsAt } = bench;
  const tally = createTally(catalogue.clauses, failsAt, false);
  const lines: Line[] = [];
  const notes: string[] = [];
  const whole = stretch ? undefined : await openSource(path);
  const source = whole ?? openStretch(path, stretch!, notes);
  // What the caller says outweighs what the recording says of itself.
  const names = namesFrom(bindings ?? (whole?.header.bindings as Bindings | undefined) ?? {}, ...bench.bindings);
  const keepHeaders = names.boundHeaders.map((neutral) => names.header(neutral));
  const judged = (exchange: Exchange, index: number): Judgement =>
    judge(exchange, { source: path, exchange: index }, catalogue, { names, policy, ...(side && { side }) });
  for await (const { exchange, index } of source) {
    let judgement = judged(exchange, index);
    let { method, target } = exchange.request;
    // What is shown of an exchange is shown without its credentials: others export theirs with them.
    if (judgement.findings.length > 0 || judgement.operation === null) {
      const safe = redact(exchange, { keepHeaders });
      judgement = judged(safe, index);
      ({ method, target } = safe.request);
    }
    tally.addJudgement(judgement);
    lines.push({
      operation: judgement.operation ?? `${method} ${target.split("?", 1)[0]}`,
      known: judgement.operation !== null,
      status: exchange.response?.status ?? null,
      findings: judgement.findings,
    });
  }
  return { lines, share: tally.share(), notes: "notes" in source ? source.notes : notes };
}
