/** The law that streams which run at the same time do not mix: each request has a word of its own. */

import { warns } from "../../../check/clause.ts";
import { type Law, type Member, nameOf } from "../../../check/law.ts";
import type { Subject } from "../../../check/subject.ts";
import { faultOf, type ReadFacts, repliesOf } from "./facts.ts";

/** A word that stands in one request alone. */
const canary = /canary-[0-9a-f]{12}/g;

const canariesIn = (text: string): string[] => [...new Set(text.match(canary))];

/** The words a request has; none where it has several, as conversations that were put together do. */
function own({ exchange: { request } }: Subject): string | undefined {
  const found = canariesIn(Buffer.from(request.body).toString("utf8"));
  return found.length === 1 ? found[0] : undefined;
}

const marked = (members: readonly Member[]): Map<string, Member> =>
  new Map(members.flatMap((member) => (own(member.subject) ? [[own(member.subject)!, member] as const] : [])));

/** No reply holds the word of another request; that it lacks its own says nothing. */
export const streamsApart = (clause: string, read: ReadFacts, spoil: Law["spoil"]): Law => ({
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
  spoil,
});
