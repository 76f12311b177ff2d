/** One view of a successful reply, whole or streamed: pieces put together candidate by candidate. */

import type { Spelling } from "../../../check/operation.ts";
import type { Fault } from "../../../check/rule.ts";
import { remember, type Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";

type Json = Readonly<Record<string, unknown>>;

/** A whole reply, or one event of a stream. */
export interface Piece {
  readonly value: Json;
  readonly event?: number;
  readonly spelling: Spelling | undefined;
}

/** Something that stands in a piece. */
export interface Found<T> {
  readonly value: T;
  readonly piece: Piece;
  /** Its place, in canonical spelling. */
  readonly pointer: string;
}

export interface Candidate {
  /** Its object in every piece that holds one. */
  readonly seen: Found<Json>[];
  readonly parts: Found<Json>[];
  /** The reply's text, thoughts left out. */
  text: string;
  finish?: Found<string>;
}

export interface ReplyView {
  readonly pieces: readonly Piece[];
  /** In the order they first appear. */
  readonly candidates: readonly Candidate[];
  /** Whether the prompt was blocked. */
  readonly blocked: boolean;
  /** Whether the end has been seen: no error or abort cut the reply short. */
  readonly complete: boolean;
  readonly streamed: boolean;
}

/** The items of a member that should be an array; none where it is not. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects among a member's items, with their positions. */
export function objectsIn(value: unknown): { readonly value: Json; readonly position: number }[] {
  return itemsOf(value).flatMap((item, position) => (isObject(item) ? [{ value: item, position }] : []));
}

/** A member that should be an object; an empty one where it is not. */
export function memberOf(value: Json, name: string): Json {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(member) ? member : {};
}

/** The start of a fault at something found. */
export function faultAt({ piece, pointer }: Found<unknown>, below = ""): Pick<Fault, "side" | "in" | "pointer"> {
  const at = { side: "response", pointer: pointer + below } as const;
  return piece.event === undefined ? { ...at, in: "body" } : { ...at, in: "stream", ...{ event: piece.event } };
}

/** A place in a piece, for faults. */
export function inPiece(piece: Piece, pointer: string): Found<undefined> {
  return { value: undefined, piece, pointer };
}

function piecesOf({ response, operation }: Subject): Piece[] | undefined {
  if (!response?.ok) return undefined;
  const { body } = response;
  if (body.kind === "json" && operation.schemas.response !== undefined && isObject(body.value))
    return [{ value: body.value, spelling: body.spelling }];
  if (body.kind !== "stream" || operation.schemas.event === undefined) return undefined;
  return body.events.flatMap(({ kind, value, position, spelling }) =>
    kind === "json" && isObject(value) ? [{ value, event: position, spelling }] : [],
  );
}

function addCandidate(candidate: Candidate, found: Found<Json>): void {
  const { value, piece, pointer } = found;
  candidate.seen.push(found);
  for (const { value: part, position } of objectsIn(memberOf(value, "content")["parts"])) {
    candidate.parts.push({ value: part, piece, pointer: `${pointer}/content/parts/${position}` });
    if (typeof part["text"] === "string" && part["thought"] !== true) candidate.text += part["text"];
  }
  if (typeof value["finishReason"] === "string")
    candidate.finish = { value: value["finishReason"], piece, pointer: `${pointer}/finishReason` };
}

function computeReply(subject: Subject): ReplyView | undefined {
  const pieces = piecesOf(subject);
  if (!pieces) return undefined;
  const candidates = new Map<number, Candidate>();
  const streamed = pieces[0]?.event !== undefined || subject.response?.body.kind === "stream";
  for (const piece of pieces)
    for (const { value, position } of objectsIn(piece.value["candidates"])) {
      // Candidates of a whole reply are numbered by position, so that a wrong index breaks no other rule.
      const key = streamed && Number.isInteger(value["index"]) ? (value["index"] as number) : position;
      let candidate = candidates.get(key);
      if (!candidate) candidates.set(key, (candidate = { seen: [], parts: [], text: "" }));
      addCandidate(candidate, { value, piece, pointer: `/candidates/${position}` });
    }
  return {
    pieces,
    candidates: [...candidates.values()],
    blocked: pieces.some(({ value }) => typeof memberOf(value, "promptFeedback")["blockReason"] === "string"),
    complete: !subject.interrupted,
    streamed,
  };
}

/** The reply put together, or undefined where there is none to judge (failed, unreadable, of another form). */
export const replyOf: (subject: Subject) => ReplyView | undefined = remember(computeReply);

/** Function calls of a candidate whose names are texts. */
export function callsOf(candidate: Candidate): Found<string>[] {
  return candidate.parts.flatMap(({ value, piece, pointer }) => {
    const { name } = memberOf(value, "functionCall");
    return typeof name === "string" ? [{ value: name, piece, pointer: `${pointer}/functionCall/name` }] : [];
  });
}

/** Whether a candidate came to its natural end, so that what it says is all it has to say. */
export function finished(candidate: Candidate): boolean {
  return candidate.finish?.value === "STOP";
}

/** The whole reply as a piece; undefined for streams and failures. */
export function whole(subject: Subject): Piece | undefined {
  const reply = replyOf(subject);
  return reply && !reply.streamed ? reply.pieces[0] : undefined;
}
