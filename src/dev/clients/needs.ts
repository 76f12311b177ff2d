/** Makes needs of what clients did with broken answers: which clauses they cannot do without, and with what effect. */
import { compare } from "../../check/finding-order.ts";
import { type Effect, type Need, plainKind } from "../../verdict/client.ts";
import type { ClientTrial } from "../../verdict/run-results.ts";
import type { Spread } from "../../verdict/stream-spread.ts";

/** The reaction of one scenario of a client to one broken clause, in the answer to one of its requests. */
export interface Happened {
  readonly clause: string;
  readonly request?: number;
  readonly kinds: readonly string[];
  readonly spread: readonly Spread[];
  /** The model's content is still there, though in another shape. */
  readonly isSaid: boolean;
  readonly trial: ClientTrial;
}

/** Worst first. */
const effects: readonly Effect[] = ["waits", "throws", "mixes", "drops", "asks again"];

const maxEvidenceLength = 200;

/** The effect of a trial: content that is there, and is not to be seen, was dropped. */
function effectOf({ isSaid, trial }: Happened): Effect | undefined {
  return trial.outcome === "not shown" && isSaid ? "drops" : effects.find((effect) => effect === trial.outcome);
}

/** The needs of one scenario, sorted by clause and request. */
export function needsOf(scenario: string, happened: readonly Happened[]): Need[] {
  const keyOf = ({ clause, request = -1 }: Happened): string => `${clause} ${request}`;
  return [...new Set(happened.map(keyOf))].sort(compare).flatMap((key): Need[] => {
    const all = happened.filter((one) => keyOf(one) === key);
    const [{ clause, request }] = all as [Happened];
    const harmed = all.filter((one) => effectOf(one) !== undefined);
    if (harmed.length === 0) return [];
    const count = (effect: string): number => harmed.filter((one) => effectOf(one) === effect).length;
    const effect = effects.toSorted((a, b) => count(b) - count(a))[0]!;
    const kindsOf = (some: readonly Happened[]): string[] =>
      [...new Set(some.flatMap((one) => one.kinds))].sort(compare);
    const [kinds, harming] = [kindsOf(all), kindsOf(harmed)];
    const when = [...new Set(harming.map(plainKind))];
    const isTold = when.length < new Set(kinds.map(plainKind)).size;
    const unless = kinds.filter(
      (one) => one !== plainKind(one) && !harming.includes(one) && when.includes(plainKind(one)),
    );
    const evidence = evidenceOf(harmed.find((one) => effectOf(one) === effect)!.trial);
    const which = request !== undefined && { request };
    const spreads = (some: readonly Happened[]): Spread[] => [...new Set(some.flatMap(narrowest))].sort(compare);
    const spread = spreads(harmed);
    const isSpreadTold = spread.length > 0 && spread.length < spreads(all).length;
    const limits = { ...(isTold && { when }), ...(unless.length > 0 && { unless }), ...(isSpreadTold && { spread }) };
    return [{ clause, scenario, ...which, effect, ...limits, evidence }];
  });
}

/** A change of all events says nothing of one of them. */
const narrowest = ({ spread }: Happened): readonly Spread[] => (spread.includes("all") ? ["all"] : spread);

function evidenceOf({ outcome, detail }: ClientTrial): string {
  if (outcome === "waits") return "It reads on until the body ends.";
  return detail.length > maxEvidenceLength ? `${detail.slice(0, maxEvidenceLength)}…` : detail;
}
