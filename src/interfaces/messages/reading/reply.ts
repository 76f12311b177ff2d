/** A reply seen one way, whether it came whole or as a stream: its blocks, why it stopped, and where each fact stood. */
import type { Fault } from "../../../check/rule.ts";
import { isObject, remember, type Subject } from "../../../check/subject.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { streamOf } from "./stream.ts";

/** A place in the response. */
export type Spot = Pick<Fault, "in" | "event" | "pointer"> & { readonly pointer: string };

export interface ReplyBlock {
  readonly type: unknown;
  readonly at: Spot;
  /** Where its text ends; of a stream, in the last delta that brought some. */
  readonly textAt: Spot;
  /** Where its input stands; of a stream, in the last delta that brought some, which is a text. */
  readonly inputAt: Spot & { readonly piece?: string };
  /** The text, of a stream put together; undefined where none came. */
  readonly text?: string;
  readonly id?: unknown;
  readonly name?: unknown;
  /** The input of a tool use; of a stream, what its pieces add up to. Undefined where that is no JSON. */
  readonly input?: unknown;
  /** Whether the pieces of the input are too much to read. */
  readonly beyond?: boolean;
}

export interface Reply {
  readonly blocks: readonly ReplyBlock[];
  /** Undefined where the reply does not say. */
  readonly stopReason: unknown;
  readonly stopReasonAt: Spot;
  readonly stopSequence: unknown;
  readonly stopSequenceAt: Spot;
  readonly outputTokens: unknown;
  readonly outputTokensAt: Spot;
}

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

/** Tool uses of a reply. */
export function toolUses({ blocks }: Reply): readonly ReplyBlock[] {
  return blocks.filter(({ type }) => type === "tool_use");
}

const understood = new Set<unknown>(["text", "tool_use", "thinking", "redacted_thinking"]);

/** Whether a reply holds blocks of which nobody can say that they are no tool use. */
export function hasUnknownBlocks({ blocks }: Reply): boolean {
  return blocks.some(({ type }) => !understood.has(type));
}

/** Whether an exchange's response is a stream, by its media type. */
export function isEventStream({ response }: Exchange): boolean {
  return (response?.headers ?? []).some(
    ([name, value]) => name.toLowerCase() === "content-type" && value.includes("event-stream"),
  );
}
