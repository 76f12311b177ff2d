/** Makes needs of what clients did with broken answers: which clauses they cannot do without, and with what effect. */
import { compare } from "../../check/order.ts";
import type { Effect, Need } from "../../verdict/client.ts";
import type { ClientTrial } from "../../verdict/run-results.ts";

/** What one scenario of a client did with one broken clause. */
export interface Happened {
  readonly clause: string;
  readonly kinds: readonly string[];
  readonly trial: ClientTrial;
}

/** Worst first. */
const effects: readonly Effect[] = ["waits", "throws", "mixes", "drops", "asks again"];

const longestEvidence = 200;

const isEffect = (outcome: string): outcome is Effect => effects.includes(outcome as never);

/** The needs of one scenario, sorted by clause. */
export function needsOf(scenario: string, happened: readonly Happened[]): Need[] {
  const clauses = [...new Set(happened.map(({ clause }) => clause))].sort(compare);
  return clauses.flatMap((clause): Need[] => {
    const all = happened.filter((one) => one.clause === clause);
    const harmed = all.filter(({ trial }) => isEffect(trial.outcome));
    if (harmed.length === 0) return [];
    const count = (effect: string): number => harmed.filter(({ trial }) => trial.outcome === effect).length;
    const effect = effects.toSorted((a, b) => count(b) - count(a))[0]!;
    const kinds = new Set(all.flatMap((one) => one.kinds));
    const when = [...new Set(harmed.flatMap((one) => one.kinds))].sort(compare);
    const evidence = evidenceOf(harmed.find(({ trial }) => trial.outcome === effect)!.trial);
    return [{ clause, scenario, effect, ...(when.length < kinds.size && { when }), evidence }];
  });
}

function evidenceOf({ outcome, detail }: ClientTrial): string {
  if (outcome === "waits") return "It reads on until the body ends.";
  return detail.length > longestEvidence ? `${detail.slice(0, longestEvidence)}…` : detail;
}
