/** Holds what became of the facts of a route against what is expected of it, reason by reason. */
import type { GatewayDocument } from "../../../gateway/document.ts";
import type { FactOutcome } from "../../../gateway/trip.ts";

/** Outcomes that are held against a gateway. */
export const lostOutcomes = ["dropped", "changed", "invented"] as const satisfies readonly FactOutcome[];

export type Lost = (typeof lostOutcomes)[number];

/** One thing that a gateway does, checked by hand against the bytes of all four messages: the facts that it loses, as `request thinking`. */
export interface LossReason extends Partial<Readonly<Record<Lost, readonly string[]>>> {
  readonly reason: string;
}

/** An outcome of a fact, in words. */
const wordsOf = (outcome: Lost, fact: string): string => `${outcome}: ${fact}`;

/** Every loss that a route showed. */
export function lossesIn({ facts }: Pick<GatewayDocument, "facts">): ReadonlySet<string> {
  return new Set(
    facts.flatMap(({ side, fact, outcomes }) =>
      lostOutcomes.filter((one) => outcomes[one] > 0).map((one) => wordsOf(one, `${side} ${fact}`)),
    ),
  );
}

/** The facts that a reason names, in words. */
export const lossesOf = (reason: LossReason): readonly string[] =>
  lostOutcomes.flatMap((one) => (reason[one] ?? []).map((fact) => wordsOf(one, fact)));

/** Differences between what was seen and what is expected, one line each. */
export function unlikeExpected(seen: ReadonlySet<string>, reasons: readonly LossReason[]): readonly string[] {
  const expected = new Set(reasons.flatMap(lossesOf));
  return [
    ...[...seen].filter((one) => !expected.has(one)).map((one) => `not expected: ${one}`),
    ...[...expected].filter((one) => !seen.has(one)).map((one) => `expected, and not seen: ${one}`),
  ];
}
