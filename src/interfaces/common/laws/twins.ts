/** Laws on a question asked twice: a stream put together again is what the whole reply would be. */

import type { Grade } from "../../../check/clause.ts";
import { type Law, type LawFault, nameOf } from "../../../check/law.ts";
import { parseJson } from "../../../wire/json.ts";
import { type Facts, faultOf, type ReadFacts, type Replied, repliesOf } from "./facts.ts";

/** Other words are no violation of anything: a model chose them. */
export const reading = (level: "warning" | "note"): Grade => ({
  id: "X-TWICE",
  default: level,
  strict: level === "note" ? "note" : "error",
});

/** A stream beside the whole replies to the same question. */
export interface Pair {
  /** The first of them. */
  readonly whole: Replied;
  /** The second, where there is one. */
  readonly again: Replied | undefined;
  readonly stream: Replied;
}

/** Streams, each beside whole replies to the same question. */
export function pairsOf(replies: readonly Replied[]): Pair[] {
  const wholes = new Map<string, Replied[]>();
  for (const replied of replies) {
    const { question, streamed } = replied.facts;
    if (streamed) continue;
    const known = wholes.get(question);
    if (known) known.push(replied);
    else wholes.set(question, [replied]);
  }
  return replies.flatMap((stream) => {
    const [whole, again] = (stream.facts.streamed && wholes.get(stream.facts.question)) || [];
    return whole ? [{ whole, again, stream }] : [];
  });
}

/** A law on every such pair that `concerns` picks. */
export function perPair(
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

export const calls = ({ calls }: Facts): boolean => calls.length > 0;

/** Whether both say the same: call tools, or say the same words. */
const alike = (a: Facts, b: Facts): boolean =>
  calls(a) || calls(b) ? calls(a) && calls(b) : a.text.value === b.text.value;

/** Reasons to end that no other clause holds against a reply: of one that calls tools, and of one that does not. */
export interface Endings {
  readonly calling: readonly string[];
  readonly talking: readonly string[];
}

/** Replies with the same content end for the same reason. */
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
