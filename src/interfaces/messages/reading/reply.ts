/** A reply seen one way, whether it came whole or as a stream. */

import { remember, type Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import type { Reply, ReplyBlock, Spot } from "./blocks.ts";
import { streamOf } from "./stream.ts";

function wholeReply(body: Readonly<Record<string, unknown>>): Reply {
  // Content that is no array may have meant anything: one block of no known type.
  const content = Array.isArray(body["content"]) ? (body["content"] as unknown[]) : [undefined];
  const at = (pointer: string): Spot => ({ in: "body", pointer });
  return {
    blocks: content.map((block, i): ReplyBlock => {
      const where = at(`/content/${i}`);
      const places = { at: where, textAt: at(`/content/${i}/text`), inputAt: at(`/content/${i}/input`) };
      if (!isObject(block)) return { type: undefined, ...places };
      const { type, text, id, name, input } = block;
      return { type, ...places, id, name, input, ...(typeof text === "string" && { text }) };
    }),
    stopReason: body["stop_reason"],
    stopReasonAt: at("/stop_reason"),
    stopSequence: body["stop_sequence"],
    stopSequenceAt: at("/stop_sequence"),
    outputTokens: isObject(body["usage"]) ? body["usage"]["output_tokens"] : undefined,
    outputTokensAt: at("/usage/output_tokens"),
  };
}

function computeReply(subject: Subject): Reply | undefined {
  const body = subject.replyJson;
  if (body) return isErrorBody(body) ? undefined : wholeReply(body);
  return streamOf(subject)?.reply;
}

/** The successful reply, or undefined where there is none. */
export const replyOf: (subject: Subject) => Reply | undefined = remember(computeReply);

/** Whether a body reports an error rather than being a message. */
export function isErrorBody(body: Readonly<Record<string, unknown>>): boolean {
  return body["type"] === "error" || (body["type"] !== "message" && isObject(body["error"]));
}
