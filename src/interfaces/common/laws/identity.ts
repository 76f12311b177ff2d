/** Laws on what belongs to one reply alone: its id, the ids of its calls, the time it was made. */

import { warns } from "../../../check/clause.ts";
import { type Law, nameOf } from "../../../check/law.ts";
import { canonicalText, faultOf, type PlacedValue, type ReadFacts, type Replied, repliesOf } from "./facts.ts";

const reading = warns("X-PLAUSIBLE");

/** An id, the reply it stands in, and what it stands for there. */
interface Identified {
  readonly id: PlacedValue<string>;
  readonly of: string;
  readonly replied: Replied;
}

/** One id means one thing; the same reply to the same question, as caches and recordings answer, keeps its id. */
function distinct(
  clause: string,
  idsIn: (replied: Replied) => Identified[],
  read: ReadFacts,
  spoil: Law["spoil"],
): Law {
  const known = (replies: readonly Replied[]): Identified[] =>
    replies.flatMap(idsIn).filter(({ id }) => id.value !== "");
  return {
    clause,
    applies: (members) => new Set(known(repliesOf(members, read)).map(({ of }) => of)).size > 1,
    *check(members) {
      const first = new Map<string, Identified>();
      for (const one of known(repliesOf(members, read))) {
        const { id, of, replied } = one;
        const other = first.get(id.value);
        if (other === undefined) first.set(id.value, one);
        else if (other.of !== of)
          yield faultOf(replied, id, {
            expected: "an id of its own",
            hint: `${nameOf(other.replied.member)}, which is another reply, has it too`,
            reading,
          });
      }
    },
    spoil,
  };
}

/** Different replies have different ids. */
export const replyIdsDistinct = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law =>
  distinct(
    clause,
    (replied) => {
      const { id, question, said } = replied.facts;
      return id ? [{ id, of: JSON.stringify([question, said]), replied }] : [];
    },
    read,
    spoil,
  );

/** Different calls have different ids, over all replies. */
export const callIdsDistinct = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law =>
  distinct(
    clause,
    (replied) =>
      replied.facts.calls.flatMap(({ id, name, arguments: given }) =>
        id ? [{ id, of: JSON.stringify([replied.facts.question, name, canonicalText(given)]), replied }] : [],
      ),
    read,
    spoil,
  );

/** Milliseconds between two exchanges after which their replies cannot be made in one second, however clocks round. */
const apart = 2000;
/** Milliseconds after which a later time shows that it moves; the same one shows nothing yet. */
const soon = 1000;

interface Timed extends Replied {
  readonly created: PlacedValue<number>;
  readonly started: number;
  /** When its last byte came: until then it may have been made. */
  readonly ended: number;
}

/** Replies by when they were asked for; where the recorder's clock is known. */
function timed(replies: readonly Replied[]): Timed[] {
  const known = replies.flatMap((replied): Timed[] => {
    const { created } = replied.facts;
    const { started, imported, response } = replied.member.subject.exchange;
    if (!created || !started || imported) return [];
    return [{ ...replied, created, started, ended: started + (response?.time ?? 0) }];
  });
  return known.sort((a, b) => a.started - b.started);
}

/** The first reply and the last, where they answer different questions and enough time lies between them to decide. */
function farthest(replies: readonly Replied[]): [Timed, Timed] | undefined {
  const all = timed(replies);
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last || first.facts.question === last.facts.question) return undefined;
  const passed = last.started - first.ended;
  return passed >= (last.created.value > first.created.value ? soon : apart) ? [first, last] : undefined;
}

/** The time a reply was made moves with the clock. */
export const createdMoves = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law => ({
  clause,
  applies: (members) => farthest(repliesOf(members, read)) !== undefined,
  *check(members) {
    const found = farthest(repliesOf(members, read));
    if (!found) return;
    const [first, last] = found;
    if (last.created.value <= first.created.value)
      yield faultOf(last, last.created, {
        expected: `more than ${first.created.value}, when ${nameOf(first.member)} was answered`,
        hint: `it was asked ${Math.round((last.started - first.ended) / 100) / 10} seconds later`,
        reading,
      });
  },
  spoil,
});
