/** Laws on a question asked twice: a stream put together again is what the whole reply would be. */

import type { Grade } from "../../../check/clause.ts";
import { type Law, type LawFault, nameOf } from "../../../check/law.ts";
import { inWords } from "../../../check/words.ts";
import { parseJson } from "../../../wire/json.ts";
import { type Facts, faultOf, type ReadFacts, type Replied, repliesOf } from "./facts.ts";

/** Other words are no violation of anything: a model chose them. */
const reading = (level: "warning" | "note"): Grade => ({
  id: "X-TWICE",
  default: level,
  strict: level === "note" ? "note" : "error",
});

interface Pair {
  readonly whole: Replied;
  readonly stream: Replied;
}

/** Streams, each beside the first whole reply to the same question. */
function pairsOf(replies: readonly Replied[]): Pair[] {
  const wholes = new Map<string, Replied>();
  for (const replied of replies)
    if (!replied.facts.streamed && !wholes.has(replied.facts.question)) wholes.set(replied.facts.question, replied);
  return replies.flatMap((stream) => {
    const whole = stream.facts.streamed ? wholes.get(stream.facts.question) : undefined;
    return whole ? [{ whole, stream }] : [];
  });
}

/** A law on every such pair that `concerns` picks. */
function perPair(
  clause: string,
  read: ReadFacts,
  concerns: (whole: Facts, stream: Facts) => boolean,
  check: (pair: Pair) => LawFault | undefined,
  spoil: Law["spoil"],
): Law {
  const concerned = (replies: readonly Replied[]): Pair[] =>
    pairsOf(replies).filter(({ whole, stream }) => concerns(whole.facts, stream.facts));
  return {
    clause,
    applies: (members) => concerned(repliesOf(members, read)).length > 0,
    *check(members) {
      for (const pair of concerned(repliesOf(members, read))) {
        const fault = check(pair);
        if (fault) yield fault;
      }
    },
    spoil,
  };
}

const calls = ({ calls }: Facts): boolean => calls.length > 0;

/** Whether both say the same: call tools, or say the same words. */
const alike = (a: Facts, b: Facts): boolean =>
  calls(a) || calls(b) ? calls(a) && calls(b) : a.text.value === b.text.value;

/** Reasons to end that no other clause holds against a reply: of one that calls tools, and of one that does not. */
export interface Endings {
  readonly calling: readonly string[];
  readonly talking: readonly string[];
}

/** Who says the same ends for the same reason. */
export const sameFinish = (clause: string, read: ReadFacts, endings: Endings, spoil: Law["spoil"]): Law => {
  const isSound = (facts: Facts): boolean =>
    facts.finish !== undefined && endings[calls(facts) ? "calling" : "talking"].includes(facts.finish.value);
  return perPair(
    clause,
    read,
    (whole, stream) => isSound(whole) && isSound(stream) && alike(whole, stream),
    ({ whole, stream }) =>
      stream.facts.finish!.value === whole.facts.finish!.value
        ? undefined
        : faultOf(stream, stream.facts.finish!, {
            expected: `${JSON.stringify(whole.facts.finish!.value)}, as the whole reply of ${nameOf(whole.member)}`,
            reading: reading("warning"),
          }),
    spoil,
  );
};

const isJson = (text: string | undefined): boolean => text !== undefined && parseJson(text).ok;

/** Arguments that come in pieces are JSON where those that come whole are. */
export const sameArguments = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law =>
  perPair(
    clause,
    read,
    (whole, stream) => calls(whole) && calls(stream) && whole.calls.every((call) => isJson(call.arguments)),
    ({ whole, stream }) => {
      const torn = stream.facts.calls.find((call) => !isJson(call.arguments));
      return (
        torn &&
        faultOf(
          stream,
          { value: torn.arguments, spot: torn.spot },
          {
            expected: `arguments that are JSON once put together, as in the whole reply of ${nameOf(whole.member)}`,
            reading: reading("warning"),
          },
        )
      );
    },
    spoil,
  );

/** The letters before the first dash or underscore of an id: `chatcmpl`. */
const formOf = (id: string): string => /^[a-z]{2,}(?=[-_])/i.exec(id)?.[0] ?? "";

/** Ids of streams have the form of whole replies' ids. */
export const sameIdForm = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law =>
  perPair(
    clause,
    read,
    (whole, stream) => formOf(whole.id?.value ?? "") !== "" && (stream.id?.value ?? "") !== "",
    ({ whole, stream }) => {
      const form = formOf(whole.facts.id!.value);
      return formOf(stream.facts.id!.value) === form
        ? undefined
        : faultOf(stream, stream.facts.id!, {
            expected: `an id that begins with ${form}, as that of ${nameOf(whole.member)}`,
            reading: reading("warning"),
          });
    },
    spoil,
  );

/** One prompt has one length, and so has one text; a token for the end may be counted or not. */
export const sameUsage = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law =>
  perPair(
    clause,
    read,
    (whole, stream) => whole.asked !== undefined && stream.asked !== undefined,
    ({ whole, stream }) => {
      const [one, other] = [whole.facts, stream.facts];
      const as = `as in the whole reply of ${nameOf(whole.member)}`;
      if (one.asked!.value !== other.asked!.value)
        return faultOf(stream, other.asked!, { expected: `${one.asked!.value}, ${as}`, reading: reading("warning") });
      const same = one.text.value !== "" && one.text.value === other.text.value && !calls(one) && !calls(other);
      if (!same || one.thinks || other.thinks || !one.generated || !other.generated) return undefined;
      return Math.abs(one.generated.value - other.generated.value) <= 1
        ? undefined
        : faultOf(stream, other.generated, {
            expected: `${one.generated.value}, ${as}`,
            hint: "both say the same",
            reading: reading("warning"),
          });
    },
    spoil,
  );

/** How many characters two texts have in common at their beginning and at their end. */
function common(a: string, b: string): number {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return head + tail;
}

/** Whether a text is another with one piece missing. */
const lacksPiece = (text: string, whole: string): boolean =>
  text.length < whole.length && common(text, whole) === text.length;

/** At temperature 0 both say the same words. Fewer words of as many tokens are no other choice of the model: a piece is lost. */
export const sameText = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law =>
  perPair(
    clause,
    read,
    (whole, stream) => whole.cold && !calls(whole) && !calls(stream) && whole.text.value !== "",
    ({ whole, stream }) => {
      const [one, other] = [whole.facts, stream.facts];
      if (one.text.value === other.text.value) return undefined;
      const counted = one.generated !== undefined && one.generated.value === other.generated?.value;
      const lost = counted && !one.thinks && !other.thinks && lacksPiece(other.text.value, one.text.value);
      return faultOf(
        stream,
        { value: other.text.value || inWords("no text"), spot: other.text.spot },
        {
          expected: `the text of the whole reply of ${nameOf(whole.member)}, ${JSON.stringify(one.text.value.slice(0, 200))}`,
          ...(lost && { hint: "a piece is missing, though as many tokens are counted" }),
          reading: reading(lost ? "warning" : "note"),
        },
      );
    },
    spoil,
  );

/** The same question with the same seed is answered alike by the same backend, where it can. */
export const sameSeed = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law => {
  /** Whole replies of one backend to one question. */
  const groups = (replies: readonly Replied[]): Replied[][] => {
    const byQuestion = new Map<string, Replied[]>();
    for (const replied of replies) {
      const backend = replied.facts.streamed ? undefined : replied.facts.backend;
      if (backend === undefined) continue;
      const key = JSON.stringify([backend, replied.facts.question]);
      byQuestion.set(key, [...(byQuestion.get(key) ?? []), replied]);
    }
    return [...byQuestion.values()].filter(({ length }) => length > 1);
  };
  return {
    clause,
    applies: (members) => groups(repliesOf(members, read)).length > 0,
    *check(members) {
      for (const [first, ...others] of groups(repliesOf(members, read)))
        for (const other of others)
          if (first && other.facts.said !== first.facts.said)
            yield faultOf(other, other.facts.text, {
              expected: `the reply of ${nameOf(first.member)}, since seed and fingerprint are the same`,
              reading: reading("note"),
            });
    },
    spoil,
  };
};
