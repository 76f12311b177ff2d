/** Every violation that answers showed, wherever results keep it: they list a hundred findings of a kind, and count by answer. */
import type { Finding } from "../check/clause.ts";
import type { ExchangePlace } from "../check/finding-order.ts";
import { offendingKind } from "./client.ts";
import type { RunResults, Violated } from "./run-results.ts";
import { spreadOf } from "./stream-spread.ts";

/** One clause that one answer violated. */
export interface Violation extends ExchangePlace, Violated {}

/**
 * The violations in one answer, each clause once.
 * @param events those of a stream, as JSON by position
 */
export function violatedBy(findings: readonly Finding[], events: readonly unknown[] = []): Violated[] {
  const found = new Map<string, Violated>();
  for (const finding of findings) {
    const { side, clause, level } = finding;
    if (side !== "response" || level === "unenforced") continue;
    const before = found.get(clause);
    const kinds = [...new Set(before?.kinds).add(offendingKind(finding))].sort();
    const isNote = level === "note" && before?.isNote !== false;
    found.set(clause, { clause, isNote, kinds });
  }
  if (events.length === 0) return [...found.values()];
  return [...found.values()].map((one) => {
    const spread = spreadOf(
      findings.filter(({ side, clause }) => side === "response" && clause === one.clause),
      events,
    );
    return { ...one, ...(spread.length > 0 && { spread }) };
  });
}

/** By source and exchange: what answers tell of themselves, and beside it what only findings tell, as those of laws. */
export function violationsIn({ findings, answers = [] }: Pick<RunResults, "findings" | "answers">): Violation[] {
  const keyOf = ({ source, exchange, clause }: ExchangePlace & { readonly clause: string }): string =>
    `${clause} ${exchange} ${source}`;
  const all = new Map<string, Violation>();
  for (const { source, exchange, violates = [] } of answers)
    for (const one of violates) all.set(keyOf({ source, exchange, ...one }), { source, exchange, ...one });
  const byPlace = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    if (!all.has(key)) byPlace.set(key, [...(byPlace.get(key) ?? []), finding]);
  }
  for (const [key, own] of byPlace) {
    const [{ source, exchange }] = own as [Finding];
    for (const one of violatedBy(own)) all.set(key, { source, exchange, ...one });
  }
  return [...all.values()];
}
