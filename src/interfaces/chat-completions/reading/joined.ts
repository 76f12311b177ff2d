/** One choice of a streamed chat reply, its pieces put together again. */
import { isObject } from "../../../wire/json.ts";
import {
  type Call,
  type Choice,
  callOf,
  entriesIn,
  isText,
  optional,
  type Piece,
  placedIn,
  type Spot,
  textOrNull,
} from "./reply-parts.ts";

/** A call while its pieces come. */
type Joined = { -readonly [K in keyof Omit<Call, "pieces">]: Call[K] } & { readonly pieces: Spot[] };

/** Joins the pieces of tool calls by their index; a piece without one continues the last call unless it has an id. */
function joinCalls(pieces: readonly Piece[]): Call[] {
  const calls = new Map<unknown, Joined>();
  let last: unknown;
  for (const { delta, event, pointer } of pieces) {
    const list = delta?.["tool_calls"];
    if (!Array.isArray(list)) continue;
    for (const [i, part] of (list as unknown[]).entries()) {
      if (!isObject(part)) continue;
      const key = part["index"] ?? (part["id"] === undefined ? last : `${event} ${i}`);
      last = key;
      const piece = callOf(part["id"], part["function"], {
        in: "stream",
        event,
        pointer: `${pointer}/delta/tool_calls/${i}`,
      });
      const known = calls.get(key);
      if (!known) calls.set(key, { ...piece, pieces: [piece.spot] });
      else {
        known.pieces.push(piece.spot);
        // Some services open a call before they know its id.
        if (!known.id) known.id = piece.id ?? known.id;
        known.name ??= piece.name;
        if (piece.arguments !== undefined) known.arguments = (known.arguments ?? "") + piece.arguments;
      }
    }
  }
  return [...calls.values()];
}

function joinFunctionCall(pieces: readonly Piece[]): Call | undefined {
  let joined: Call | undefined;
  const places: Spot[] = [];
  for (const { delta, event, pointer } of pieces) {
    const called = delta?.["function_call"];
    if (!isObject(called)) continue;
    const piece = callOf(undefined, called, { in: "stream", event, pointer: `${pointer}/delta/function_call` });
    places.push(piece.spot);
    joined = joined
      ? { ...joined, name: joined.name ?? piece.name, arguments: (joined.arguments ?? "") + (piece.arguments ?? "") }
      : { ...piece, pieces: places };
  }
  return joined;
}

/** A member of all deltas, joined where it is text; null where only null was sent. */
function joinText(pieces: readonly Piece[], member: string): string | null | undefined {
  let joined: string | null | undefined;
  for (const { delta } of pieces) {
    const value = delta?.[member];
    if (typeof value === "string") joined = (joined ?? "") + value;
    else if (value === null && joined === undefined) joined = null;
  }
  return joined;
}

const fitsDelta = (delta: Readonly<Record<string, unknown>>): boolean =>
  optional(delta["content"], isText) &&
  optional(delta["refusal"], isText) &&
  optional(delta["tool_calls"], (list) => Array.isArray(list) && list.every(isObject)) &&
  optional(delta["function_call"], isObject);

/** A choice from all its pieces, of which there is at least one, and the log probabilities beside them. */
export function streamedChoice(index: number, pieces: readonly Piece[], logs: readonly [unknown, Spot][]): Choice {
  const last = pieces.at(-1)!;
  const finishing = pieces.findLast(({ finish }) => typeof finish === "string") ?? last;
  const at = (piece: Piece, member: string): Spot => ({
    in: "stream",
    event: piece.event,
    pointer: `${piece.pointer}${member}`,
  });
  const read = logs.map(([logprobs, spot]) => entriesIn(logprobs, spot));
  const speaking = pieces.find(({ delta }) => isObject(delta?.["audio"]));
  return {
    index,
    broken: pieces.some(({ delta }) => delta === undefined || !fitsDelta(delta)),
    content: joinText(pieces, "content"),
    refusal: joinText(pieces, "refusal"),
    calls: joinCalls(pieces),
    functionCall: joinFunctionCall(pieces),
    audio: speaking && {
      value: speaking.delta!["audio"] as Record<string, unknown>,
      spot: at(speaking, "/delta/audio"),
    },
    annotations: pieces.flatMap((piece) => placedIn(piece.delta?.["annotations"], at(piece, "/delta/annotations"))),
    entries: read.flatMap(({ entries }) => entries),
    logprobs: read.some(({ given }) => given),
    finish: textOrNull(finishing.finish),
    finishSpot: at(finishing, "/finish_reason"),
    spot: at(last, ""),
    message: at(last, "/delta"),
    pieces,
  };
}
