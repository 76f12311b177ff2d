/** The law that streams which run at the same time do not mix: each request has a word of its own. */

import { warns } from "../../../check/clause.ts";
import { type Law, type Member, nameOf } from "../../../check/law.ts";
import { utf8Text } from "../../../wire/bytes.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { faultOf, type ReadFacts, repliesOf } from "./facts.ts";
import { spoilLast } from "./spoil.ts";

/** A word that stands in one request alone. */
const canary = /canary-[0-9a-f]{12}/g;

const canariesIn = (text: string): string[] => [...new Set(text.match(canary))];

/** The words a request has; none where it has several, as conversations that were put together do. */
function own({ request }: Exchange): string | undefined {
  const found = canariesIn(utf8Text(request.body));
  return found.length === 1 ? found[0] : undefined;
}

const marked = (members: readonly Member[]): Map<string, Member> =>
  new Map(
    members.flatMap((member) => {
      const word = own(member.subject.exchange);
      return word === undefined ? [] : [[word, member] as const];
    }),
  );

/**
 * No reply holds the word of another request; that it lacks its own says nothing.
 * @param sayInstead lets an answer say another text; undefined where it has none
 */
export const streamsApart = (
  clause: string,
  read: ReadFacts,
  sayInstead: (exchange: Exchange, text: string) => Exchange | undefined,
): Law => ({
  clause,
  applies: (members) => {
    const all = [...marked(members).values()];
    return repliesOf(all, read).filter(({ facts }) => facts.streamed).length > 1;
  },
  *check(members) {
    const byCanary = marked(members);
    for (const replied of repliesOf([...byCanary.values()], read)) {
      const { facts, member } = replied;
      const said = `${facts.text.value} ${facts.said}`;
      for (const strange of canariesIn(said)) {
        const other = byCanary.get(strange);
        if (other && other !== member)
          yield faultOf(
            replied,
            { value: facts.text.value, spot: facts.text.spot },
            {
              expected: "nothing of other requests",
              hint: `${strange} stands in the request of ${nameOf(other)}, which ran at the same time`,
              reading: warns("X-TWICE"),
            },
          );
      }
    }
  },
  spoil: spoilLast((last, first) => {
    const word = own(first);
    return word === undefined ? undefined : sayInstead(last, word);
  }),
});
