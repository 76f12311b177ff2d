/** The content of a generate-content reply, for people who read it. */
import { maxReplies, type ReplyPart, type ReplyPlace } from "../../../check/reply-parts.ts";
import type { Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { type Found, memberOf, replyOf } from "./reply.ts";

/** From places in canonical spelling to those that were sent. */
function sentPlaces({ response, streamEvents }: Subject): (found: Found<unknown>, below?: string) => ReplyPlace {
  return ({ piece: { event }, pointer }, below = "") => {
    const body = response?.body;
    const original = event === undefined ? body?.kind === "json" && body.original : streamEvents?.[event]?.original;
    const place = pointer + below;
    return { ...(event !== undefined && { event }), pointer: original ? original(place) : place };
  };
}

/** Texts, thoughts and calls of every candidate, and why it ended. */
export function replyParts(subject: Subject): ReplyPart[] {
  const placed = sentPlaces(subject);
  return (replyOf(subject)?.candidates ?? []).slice(0, maxReplies).flatMap(({ parts, finish }, reply) => {
    const found: (ReplyPart & { readonly pieces: ReplyPlace[] })[] = [];
    for (const part of parts) {
      const { value } = part;
      const call = memberOf(value, "functionCall");
      if (typeof value["text"] === "string") {
        const kind = value["thought"] === true ? "thinking" : "text";
        const last = found.at(-1);
        if (last?.kind === kind) last.pieces.push(placed(part, "/text"));
        else found.push({ kind, reply, pieces: [placed(part, "/text")] });
      } else if (typeof call["name"] === "string")
        found.push({
          kind: "call",
          reply,
          name: call["name"],
          ...(typeof call["id"] === "string" && { id: call["id"] }),
          pieces: isObject(call["args"]) ? [placed(part, "/functionCall/args")] : [],
        });
    }
    if (finish) found.push({ kind: "end", reply, pieces: [placed(finish)] });
    return found;
  });
}
