/** The verdict on one clause, from what was counted of it. */
import type { Clause } from "../check/clause.ts";
import type { ExchangePlace } from "../check/finding-order.ts";
import type { ClauseVerdict, Verdict } from "./document.ts";

/** The counts of a clause. Judges make a tally for every batch, and most clauses need no reason: sets come with the first. */
export interface Count {
  exercised: number;
  failed: number;
  warned: number;
  unenforced: number;
  first: ExchangePlace | undefined;
  needs: Set<string> | undefined;
  skipped: Set<string> | undefined;
  broken: Set<string> | undefined;
}

/** The decisive comes first: a failure above all else, a clause that nothing exercised last. */
export function verdictOn(clause: Clause, count: Count): ClauseVerdict {
  const { exercised, failed, warned, unenforced, first, skipped, broken } = count;
  const { missingCode } = clause;
  const needs = missingCode === undefined ? count.needs : new Set([missingCode]);
  const verdict: Verdict =
    failed > 0
      ? "fail"
      : broken
        ? "broken"
        : warned > 0
          ? "warning"
          : unenforced > 0
            ? "unenforced"
            : exercised > 0 && missingCode === undefined
              ? "pass"
              : needs
                ? "no-verdict"
                : skipped
                  ? "skipped"
                  : clause.kind === "unobservable"
                    ? "no-verdict"
                    : "untested";
  const reasons =
    verdict === "broken"
      ? broken
      : verdict === "skipped"
        ? skipped
        : verdict === "no-verdict" && !needs && clause.reason
          ? [clause.reason]
          : verdict === "no-verdict"
            ? needs
            : [];
  const sorted = [...(reasons ?? [])].sort();
  return {
    id: clause.id,
    verdict,
    exercised,
    failed,
    ...(warned > 0 && { warned }),
    ...(unenforced > 0 && { unenforced }),
    ...(verdict === "pass" && first && { shownIn: first }),
    ...(sorted.length > 0 && { needs: sorted }),
  };
}
