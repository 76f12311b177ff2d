/** The content of a stream's events together: each piece with the event that brought it. */
import type { ReplyPart, ReplyPlace } from "../../check/reply-parts.ts";
import type { ViewedBody, ViewedEvent } from "../../view/viewed.ts";
import { childrenOf, find, type JsonNodes, jsonNodes, unquoted, written } from "./json-nodes.ts";

export type StreamBody = Extract<ViewedBody, { kind: "stream" }>;

/** A piece of a part, and the event in which it came; no event where it stands in a body. */
export interface TextPiece {
  readonly event: number | undefined;
  readonly text: string;
}

export interface TextPart extends Omit<ReplyPart, "pieces"> {
  readonly pieces: readonly TextPiece[];
}

/** The text a pointer leads to; of what is no text its JSON. */
function textAt(json: JsonNodes, pointer: string): string {
  const { position, missing } = find(json, pointer);
  const node = json.nodes[position];
  if (!node || missing.length > 0) return "";
  const text = written(json, node);
  return node.kind === "string" ? unquoted(text) : text;
}

/** Puts parts together. @param jsonOf the JSON of an event, or of the body */
export function partsOf(
  parts: readonly ReplyPart[],
  jsonOf: (event: number | undefined) => JsonNodes | undefined,
): TextPart[] {
  const pieceOf = ({ event, pointer }: ReplyPlace): TextPiece => {
    const json = jsonOf(event);
    return { event, text: json ? textAt(json, pointer) : "" };
  };
  return parts.map((part) => ({ ...part, pieces: part.pieces.map(pieceOf) }));
}

/** Reads the JSON of events, each once. */
export function createEventReader({ events }: StreamBody): (event: number | undefined) => JsonNodes | undefined {
  const byPosition = new Map(events.map((event) => [event.position, event]));
  const known = new Map<number, JsonNodes>();
  return (position) => {
    const event = position === undefined ? undefined : byPosition.get(position);
    if (!event) return undefined;
    const json = known.get(event.position) ?? jsonNodes(event.text);
    known.set(event.position, json);
    return json;
  };
}

/** The text that each event adds to the reply, by its position. */
export function piecesByEvent(parts: readonly TextPart[]): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const { kind, pieces } of parts)
    for (const { event, text } of pieces)
      if (event !== undefined && text !== "") texts.set(event, (texts.get(event) ?? "") + (kind === "end" ? "" : text));
  return texts;
}

/** Characters of a member that is left out where it is the same again; shorter ones take no room. */
const minSame = 7;

/** The news in an event beside the one before it: its JSON without long members that are the same there. */
export function newIn(json: JsonNodes, previous: JsonNodes | undefined): string {
  if (json.nodes[0]?.kind !== "object" || previous?.nodes[0]?.kind !== "object") return json.text;
  const known = new Map([...childrenOf(previous, 0)].map((at) => [previous.nodes[at]!.key, at]));
  const members = [...childrenOf(json, 0)].flatMap((at) => {
    const node = json.nodes[at]!;
    const text = written(json, node);
    const same = known.get(node.key);
    const isSame = text.length >= minSame && same !== undefined && written(previous, previous.nodes[same]!) === text;
    return isSame ? [] : [`${node.key}:${text}`];
  });
  return members.length === json.nodes[0].size ? json.text : `{${members.join(",")}}`;
}

/** The first and the last time, and the longest pause: `[milliseconds, position of the event behind it]`. */
export function timesOf(events: readonly ViewedEvent[]): {
  readonly first: number;
  readonly last: number;
  readonly pause: readonly [length: number, before: number];
} | null {
  const timed = events.filter(({ time }) => time !== undefined);
  const first = timed[0]?.time;
  if (first === undefined) return null;
  let pause: readonly [number, number] = [0, timed[0]!.position];
  for (let i = 1; i < timed.length; i++) {
    const [one, next] = [timed[i - 1]!, timed[i]!];
    // Between events that are not listed there may have been others.
    if (next.position === one.position + 1 && next.time! - one.time! > pause[0])
      pause = [next.time! - one.time!, next.position];
  }
  return { first, last: timed.at(-1)!.time!, pause };
}
