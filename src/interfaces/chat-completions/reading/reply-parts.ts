/** The parts of a chat reply: choices, calls, and their places. */
import { isObject } from "../../../wire/json.ts";

/** A place in the response. */
export interface Spot {
  readonly in: "body" | "stream";
  readonly event?: number;
  readonly pointer: string;
}

/** A tool call or function call; members are undefined where absent or of the wrong type. */
export interface Call {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string | undefined;
  readonly spot: Spot;
  /** The places of its pieces, in order: the first is `spot`. */
  readonly pieces: readonly Spot[];
}

export interface Placed {
  readonly value: Readonly<Record<string, unknown>>;
  readonly spot: Spot;
}

/** One chunk's share in one choice of a stream. */
export interface Piece {
  readonly event: number;
  readonly pointer: string;
  readonly delta: Readonly<Record<string, unknown>> | undefined;
  readonly finish: unknown;
}

export interface Choice {
  /** Undefined where it is no integer. */
  readonly index: number | undefined;
  /** Members have types other than the documented ones, so that nothing can be said about their meaning. */
  readonly broken: boolean;
  /** Undefined where absent. */
  readonly content: string | null | undefined;
  readonly refusal: string | null | undefined;
  readonly calls: readonly Call[];
  readonly functionCall: Call | undefined;
  readonly audio: Placed | undefined;
  readonly annotations: readonly Placed[];
  /** Entries of `logprobs.content` and `logprobs.refusal`. */
  readonly entries: readonly Placed[];
  /** Whether `logprobs` is an object that gives at least one of its lists; whether that is an array is its type's fault. */
  readonly logprobs: boolean;
  readonly finish: string | null | undefined;
  readonly finishSpot: Spot;
  /** The choice; of a stream, its last chunk's. */
  readonly spot: Spot;
  /** The message; of a stream, the last chunk's delta. */
  readonly message: Spot;
  /** Empty for a whole reply. */
  readonly pieces: readonly Piece[];
}

/** Content that is text, piece by piece: what stands where. One entry for a whole reply, one a chunk for a stream. */
export function textsOf({ content, message, pieces }: Choice): { readonly value: string; readonly spot: Spot }[] {
  if (pieces.length === 0 && typeof content === "string")
    return [{ value: content, spot: { ...message, pointer: `${message.pointer}/content` } }];
  return pieces.flatMap(({ delta, event, pointer }) =>
    typeof delta?.["content"] === "string"
      ? [{ value: delta["content"], spot: { in: "stream", event, pointer: `${pointer}/delta/content` } as const }]
      : [],
  );
}

/** The hint for a fault of a text that came in several pieces, of which one is quoted. */
export function joinedHint(texts: readonly { readonly spot: Spot }[]): { readonly hint?: string } {
  const [first, last] = [texts[0]?.spot.event, texts.at(-1)?.spot.event];
  return first === last ? {} : { hint: `the text is put together from events ${first} to ${last}` };
}

/** Whether the words of a choice stand in its audio and not in its content. */
export const isSpoken = ({ audio, content }: Choice): boolean => audio !== undefined && !content;

export const integer = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? (value as number) : undefined;
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
export const textOrNull = (value: unknown): string | null | undefined => (value === null ? null : text(value));
/** Whether a value is absent, null or as `fits` wants it. */
export const optional = (value: unknown, fits: (value: unknown) => boolean): boolean =>
  value === undefined || value === null || fits(value);
export const isText = (value: unknown): boolean => typeof value === "string";

export function callOf(id: unknown, called: unknown, spot: Spot): Call {
  const { name, arguments: given } = isObject(called) ? called : {};
  return { id: text(id), name: text(name), arguments: text(given), spot, pieces: [spot] };
}

export function placedIn(list: unknown, spot: Spot): Placed[] {
  const placed: Placed[] = [];
  if (!Array.isArray(list)) return placed;
  for (let i = 0; i < list.length; i++) {
    const value: unknown = list[i];
    if (isObject(value)) placed.push({ value, spot: { ...spot, pointer: `${spot.pointer}/${i}` } });
  }
  return placed;
}

/** Entries of a choice's logprobs, and whether there are any arrays. */
export function entriesIn(logprobs: unknown, spot: Spot): { entries: Placed[]; given: boolean } {
  if (!isObject(logprobs)) return { entries: [], given: false };
  const { content, refusal } = logprobs;
  return {
    entries: [
      ...placedIn(content, { ...spot, pointer: `${spot.pointer}/logprobs/content` }),
      ...placedIn(refusal, { ...spot, pointer: `${spot.pointer}/logprobs/refusal` }),
    ],
    given: [content, refusal].some((list) => list !== undefined && list !== null),
  };
}
