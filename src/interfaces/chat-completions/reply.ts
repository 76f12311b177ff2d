/** One reply as a caller reads it: a whole reply as it stands, a streamed one put together again. */
import type { Fault } from "../../check/rule.ts";
import {
  isObject,
  remember,
  replyJson,
  requestJson,
  type StreamEvent,
  type Subject,
  streamEvents,
} from "../../check/subject.ts";

/** Where in the response something stands. */
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
  /** Whether `logprobs` is an object with at least one array. */
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

export interface Reply {
  readonly streamed: boolean;
  readonly choices: readonly Choice[];
  /** Nothing broke off, every choice is well-formed and says why it finished. */
  readonly complete: boolean;
  readonly usages: readonly Placed[];
}

const integer = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const textOrNull = (value: unknown): string | null | undefined => (value === null ? null : text(value));
/** Whether a value is absent, null or as `fits` wants it. */
const optional = (value: unknown, fits: (value: unknown) => boolean): boolean =>
  value === undefined || value === null || fits(value);
const isText = (value: unknown): boolean => typeof value === "string";

function callOf(id: unknown, called: unknown, spot: Spot): Call {
  const { name, arguments: given } = isObject(called) ? called : {};
  return { id: text(id), name: text(name), arguments: text(given), spot };
}

function placedIn(list: unknown, spot: Spot): Placed[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, i) =>
    isObject(value) ? [{ value, spot: { ...spot, pointer: `${spot.pointer}/${i}` } }] : [],
  );
}

/** Entries of a choice's logprobs, and whether there are any arrays. */
function entriesIn(logprobs: unknown, spot: Spot): { entries: Placed[]; given: boolean } {
  if (!isObject(logprobs)) return { entries: [], given: false };
  const { content, refusal } = logprobs;
  return {
    entries: [
      ...placedIn(content, { ...spot, pointer: `${spot.pointer}/logprobs/content` }),
      ...placedIn(refusal, { ...spot, pointer: `${spot.pointer}/logprobs/refusal` }),
    ],
    given: Array.isArray(content) || Array.isArray(refusal),
  };
}

function wholeChoice(value: unknown, position: number): Choice {
  const at = (pointer: string): Spot => ({ in: "body", pointer: `/choices/${position}${pointer}` });
  const choice = isObject(value) ? value : {};
  const message = isObject(choice["message"]) ? choice["message"] : {};
  const { content, refusal, tool_calls: calls, function_call: called, audio } = message;
  const { entries, given } = entriesIn(choice["logprobs"], at(""));
  return {
    index: integer(choice["index"]),
    broken:
      !isObject(choice["message"]) ||
      !optional(content, isText) ||
      !optional(refusal, isText) ||
      !optional(calls, (list) => Array.isArray(list) && list.every(isObject)) ||
      !optional(called, isObject) ||
      !optional(audio, isObject) ||
      !optional(choice["logprobs"], isObject),
    content: textOrNull(content),
    refusal: textOrNull(refusal),
    calls: placedIn(calls, at("/message/tool_calls")).map((call) =>
      callOf(call.value["id"], call.value["function"], call.spot),
    ),
    functionCall: isObject(called) ? callOf(undefined, called, at("/message/function_call")) : undefined,
    audio: isObject(audio) ? { value: audio, spot: at("/message/audio") } : undefined,
    annotations: placedIn(message["annotations"], at("/message/annotations")),
    entries,
    logprobs: given,
    finish: textOrNull(choice["finish_reason"]),
    finishSpot: at("/finish_reason"),
    spot: at(""),
    message: at("/message"),
    pieces: [],
  };
}

/** Joins the pieces of tool calls by their index; a piece without one continues the last call unless it has an id. */
function joinCalls(pieces: readonly Piece[]): Call[] {
  const calls = new Map<unknown, { -readonly [K in keyof Call]: Call[K] }>();
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
      if (!known) calls.set(key, piece);
      else {
        known.id ??= piece.id;
        known.name ??= piece.name;
        if (piece.arguments !== undefined) known.arguments = (known.arguments ?? "") + piece.arguments;
      }
    }
  }
  return [...calls.values()];
}

function joinFunctionCall(pieces: readonly Piece[]): Call | undefined {
  let joined: Call | undefined;
  for (const { delta, event, pointer } of pieces) {
    const called = delta?.["function_call"];
    if (!isObject(called)) continue;
    const piece = callOf(undefined, called, { in: "stream", event, pointer: `${pointer}/delta/function_call` });
    joined = joined
      ? { ...joined, name: joined.name ?? piece.name, arguments: (joined.arguments ?? "") + (piece.arguments ?? "") }
      : piece;
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

function streamedChoice(index: number, pieces: readonly Piece[], logs: readonly [unknown, Spot][]): Choice {
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

/** The chunks of a stream up to its `[DONE]`; what follows that is judged by its own clause only. */
export function chunksOf(subject: Subject): readonly (StreamEvent & { readonly value: Record<string, unknown> })[] {
  return remember(subject, readChunks);
}

function readChunks(subject: Subject): (StreamEvent & { readonly value: Record<string, unknown> })[] {
  const chunks: (StreamEvent & { readonly value: Record<string, unknown> })[] = [];
  for (const event of streamEvents(subject) ?? []) {
    if (event.kind === "terminator") break;
    if (event.kind === "json" && isObject(event.value)) chunks.push({ ...event, value: event.value });
  }
  return chunks;
}

function streamedReply(subject: Subject): Reply {
  const tracks = new Map<number, { pieces: Piece[]; logs: [unknown, Spot][] }>();
  const usages: Placed[] = [];
  let broken = false;
  for (const { value, position } of chunksOf(subject)) {
    if (isObject(value["usage"]))
      usages.push({ value: value["usage"], spot: { in: "stream", event: position, pointer: "/usage" } });
    const { choices } = value;
    if (!Array.isArray(choices)) {
      broken = true;
      continue;
    }
    for (let i = 0; i < choices.length; i++) {
      const choice: unknown = choices[i];
      const index = isObject(choice) ? integer(choice["index"]) : undefined;
      if (!isObject(choice) || index === undefined) {
        broken = true;
        continue;
      }
      let track = tracks.get(index);
      if (!track) tracks.set(index, (track = { pieces: [], logs: [] }));
      const { delta, finish_reason: finish, logprobs } = choice;
      const pointer = `/choices/${i}`;
      track.pieces.push({ event: position, pointer, delta: isObject(delta) ? delta : undefined, finish });
      if (isObject(logprobs)) track.logs.push([logprobs, { in: "stream", event: position, pointer }]);
    }
  }
  const choices = [...tracks].map(([index, { pieces, logs }]) => streamedChoice(index, pieces, logs));
  return {
    streamed: true,
    choices,
    complete:
      !broken && !subject.interrupted && choices.every(({ broken: one, finish }) => !one && typeof finish === "string"),
    usages,
  };
}

function readReply(subject: Subject): Reply | undefined {
  if (streamEvents(subject)) return streamedReply(subject);
  const body = replyJson(subject);
  if (!body || !Array.isArray(body["choices"])) return undefined;
  const choices = (body["choices"] as unknown[]).map(wholeChoice);
  return {
    streamed: false,
    choices,
    complete: !subject.interrupted && choices.every(({ broken, finish }) => !broken && typeof finish === "string"),
    usages: isObject(body["usage"]) ? [{ value: body["usage"], spot: { in: "body", pointer: "/usage" } }] : [],
  };
}

/** The reply to read, or undefined: failed, a list, unreadable, without choices. */
export function replyOf(subject: Subject): Reply | undefined {
  return remember(subject, readReply);
}

/** The choices of a reply that are well-formed. */
export function soundChoices(subject: Subject): readonly Choice[] {
  return replyOf(subject)?.choices.filter(({ broken }) => !broken) ?? [];
}

/** What was asked for; undefined where the request's body cannot be known. */
export function askedOf(subject: Subject): Readonly<Record<string, unknown>> | undefined {
  return subject.request.body.kind === "json" ? requestJson(subject) : undefined;
}

/** A fault at a spot of the response. */
export function faultAt(
  spot: Spot,
  expected: string,
  actual: unknown,
  more: Pick<Fault, "reading" | "hint"> = {},
): Fault {
  return { side: "response", ...spot, expected, actual, ...more };
}

/** The same spot, one member deeper. */
export function within(spot: Spot, member: string | number): Spot {
  return { ...spot, pointer: `${spot.pointer}/${member}` };
}
