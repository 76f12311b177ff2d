/** The content of an answer, independent of its interface. */
import type { HandedCall } from "./observation.ts";

/** A text, or the arguments of a call as JSON, in the pieces in which a stream brings it. */
export type SpeechPart =
  | { readonly kind: "text" | "refusal" | "thinking"; readonly pieces: readonly string[] }
  | { readonly kind: "call"; readonly name: string; readonly id?: string; readonly pieces: readonly string[] };

/** Why an answer ends. */
export type SpeechEnd = "stop" | "length" | "filter" | "calls" | "sequence";

export interface Speech {
  readonly parts: readonly SpeechPart[];
  readonly end: SpeechEnd;
}

/** The part of an answer that a client should hand back. */
export interface Said {
  readonly text: string;
  readonly calls: readonly HandedCall[];
}

const joined = ({ pieces }: SpeechPart): string => pieces.join("");

export const saidIn = ({ parts }: Speech): Said => ({
  text: parts.flatMap((part) => (part.kind === "text" ? joined(part) : [])).join(""),
  calls: parts.flatMap((part) => (part.kind === "call" ? { name: part.name, arguments: joined(part) } : [])),
});
