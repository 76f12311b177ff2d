/** One reply as a caller reads it: a whole reply as it stands, a streamed one put together again. */

import type { StreamEvent } from "../../../check/body.ts";
import type { Fault } from "../../../check/rule.ts";
import { remember, type Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { resolvePointer } from "../../../wire/pointer.ts";
import { streamedChoice } from "./joined.ts";
import {
  type Choice,
  callOf,
  entriesIn,
  integer,
  isText,
  optional,
  type Piece,
  type Placed,
  placedIn,
  type Spot,
  textOrNull,
} from "./reply-parts.ts";

export type { Call, Choice, Piece, Placed, Spot } from "./reply-parts.ts";

export interface Reply {
  readonly streamed: boolean;
  readonly choices: readonly Choice[];
  /** Events that cannot be read, or do not say which choice they belong to, and may be any one's first or last. */
  readonly strays: readonly number[];
  /** Nothing broke off, every choice is well-formed and says why it finished. */
  readonly complete: boolean;
  readonly usages: readonly Placed[];
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
      !optional(called, (call) => isObject(call) && isText(call["name"]) && isText(call["arguments"])) ||
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

/** The positions of `[DONE]` events. */
export const doneAt: (subject: Subject) => readonly number[] = remember(findDone);

function findDone(subject: Subject): number[] {
  const found: number[] = [];
  for (const { kind, position } of subject.streamEvents ?? []) if (kind === "terminator") found.push(position);
  return found;
}

/** The first event other than `[DONE]` behind the first `[DONE]`. */
export const afterDone: (subject: Subject) => StreamEvent | undefined = remember((subject) => {
  const [done] = doneAt(subject);
  return done === undefined
    ? undefined
    : subject.streamEvents?.find(({ kind, position }) => position > done && kind !== "terminator");
});

/** Whether a stream came to its end; of one that did not, or that goes on behind it, only that is a fault. */
export function isEnded(subject: Subject): boolean {
  return !subject.interrupted && doneAt(subject).length > 0 && afterDone(subject) === undefined;
}

/** An event whose data is an object. */
export type Chunk = StreamEvent & { readonly value: Record<string, unknown> };

/** The chunks of a stream up to its `[DONE]`; what follows that is judged by its own clause only. */
export const chunksOf: (subject: Subject) => readonly (StreamEvent & { readonly value: Record<string, unknown> })[] =
  remember(readChunks);

function readChunks(subject: Subject): Chunk[] {
  const chunks: Chunk[] = [];
  for (const event of subject.streamEvents ?? []) {
    if (event.kind === "terminator") break;
    if (event.kind === "json" && isObject(event.value)) chunks.push(event as Chunk);
  }
  return chunks;
}

interface Track {
  readonly pieces: Piece[];
  readonly logs: [unknown, Spot][];
  finished: boolean;
}

function streamedReply(subject: Subject): Reply {
  const tracks = new Map<unknown, Track>();
  const hasFinished = (choice: unknown): boolean => isObject(choice) && tracks.get(choice["index"])?.finished === true;
  const usages: Placed[] = [];
  const strays: number[] = [];
  for (const { kind, value, position } of subject.streamEvents ?? []) {
    if (kind === "terminator") break;
    if (kind !== "json" || !isObject(value)) {
      strays.push(position);
      continue;
    }
    if (isObject(value["usage"]))
      usages.push({ value: value["usage"], spot: { in: "stream", event: position, pointer: "/usage" } });
    const { choices } = value;
    if (!Array.isArray(choices)) {
      strays.push(position);
      continue;
    }
    // Choices beside the usage after all choices ended are that chunk's fault, not part of the reply.
    if (isObject(value["usage"]) && choices.every(hasFinished)) continue;
    for (let i = 0; i < choices.length; i++) {
      const choice: unknown = choices[i];
      const index = isObject(choice) ? integer(choice["index"]) : undefined;
      if (!isObject(choice) || index === undefined) {
        strays.push(position);
        continue;
      }
      let track = tracks.get(index);
      if (!track) tracks.set(index, (track = { pieces: [], logs: [], finished: false }));
      const { delta, finish_reason: finish, logprobs } = choice;
      const pointer = `/choices/${i}`;
      track.pieces.push({ event: position, pointer, delta: isObject(delta) ? delta : undefined, finish });
      track.finished ||= typeof finish === "string";
      if (isObject(logprobs)) track.logs.push([logprobs, { in: "stream", event: position, pointer }]);
    }
  }
  const choices = [...tracks].map(([index, { pieces, logs }]) => streamedChoice(index as number, pieces, logs));
  return {
    streamed: true,
    choices,
    strays,
    complete:
      strays.length === 0 &&
      !subject.interrupted &&
      choices.every(({ broken: one, finish }) => !one && typeof finish === "string"),
    usages,
  };
}

function readReply(subject: Subject): Reply | undefined {
  if (subject.streamEvents) return streamedReply(subject);
  const body = subject.replyJson;
  if (!body || !Array.isArray(body["choices"])) return undefined;
  const choices = (body["choices"] as unknown[]).map(wholeChoice);
  return {
    streamed: false,
    choices,
    strays: [],
    complete: !subject.interrupted && choices.every(({ broken, finish }) => !broken && typeof finish === "string"),
    usages: isObject(body["usage"]) ? [{ value: body["usage"], spot: { in: "body", pointer: "/usage" } }] : [],
  };
}

/** The reply to read, or undefined: failed, a list, unreadable, without choices. */
export const replyOf: (subject: Subject) => Reply | undefined = remember(readReply);

/** The members of the reply itself, or of its first chunk with choices: chunks have id, time and model in common. */
export function headOf(subject: Subject): Placed | undefined {
  if (!replyOf(subject)) return undefined;
  if (subject.replyJson) return { value: subject.replyJson, spot: { in: "body", pointer: "" } };
  const first = chunksOf(subject).find(({ value: { choices } }) => Array.isArray(choices) && choices.length > 0);
  return first && { value: first.value, spot: { in: "stream", event: first.position, pointer: "" } };
}

/** The choices of a reply that are well-formed. */
export const soundChoices: (subject: Subject) => readonly Choice[] = remember(
  (subject) => replyOf(subject)?.choices.filter(({ broken }) => !broken) ?? [],
);

/** The request's body; undefined if it cannot be known. */
export function askedOf(subject: Subject): Readonly<Record<string, unknown>> | undefined {
  return subject.request.body.kind === "json" ? subject.requestJson : undefined;
}

/** Whether the request breaks a clause on a member of its own, so that the reply owes nothing for it. */
export function isAtFault(subject: Subject, member: string): boolean {
  return subject.requestFaults.some((clause) => clause.startsWith(`chat-completions.request.${member}-`));
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

/** The value at a spot; undefined if there is none. */
export function valueAt({ replyJson, streamEvents }: Subject, { event, pointer }: Spot): unknown {
  return resolvePointer(event === undefined ? replyJson : streamEvents?.[event]?.value, pointer);
}

/** The same spot, one member deeper. */
export function within(spot: Spot, member: string | number): Spot {
  return { ...spot, pointer: `${spot.pointer}/${member}` };
}
