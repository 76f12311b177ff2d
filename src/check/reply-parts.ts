/** The parts of a reply, and where the pieces of each part stand. */

/** People are shown only the first alternatives of a reply that has more; a service answers with ten at most. */
export const maxReplies = 100;

/** The place of a piece in the response, as it was sent. */
export interface ReplyPlace {
  /** 0-based stream event; absent where it stands in the body. */
  readonly event?: number;
  /** JSON Pointer to what it says: a text, or the input of a call as JSON. */
  readonly pointer: string;
}

/** One part of a reply as a reader sees it. */
export interface ReplyPart {
  /** `end` is why the reply ended. */
  readonly kind: "text" | "refusal" | "thinking" | "call" | "end";
  /** The number of the reply it belongs to, from 0. */
  readonly reply: number;
  /** The name of the tool that is called. */
  readonly name?: string;
  /** The id of the call. */
  readonly id?: string;
  /** Texts that make one together, in order; nothing where it has no text. */
  readonly pieces: readonly ReplyPlace[];
}
