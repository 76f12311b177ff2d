/** Laws on one conversation in several interfaces of a target: it ends for the same kind of reason, and its calls keep their arguments. */

import type { Law, LawFault, Member } from "../../../check/law.ts";
import { nameOf } from "../../../check/law.ts";
import type { Subject } from "../../../check/subject.ts";
import { isObject, parseJson } from "../../../wire/json.ts";
import { type Facts, faultOf, type ReadFacts, type Replied, repliesOf } from "./facts.ts";

/** Reasons to end that mean the same in every interface; what others mean depends on the model or its filters. */
const endings: Readonly<Record<string, "at the token bound" | "by itself">> = {
  length: "at the token bound",
  max_tokens: "at the token bound",
  MAX_TOKENS: "at the token bound",
  stop: "by itself",
  tool_calls: "by itself",
  end_turn: "by itself",
  tool_use: "by itself",
  STOP: "by itself",
};

const endingOf = ({ finish }: Facts) =>
  finish && Object.hasOwn(endings, finish.value) ? endings[finish.value] : undefined;

/** The text of content in any interface's spelling: a string, or a list of nothing but texts. */
function contentText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || !content.every((part) => isObject(part) && typeof part["text"] === "string"))
    return undefined;
  return content.map(({ text }) => text).join("");
}

/** The question, in words of no interface; undefined unless it is one message of one user. */
interface Conversation {
  readonly key: string;
  /** The most tokens of the reply. */
  readonly bound: unknown;
}

function conversationOf({ requestJson: asked }: Subject): Conversation | undefined {
  const turns = asked["messages"] ?? asked["contents"];
  const [turn] = Array.isArray(turns) && turns.length === 1 ? turns : [];
  const text = isObject(turn) && turn["role"] === "user" ? contentText(turn["content"] ?? turn["parts"]) : undefined;
  if (text === undefined) return undefined;
  const config = isObject(asked["generationConfig"]) ? asked["generationConfig"] : {};
  const bound = asked["max_completion_tokens"] ?? asked["max_tokens"] ?? config["maxOutputTokens"];
  return { key: JSON.stringify([text, bound ?? null, Array.isArray(asked["tools"])]), bound };
}

/** The members of the arguments of the only call; undefined where there is no such object. */
function argumentsOf({ calls }: Facts): Readonly<Record<string, unknown>> | undefined {
  const [call] = calls.length === 1 ? calls : [];
  const json = call?.arguments === undefined ? undefined : parseJson(call.arguments);
  return json?.ok && isObject(json.value) ? json.value : undefined;
}

const sorted = (json: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Whether two replies say the same, or were both cut off: only then no model chose how each of them ends. */
function isAlike(a: Facts, b: Facts, bound: unknown): boolean {
  if (a.calls.length > 0 || b.calls.length > 0) {
    const [one, other] = [argumentsOf(a), argumentsOf(b)];
    return one !== undefined && other !== undefined && sorted(one) === sorted(other);
  }
  const isFull = ({ generated }: Facts): boolean => typeof bound === "number" && (generated?.value ?? 0) >= bound;
  return (a.text.value !== "" && a.text.value === b.text.value) || (isFull(a) && isFull(b));
}

/** The later one of two that differ is named; of more, the one that differs from all others. */
const isOdd = (own: Replied, others: readonly Replied[]): boolean =>
  others.length > 1 || (others.length === 1 && own.member.position > others[0]!.member.position);

function endsOtherwise(own: Replied, others: readonly Replied[], bound: unknown): LawFault | undefined {
  const ending = endingOf(own.facts);
  const alike = others.filter(({ facts }) => endingOf(facts) && isAlike(own.facts, facts, bound));
  const [first] = alike;
  if (!first || !ending || !isOdd(own, alike)) return undefined;
  const theirs = endingOf(first.facts);
  if (theirs === ending || alike.some(({ facts }) => endingOf(facts) !== theirs)) return undefined;
  const said = `${JSON.stringify(first.facts.finish!.value)} of ${nameOf(first.member)}`;
  return faultOf(own, own.facts.finish!, {
    expected: `a reason that says that the reply ended ${theirs}, as ${said}`,
    reading,
  });
}

/** Arguments that every other interface passes on and this one does not. */
function losesArguments(own: Replied, others: readonly Replied[]): LawFault | undefined {
  const kept = argumentsOf(own.facts);
  const theirs = others.map(({ facts }) => argumentsOf(facts)).filter((one) => one !== undefined);
  const [first] = theirs;
  const calling = others.find(({ facts }) => argumentsOf(facts));
  if (!kept || !first || !calling) return undefined;
  const isSubset = Object.keys(kept).every((name) => theirs.every((one) => Object.hasOwn(one, name)));
  const lost = Object.keys(first).filter(
    (name) => !Object.hasOwn(kept, name) && theirs.every((one) => Object.hasOwn(one, name)),
  );
  if (!isSubset || lost.length === 0) return undefined;
  const [{ arguments: text, spot }] = own.facts.calls as readonly [Facts["calls"][number]];
  return faultOf(
    own,
    { value: text, spot },
    { expected: `arguments with ${lost.join(", ")}, as those of ${nameOf(calling.member)}`, reading },
  );
}

const reading = { id: "X-TWICE", default: "warning", strict: "error" } as const;

/** Replies of one interface, each beside those of the others to the same conversation. */
function groupsOf(members: readonly Member[], of: string, read: ReadFacts) {
  const groups = new Map<string, { readonly bound: unknown; readonly replies: Replied[] }>();
  for (const replied of repliesOf(members, read)) {
    const asked = replied.facts.streamed ? undefined : conversationOf(replied.member.subject);
    if (!asked) continue;
    const group = groups.get(asked.key) ?? { bound: asked.bound, replies: [] };
    groups.set(asked.key, group);
    // The first of several replies in one interface counts.
    const { interface: spoken } = replied.member.subject;
    if (!group.replies.some(({ member }) => member.subject.interface === spoken)) group.replies.push(replied);
  }
  return [...groups.values()].flatMap(({ bound, replies }) => {
    const own = replies.find(({ member }) => member.subject.interface === of);
    const others = replies.filter((one) => one !== own);
    return own && others.length > 0 ? [{ bound, own, others }] : [];
  });
}

/**
 * The law for the replies of one interface.
 * @param ofArguments whether no other clause holds lost arguments against a reply
 */
export const sameConversation = (
  clause: string,
  of: string,
  read: ReadFacts,
  ofArguments: boolean,
  spoil: Law["spoil"],
): Law => ({
  clause,
  across: true,
  applies: (members) => groupsOf(members, of, read).length > 0,
  *check(members) {
    for (const { bound, own, others } of groupsOf(members, of, read)) {
      const fault = endsOtherwise(own, others, bound) ?? (ofArguments ? losesArguments(own, others) : undefined);
      if (fault) yield fault;
    }
  },
  spoil,
});
