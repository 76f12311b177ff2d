/** Judges how a client asks again: too soon, too often, or for nothing. */
import type { Case } from "../case.ts";
import type { PlannedExchange } from "./planned-exchange.ts";
import { counted, spanOf } from "./words.ts";

/** The same request more often than this is asked too often, even if that has an end. */
const maxAsked = 20;

/** Milliseconds by which clocks and timers may be off. */
const slack = 150;

/** Whether a client was sent on to other addresses: it stops after some twenty of them, and may begin anew. */
export const isRedirected = (told: readonly PlannedExchange[]): boolean =>
  told.some(({ planned: { answer } }) => answer.status >= 300 && answer.status < 400);

/**
 * Why a client asks wrongly; undefined where it does not.
 * @param usual how often it asks where all is well
 * @param isOver whether it ended by itself: one that did not may have failed to read the answers
 */
export function asksWrongly(
  one: Case,
  told: readonly PlannedExchange[],
  usual: number,
  isOver: boolean,
): string | undefined {
  const again = told.filter(({ planned, origin }) => planned.attempt > 0 && origin === "own");
  const most = Math.max(0, ...told.map(({ planned }) => planned.attempt)) + 1;
  const shown = again.filter(({ planned }) => planned.applies);
  if (most > maxAsked && !isRedirected(told)) return `it asked ${counted(most, "time")}`;
  if (one.again?.never && shown.length > 0)
    return `it asked ${counted(most, "time")} although asking again cannot help`;
  const { after } = one.again ?? {};
  if (after !== undefined)
    for (const next of again) {
      const before = told.findLast(
        ({ exchange, planned }) => exchange < next.exchange && planned.attempt === next.planned.attempt - 1,
      );
      const waited = before && !before.planned.answer.isComplete ? next.at - before.until : undefined;
      if (waited !== undefined && waited < after - slack)
        return `it asked again after ${spanOf(Math.max(0, waited))}, although it was told to wait ${spanOf(after)}`;
    }
  const afterWhole = again.filter(({ exchange, planned }) => {
    const before = told.findLast((entry) => entry.exchange < exchange && entry.planned.attempt === planned.attempt - 1);
    return before?.planned.answer.isComplete === true && before.planned.applies;
  });
  if (one.due === "answer" && isOver && afterWhole.length > Math.max(0, usual - 1))
    return `it asked ${counted(afterWhole.length + 1, "time")} although the answer was complete`;
  return undefined;
}

/** Whether a client that had not ended was still waiting as it was told to. @param until milliseconds from the start of the case */
export function isWaiting(one: Case, told: readonly PlannedExchange[], until: number): boolean {
  const { after } = one.again ?? {};
  const last = told.at(-1);
  return (
    after !== undefined && last !== undefined && !last.planned.answer.isComplete && until - last.until < after + slack
  );
}
