/** The content of a chat reply, for people who read it. */
import { maxReplies, type ReplyPart, type ReplyPlace } from "../../../check/reply-parts.ts";
import type { Subject } from "../../../check/subject.ts";
import { resolvePointer } from "../../../wire/pointer.ts";
import { type Call, type Choice, replyOf, type Spot, valueAt } from "./reply.ts";

/** Members of a message that carry text; the last two are what servers name thoughts that no document describes. */
const texts = [
  ["thinking", "reasoning_content"],
  ["thinking", "reasoning"],
  ["text", "content"],
  ["refusal", "refusal"],
] as const;

const placed = ({ event }: Spot, pointer: string): ReplyPlace => ({ ...(event !== undefined && { event }), pointer });

/** The places of the message: once, or in every chunk. */
function messagesOf({ pieces, message }: Choice): readonly Spot[] {
  if (pieces.length === 0) return [message];
  return pieces.map(({ event, pointer }): Spot => ({ in: "stream", event, pointer: `${pointer}/delta` }));
}

function callPart({ id, name, pieces }: Call, reply: number, below: string): ReplyPart {
  return {
    kind: "call",
    reply,
    ...(name !== undefined && { name }),
    ...(id !== undefined && { id }),
    pieces: pieces.map((spot) => placed(spot, `${spot.pointer}${below}`)),
  };
}

/** Texts, calls and the end of every choice; pieces that are no text, or an empty one, are left out. */
export function replyParts(subject: Subject): ReplyPart[] {
  return (replyOf(subject)?.choices ?? []).slice(0, maxReplies).flatMap((choice, reply): ReplyPart[] => {
    const places = messagesOf(choice).map((spot) => [spot, valueAt(subject, spot)] as const);
    const parts = texts.flatMap(([kind, member]): ReplyPart[] => {
      const pieces = places.flatMap(([spot, message]) => {
        const text = resolvePointer(message, `/${member}`);
        return typeof text === "string" && text !== "" ? [placed(spot, `${spot.pointer}/${member}`)] : [];
      });
      return pieces.length > 0 ? [{ kind, reply, pieces }] : [];
    });
    const { calls, functionCall, finish, finishSpot } = choice;
    return [
      ...parts,
      ...calls.map((call) => callPart(call, reply, "/function/arguments")),
      ...(functionCall ? [callPart(functionCall, reply, "/arguments")] : []),
      ...(typeof finish === "string"
        ? [{ kind: "end" as const, reply, pieces: [placed(finishSpot, finishSpot.pointer)] }]
        : []),
    ];
  });
}
