/** Laws on one conversation in several interfaces of a target: it ends for the same kind of reason, and its calls keep their arguments. */

import type { ComparableReply, Ending } from "../../../check/comparable-reply.ts";
import type { Law, LawFault, Member } from "../../../check/law.ts";
import { nameOf } from "../../../check/law.ts";
import type { Fault, Spot } from "../../../check/rule.ts";
import { isObject, parseJson } from "../../../wire/json.ts";
import type { Facts } from "./facts.ts";

/** What an interface says of a request beside its reply. */
export interface ComparedRequest {
  /** The content of the only turn, which a user said. */
  readonly content: unknown;
  readonly maxTokens: unknown;
  readonly tools: unknown;
}

/** The text of content in any interface's spelling: a string, or a list of nothing but texts. */
function contentText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || !content.every((part) => isObject(part) && typeof part["text"] === "string"))
    return undefined;
  return content.map(({ text }) => text).join("");
}

/** The only turn of a list, if a user said it. */
export function onlyTurn(turns: unknown): Readonly<Record<string, unknown>> {
  const [turn] = Array.isArray(turns) && turns.length === 1 ? turns : [];
  return isObject(turn) && turn["role"] === "user" ? turn : {};
}

/** A whole reply beside its question; undefined unless that is one message of one user. */
export function comparableReplyFrom(
  { streamed, text, calls, finish, generated }: Facts,
  { content, maxTokens, tools }: ComparedRequest,
  endings: Readonly<Record<string, Ending>>,
): ComparableReply | undefined {
  const question = contentText(content);
  if (streamed || question === undefined) return undefined;
  const ending = finish && Object.hasOwn(endings, finish.value) ? endings[finish.value] : undefined;
  return {
    question: JSON.stringify([question, maxTokens ?? null, Array.isArray(tools)]),
    ...(typeof maxTokens === "number" && { maxTokens }),
    text: text.value,
    calls: calls.map((call) => ({ value: call.arguments ?? "", spot: call.spot })),
    ...(finish && { finish }),
    ...(ending && { ending }),
    ...(generated && { generated: generated.value }),
  };
}

/** A reply among those to the same question. */
interface Reply extends ComparableReply {
  readonly member: Member;
}

/** The members of the arguments of the only call; undefined where there is no such object. */
function argumentsOf({ calls }: ComparableReply): Readonly<Record<string, unknown>> | undefined {
  const [call] = calls.length === 1 ? calls : [];
  const json = call && parseJson(call.value);
  return json?.ok && isObject(json.value) ? json.value : undefined;
}

const sorted = (json: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Whether two replies say the same, or were both cut off: only then no model chose how each of them ends. */
function isAlike(a: ComparableReply, b: ComparableReply): boolean {
  if (a.calls.length > 0 || b.calls.length > 0) {
    const [one, other] = [argumentsOf(a), argumentsOf(b)];
    return one !== undefined && other !== undefined && sorted(one) === sorted(other);
  }
  const isFull = ({ generated = 0, maxTokens = Number.POSITIVE_INFINITY }: ComparableReply): boolean =>
    generated >= maxTokens;
  return (a.text !== "" && a.text === b.text) || (isFull(a) && isFull(b));
}

/** The later one of two that differ is named; of more, the one that differs from all others. */
const isOdd = (own: Reply, others: readonly Reply[]): boolean =>
  others.length > 1 || (others.length === 1 && own.member.position > others[0]!.member.position);

const reading = { id: "X-TWICE", default: "warning", strict: "error" } as const;

const faultOf = (of: Member, spot: Spot, fault: Pick<Fault, "actual" | "expected">): LawFault => ({
  of,
  side: "response",
  ...spot,
  ...fault,
  reading,
});

function endsOtherwise(own: Reply, others: readonly Reply[]): LawFault | undefined {
  const alike = others.filter((other) => other.ending && isAlike(own, other));
  const [first] = alike;
  if (!first || !own.ending || !isOdd(own, alike)) return undefined;
  if (first.ending === own.ending || alike.some(({ ending }) => ending !== first.ending)) return undefined;
  const said = `${JSON.stringify(first.finish!.value)} of ${nameOf(first.member)}`;
  const expected = `a reason that says that the reply ended ${first.ending}, as ${said}`;
  return faultOf(own.member, own.finish!.spot, { actual: own.finish!.value, expected });
}

/** Arguments that every other interface passes on and this one does not. */
function losesArguments(own: Reply, others: readonly Reply[]): LawFault | undefined {
  const kept = argumentsOf(own);
  const theirs = others.map(argumentsOf).filter((one) => one !== undefined);
  const [first] = theirs;
  const calling = others.find(argumentsOf);
  if (!kept || !first || !calling) return undefined;
  const isSubset = Object.keys(kept).every((name) => theirs.every((one) => Object.hasOwn(one, name)));
  const lost = Object.keys(first).filter(
    (name) => !Object.hasOwn(kept, name) && theirs.every((one) => Object.hasOwn(one, name)),
  );
  if (!isSubset || lost.length === 0) return undefined;
  const { value, spot } = own.calls[0]!;
  const expected = `arguments with ${lost.join(", ")}, as those of ${nameOf(calling.member)}`;
  return faultOf(own.member, spot, { actual: value, expected });
}

/** Replies of one interface, each beside those of the others to the same question. */
function groupsOf(members: readonly Member[], of: string) {
  const groups = new Map<string, Reply[]>();
  for (const member of members) {
    const reply = member.comparableReply();
    if (!reply) continue;
    const replies = groups.get(reply.question) ?? [];
    groups.set(reply.question, replies);
    // The first of several replies in one interface counts.
    if (!replies.some((other) => other.member.subject.interface === member.subject.interface))
      replies.push({ ...reply, member });
  }
  return [...groups.values()].flatMap((replies) => {
    const own = replies.find(({ member }) => member.subject.interface === of);
    const others = replies.filter((one) => one !== own);
    return own && others.length > 0 ? [{ own, others }] : [];
  });
}

/**
 * The law for the replies of one interface.
 * @param ofArguments whether no other clause holds lost arguments against a reply
 */
export const sameConversation = (of: string, ofArguments: boolean, spoil: Law["spoil"]): Law => ({
  clause: `${of}.laws.same-conversation`,
  across: true,
  applies: (members) => groupsOf(members, of).length > 0,
  *check(members) {
    for (const { own, others } of groupsOf(members, of)) {
      const fault = endsOtherwise(own, others) ?? (ofArguments ? losesArguments(own, others) : undefined);
      if (fault) yield fault;
    }
  },
  spoil,
});
