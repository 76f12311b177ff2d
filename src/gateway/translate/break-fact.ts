/** Breaks one fact on its way through the translator: drops it, changes it, or says what nobody said. */
import type { AnswerPiece } from "../../interfaces/common/facts/write.ts";
import type { FactSide } from "../trip.ts";
import { ofAnswers } from "./break-answer.ts";
import { requestsOf } from "./break-request.ts";
import { piecesChanged } from "./break-stream.ts";
import { type Breakage, breakages } from "./breakage.ts";
import { type Change, noChange } from "./translate.ts";

/** The ways in which a fact of one side can be broken; none where it cannot. */
export function breakagesOf(side: FactSide, fact: string): readonly Breakage[] {
  if (side === "answer" && (fact === "streamed" || fact === "disconnect")) return ["change"];
  const ways = side === "request" ? requestsOf(fact) : ofAnswers[fact];
  return ways ? breakages.filter((how) => ways[how]) : [];
}

/** A way to break a fact of one side. */
export function breakFact(side: FactSide, fact: string, how: Breakage): Change {
  if (side === "request") return { ...noChange, request: requestsOf(fact)?.[how] ?? noChange.request };
  if (fact === "streamed") return { ...noChange, holdsBack: true };
  if (fact === "disconnect") return { ...noChange, ignoresLeaving: true };
  return { ...noChange, answer: ofAnswers[fact]?.[how] ?? noChange.answer, pieces: piecesChanged(fact, how) };
}

/** Returns a change that makes all of the given changes, one after the other. */
export const combineChanges = (changes: readonly Change[]): Change => ({
  request: (facts) => changes.reduce((changed, { request }) => request(changed), facts),
  answer: (facts) => changes.reduce((changed, { answer }) => answer(changed), facts),
  pieces() {
    const steps = changes.map(({ pieces }) => pieces());
    return (piece) => steps.reduce<readonly AnswerPiece[]>((changed, step) => changed.flatMap(step), [piece]);
  },
  holdsBack: changes.some(({ holdsBack }) => holdsBack),
  ignoresLeaving: changes.some(({ ignoresLeaving }) => ignoresLeaving),
});
