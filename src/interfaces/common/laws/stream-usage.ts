/** The law that a stream counts the tokens that whole replies to the same question count. */
import { type Law, type LawFault, nameOf } from "../../../check/law.ts";
import { type Facts, faultOf, type ReadFacts, type Replied, repliesOf } from "./facts.ts";
import { calls, type Pair, pairsOf, reading } from "./twins.ts";

/**
 * Whether counts of requests depend on the requests alone. A server that leaves out what its cache still holds counts 79 tokens
 * and then 1. Some of its whole replies count a fraction of what others do for as long a request.
 */
function isSteady(replies: readonly Replied[]): boolean {
  const rates = replies.flatMap(({ facts: { asked, question, streamed } }) =>
    asked && !streamed ? [asked.value / question.length] : [],
  );
  const [least, most] = rates.reduce(
    ([low, high], rate) => [Math.min(low, rate), Math.max(high, rate)],
    [Number.POSITIVE_INFINITY, 0],
  );
  return rates.length > 1 && most <= 2 * least;
}

/** Whether a whole reply says the very text of the stream, so that both have as many tokens. */
const saysTheSame = (whole: Facts, stream: Facts): boolean =>
  whole.text.value !== "" &&
  whole.text.value === stream.text.value &&
  ![whole, stream].some((facts) => calls(facts) || facts.thinks || !facts.generated);

/** One prompt has one length, and so has one text; a token for the end may be counted or not. */
export const sameUsage = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law => {
  function concerned(replies: readonly Replied[]) {
    const steady = isSteady(replies);
    return pairsOf(replies).flatMap((pair) => {
      const wholes = [pair.whole, pair.again].filter((one) => one !== undefined);
      const [count, ...others] = new Set(wholes.map(({ facts }) => facts.asked?.value));
      const own = pair.stream.facts.asked?.value;
      // A cache that holds this very request makes a later count smaller, never larger: only one more whole reply denies it.
      const isKnown = count !== undefined && others.length === 0 && own !== undefined;
      const mayBeCached = !pair.again && isKnown && own < count;
      const asked = steady && isKnown && !mayBeCached;
      const alike = wholes.filter(({ facts }) => saysTheSame(facts, pair.stream.facts));
      return asked || alike.length > 0 ? [{ pair, asked, alike }] : [];
    });
  }
  function faultIn({ whole, stream }: Pair, asked: boolean, alike: readonly Replied[]): LawFault | undefined {
    const as = `as in the whole reply of ${nameOf(whole.member)}`;
    const fault = (told: NonNullable<Facts["asked"]>, count: number, hint?: string): LawFault =>
      faultOf(stream, told, { expected: `${count}, ${as}`, ...(hint && { hint }), reading: reading("warning") });
    const [one, other] = [whole.facts, stream.facts];
    if (asked && one.asked!.value !== other.asked!.value) return fault(other.asked!, one.asked!.value);
    const counts = alike.map(({ facts }) => facts.generated!.value);
    if (counts.length === 0 || counts.some((count) => Math.abs(count - other.generated!.value) <= 1)) return undefined;
    return fault(other.generated!, counts[0]!, "both say the same");
  }
  return {
    clause,
    applies: (members) => concerned(repliesOf(members, read)).length > 0,
    *check(members) {
      for (const { pair, asked, alike } of concerned(repliesOf(members, read))) {
        const fault = faultIn(pair, asked, alike);
        if (fault) yield fault;
      }
    },
    spoil,
  };
};
