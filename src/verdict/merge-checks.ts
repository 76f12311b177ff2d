/** Puts the shards of one check together again: the same document as if it had never been split. */
import { createPlaces, withExpectations } from "./apply-expectations.ts";
import { differencesAmong, explained } from "./divergence.ts";
import type { CheckDocument, CheckShard, SourcePosition } from "./document.ts";
import { createChoice } from "./finding-sample.ts";
import { mergeClauses } from "./merge.ts";
import { createOperations } from "./operations.ts";
import { inOrder } from "./shard.ts";
import { createTally, shareOf } from "./tally.ts";

/** One part of a check. */
export type CheckPart = CheckDocument & { readonly shard: CheckShard };

export type MergedChecks =
  | {
      readonly ok: true;
      readonly document: CheckDocument;
      /** Exchanges at which judging itself failed. */
      readonly broken: number;
    }
  /** Why these documents are not the shards of one check. */
  | { readonly ok: false; readonly problem: string };

/**
 * Merges all shards of one check, in any order; a shard that is there twice counts once.
 * @param today `YYYY-MM-DD`, for expectations that expire
 */
export function mergeChecks(parts: readonly CheckPart[], today: string): MergedChecks {
  const ordered = inOrder(parts);
  if (typeof ordered === "string") return { ok: false, problem: ordered };
  const problem = whyNot(ordered);
  if (problem !== undefined) return { ok: false, problem };
  const tally = createTally([], "error", false);
  const operations = createOperations();
  const choice = createChoice();
  /** Exchanges of a recording that the parts before judged. */
  const before = new Map<string, number>();
  const findings = [];
  for (const { shard, operations: own, ...part } of ordered) {
    const moved = movedBy(shard.first === null ? 0 : (before.get(shard.first) ?? 0), shard.first);
    const share = shareOf(part);
    findings.push(...share.findings.map(moved).filter(choice.takes));
    tally.absorb({ ...share, unjudged: { ...share.unjudged, first: share.unjudged.first.map(moved) } });
    for (const count of own) operations.absorb(count);
    if (shard.last !== null) before.set(shard.last, (before.get(shard.last) ?? 0) + shard.exchanges);
  }
  const differences = differencesAmong(ordered.flatMap((part) => part.clauses));
  const document = tally.document(true, choice);
  const merged: CheckDocument = {
    ...document,
    findings: explained(findings, differences),
    groups: explained(document.groups, differences),
    clauses: mergeClauses(ordered.map((part) => part.clauses)),
    operations: operations.list(),
  };
  const entries = ordered[0]!.expectations?.entries;
  const places = createPlaces(entries ?? []);
  for (const { expectations } of ordered) places.absorb(expectations?.seen ?? []);
  return {
    ok: true,
    document: entries ? withExpectations(merged, entries, places.all(), today, true) : merged,
    broken: ordered.reduce((sum, { shard }) => sum + shard.broken, 0),
  };
}

/** Counts exchanges of the recording that a part begins within from the recording's start. */
const movedBy =
  (exchanges: number, within: string | null) =>
  <T extends { readonly source: string; readonly exchange: number }>(one: T): T =>
    exchanges > 0 && one.source === within ? { ...one, exchange: one.exchange + exchanges } : one;

const same = (a: SourcePosition, b: SourcePosition): boolean => a.file === b.file && a.at === b.at;

function whyNot(parts: readonly CheckPart[]): string | undefined {
  if (parts.some(({ complete }) => !complete)) return "one of them is incomplete: its check was broken off";
  const whole = ({ shard: { of, files, bytes, settings }, expectations }: CheckPart): string =>
    JSON.stringify([of, files, bytes, settings, expectations?.entries]);
  const [head, ...others] = parts as [CheckPart, ...CheckPart[]];
  const { shard: first } = head;
  if (others.some((part) => whole(part) !== whole(head)))
    return "they differ in recordings, options, number of shards or version";
  const fits = parts.every(({ shard }, i) => same(shard.from, parts[i - 1]?.shard.to ?? { file: 0, at: 0 }));
  return fits && same(parts.at(-1)!.shard.to, { file: first.files, at: 0 })
    ? undefined
    : "they do not join: a recording changed between them";
}
