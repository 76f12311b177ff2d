/** Lists the verdicts that two results give differently: those that were lost first, then those that were won. */
import type { ClauseVerdict, Verdict } from "../verdict/document.ts";
import type { VerdictChange, VerdictsDocument } from "./document.ts";

/** From the best to the worst that can be said of what was tried; what was not tried is neither. */
const ranks: readonly string[] = ["pass", "unenforced", "warning", "fail", "broken"] satisfies Verdict[];

/** Whether a verdict was lost (1), won (-1), or is only another one (0). */
export function turnOf({ before, after, turn }: Omit<VerdictChange, "clause">): number {
  if (turn !== undefined) return turn;
  const [was, is] = [ranks.indexOf(before), ranks.indexOf(after)];
  return was < 0 || is < 0 ? 0 : Math.sign(is - was);
}

/** Compares the verdicts of two results. A clause that one of them does not know is untested there. */
export function compareVerdicts(before: readonly ClauseVerdict[], after: readonly ClauseVerdict[]): VerdictsDocument {
  const now = new Map(after.map(({ id, verdict }) => [id, verdict]));
  const then = new Map(before.map(({ id, verdict }) => [id, verdict]));
  const verdicts = [...new Set([...then.keys(), ...now.keys()])]
    .map(
      (clause) => ({ clause, before: then.get(clause) ?? "untested", after: now.get(clause) ?? "untested" }) as const,
    )
    .filter((one) => one.before !== one.after)
    .sort(byTurn);
  return { verdicts };
}

/** Compares changes: lost ones first, then won ones, then all others. */
export function byTurn(a: VerdictChange, b: VerdictChange): number {
  const [left, right] = [turnOf(a), turnOf(b)];
  // Lost is 1, won is -1, and the others come last.
  const [first, second] = [left === 0 ? 2 : -left, right === 0 ? 2 : -right];
  return first - second || (a.clause < b.clause ? -1 : 1);
}
