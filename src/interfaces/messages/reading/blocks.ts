/** The content of a reply, however it came: its blocks, why it stopped, and where each fact stood. */
import type { Fault } from "../../../check/rule.ts";

/** A place in the response. */
export type Spot = Pick<Fault, "in" | "event" | "pointer"> & { readonly pointer: string };

export interface ReplyBlock {
  readonly type: unknown;
  readonly at: Spot;
  /** The end of its text; in a stream, in the last delta that brought some. */
  readonly textAt: Spot;
  /** The place of its input; in a stream, the last delta that brought some, which is a text. */
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

/** Tool uses of a reply. */
export function toolUses({ blocks }: Reply): readonly ReplyBlock[] {
  return blocks.filter(({ type }) => type === "tool_use");
}

const understood = new Set<unknown>(["text", "tool_use", "thinking", "redacted_thinking"]);

/** Whether a reply holds blocks of which nobody can say that they are no tool use. */
export function hasUnknownBlocks({ blocks }: Reply): boolean {
  return blocks.some(({ type }) => !understood.has(type));
}
