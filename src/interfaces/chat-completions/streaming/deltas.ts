/** Rules on the deltas of a streamed chat reply, from a choice's first chunk to its last. */

import { type Grade, notes, strictOnly, warns } from "../../../check/clause.ts";
import type { Fault, Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";
import { chunkChoices, editReply, type Loose } from "../examples/spoil.ts";
import { type Choice, faultAt, isEnded, type Piece, replyOf, type Spot, within } from "../reading/reply.ts";

const id = (name: string): string => `chat-completions.streaming.${name}`;

const tracksOf = (subject: Subject): readonly Choice[] => (replyOf(subject)?.streamed ? replyOf(subject)!.choices : []);

/** Whether the first chunk of a choice is known: none before it may be its own. */
const beginsHere = ({ pieces: [first] }: Choice, subject: Subject): boolean =>
  first?.delta !== undefined && !((replyOf(subject)!.strays[0] ?? Number.POSITIVE_INFINITY) <= first.event);

/** Whether the last chunk of a choice is known and came. */
const endsHere = ({ pieces }: Choice, subject: Subject): boolean =>
  isEnded(subject) && !((replyOf(subject)!.strays.at(-1) ?? -1) >= pieces.at(-1)!.event);

const deltaSpot = (piece: Piece, member = ""): Spot => ({
  in: "stream",
  event: piece.event,
  pointer: `${piece.pointer}/delta${member && `/${member}`}`,
});

/** A rule that looks at each choice of a stream by itself. */
function perTrack(
  clause: string,
  concerns: (track: Choice, subject: Subject) => boolean,
  check: (track: Choice) => Iterable<Fault>,
  spoil: (choices: Loose[]) => void,
): Rule {
  return {
    clause: id(clause),
    applies: (subject) => tracksOf(subject).some((track) => concerns(track, subject)),
    *check(subject) {
      for (const track of tracksOf(subject)) if (concerns(track, subject)) yield* check(track);
    },
    spoil: (exchange) => editReply(exchange, undefined, (events) => spoil(chunkChoices(events))),
  };
}

/** Whether a choice carries what is not said how to stream, beside which its content may be null (C-DELTA-TOOLS). */
const speaksOtherwise = ({ calls, functionCall, refusal, audio }: Choice): boolean =>
  calls.length > 0 || functionCall !== undefined || typeof refusal === "string" || audio !== undefined;

const firsts = (choices: Loose[]): Loose[] =>
  choices.filter((choice, i) => choices.findIndex(({ index }) => index === choice.index) === i);
const lasts = (choices: Loose[]): Loose[] =>
  choices.filter((choice, i) => choices.findLastIndex(({ index }) => index === choice.index) === i);
const middles = (choices: Loose[]): Loose[] => {
  const ends = new Set([...firsts(choices), ...lasts(choices)]);
  return choices.filter((choice) => !ends.has(choice));
};

const firstRole = perTrack(
  "first-chunk-role",
  beginsHere,
  function* ({ pieces: [first] }) {
    const role = first?.delta?.["role"] ?? undefined;
    if (first && role === undefined)
      yield faultAt(deltaSpot(first, "role"), `"assistant" in the first chunk of a choice`, first.delta?.["role"]);
  },
  (choices) => {
    for (const { delta } of firsts(choices)) delete delta.role;
  },
);

const firstContent = perTrack(
  "first-chunk-content",
  beginsHere,
  function* (track) {
    const [first] = track.pieces;
    const content = first?.delta?.["content"];
    if (!first || content === "") return;
    if (content !== undefined && content !== null && typeof content !== "string") return;
    const harmless = typeof content !== "string" && speaksOtherwise(track);
    yield faultAt(deltaSpot(first, "content"), `"" in the first chunk of a choice`, content, {
      reading: harmless ? strictOnly("C-FIRST-CHUNK") : warns("C-FIRST-CHUNK"),
    });
  },
  (choices) => {
    for (const { delta } of firsts(choices)) delta.content = "At once";
  },
);

const roleOnce = perTrack(
  "role-in-first-chunk-only",
  ({ pieces }) => pieces.length > 1,
  function* ({ pieces }) {
    // The last delta is to be empty anyway, which another clause says.
    const again = pieces.slice(1, -1).find(({ delta }) => typeof delta?.["role"] === "string");
    if (again) yield faultAt(deltaSpot(again, "role"), "no role after the first chunk", again.delta?.["role"]);
  },
  (choices) => {
    for (const { delta } of middles(choices)) delta.role = "assistant";
  },
);

const contentNull = perTrack(
  "delta-content-null",
  ({ pieces }) => pieces.slice(1, -1).some(({ delta }) => delta?.["content"] !== undefined),
  function* (track) {
    const piece = track.pieces.slice(1, -1).find(({ delta }) => delta?.["content"] === null);
    if (piece)
      yield faultAt(deltaSpot(piece, "content"), "text, or no content", null, {
        reading: speaksOtherwise(track) ? strictOnly("C-DELTA-TOOLS") : warns("X-NULL"),
      });
  },
  (choices) => {
    for (const { delta } of middles(choices)) delta.content = null;
  },
);

const finishGiven = perTrack(
  "finish-reason-in-last-chunk",
  endsHere,
  function* ({ pieces, finishSpot }) {
    if (pieces.every(({ finish }) => finish === undefined || finish === null))
      yield faultAt(finishSpot, "a finish reason in the last chunk of a choice", pieces.at(-1)?.finish);
  },
  (choices) => {
    for (const choice of lasts(choices)) choice.finish_reason = null;
  },
);

/** A value that is no finish reason at all is another clause's fault. */
const finishes: ReadonlySet<unknown> = new Set(["stop", "length", "content_filter", "tool_calls", "function_call"]);

const finishLast = perTrack(
  "finish-reason-null-before-last",
  ({ pieces }) => pieces.length > 1,
  function* ({ pieces }) {
    const early = pieces.slice(0, -1).find(({ finish }) => finishes.has(finish));
    if (early)
      yield faultAt(
        { in: "stream", event: early.event, pointer: `${early.pointer}/finish_reason` },
        "null before the last chunk of the choice",
        early.finish,
      );
  },
  (choices) => {
    for (const choice of firsts(choices)) choice.finish_reason = "stop";
  },
);

/** Reading C-LAST-DELTA: text is an error; all else warns, tool calls too, since how they are streamed is not said. */
const lastDelta = perTrack(
  "last-delta-empty",
  ({ pieces }) => typeof pieces.at(-1)?.finish === "string" && pieces.at(-1)?.delta !== undefined,
  function* ({ pieces }) {
    const last = pieces.at(-1);
    if (!last?.delta) return;
    const members = Object.entries(last.delta).filter(([, value]) => value !== undefined);
    if (members.length === 0) return;
    const { content } = last.delta;
    const speaks = typeof content === "string" && content !== "";
    yield speaks
      ? faultAt(deltaSpot(last, "content"), "an empty delta in the last chunk of a choice", content)
      : faultAt(deltaSpot(last), "an empty delta in the last chunk of a choice", last.delta, {
          reading: warns("C-LAST-DELTA"),
        });
  },
  (choices) => {
    for (const choice of lasts(choices)) choice.delta = { content: "." };
  },
);

const deltaMembers = perTrack(
  "delta-members",
  ({ pieces }) => pieces.some(({ delta }) => delta !== undefined),
  function* ({ pieces }) {
    for (const piece of pieces)
      for (const name of Object.keys(piece.delta ?? {}))
        if (name !== "role" && name !== "content")
          yield faultAt(deltaSpot(piece), "role and content only", name, {
            reading: { id: "C-DELTA-TOOLS", default: "off", strict: "warning" },
          });
  },
  (choices) => {
    for (const { delta } of middles(choices)) delta.thoughts = "Let me see.";
  },
);

/** The first piece of every tool call carries a member; the field agrees, the document says nothing. */
function firstOfCall(clause: string, member: "id" | "name" | "type", reading: Grade): Rule {
  return perTrack(
    clause,
    ({ calls, broken }) => !broken && calls.length > 0,
    function* ({ calls, pieces }) {
      // A chunk may name one choice twice.
      const placed = new Map(pieces.map((piece) => [`${piece.event} ${piece.pointer}`, piece]));
      for (const { spot } of calls) {
        const piece = placed.get(`${spot.event} ${spot.pointer.slice(0, spot.pointer.lastIndexOf("/delta/"))}`);
        const part = (piece?.delta?.["tool_calls"] as Loose[] | undefined)?.[Number(spot.pointer.split("/").at(-1))];
        const value = member === "name" ? part?.function?.name : part?.[member];
        const below = member !== "name" ? member : isObject(part?.function) ? "function/name" : "function";
        if (value === undefined || value === null)
          yield faultAt(within(spot, below), `the call's ${member} in its first piece`, part?.[below] ?? value, {
            reading,
          });
      }
    },
    (choices) => {
      for (const { delta } of choices)
        for (const part of delta.tool_calls ?? []) {
          if (member === "name") delete part.function?.name;
          else delete part[member];
        }
    },
  );
}

const ofTools: Grade = { id: "C-DELTA-TOOLS", default: "note", strict: "warning" };

/** Another call begins where both id and name come anew; what only repeats one of them may continue the call. */
const indexDistinct = perTrack(
  "delta-tool-call-index-distinct",
  ({ calls, broken }) => !broken && calls.length > 0,
  function* ({ pieces }) {
    const begun = new Map<unknown, unknown>();
    for (const piece of pieces)
      for (const [i, part] of ((piece.delta?.["tool_calls"] ?? []) as Loose[]).entries()) {
        const { index, id: own } = part;
        if (!Number.isInteger(index) || typeof own !== "string" || own === "" || !part.function?.name) continue;
        if (begun.has(index) && begun.get(index) !== own)
          yield faultAt(within(deltaSpot(piece, `tool_calls/${i}`), "index"), "an index no other call has", index, {
            reading: warns("X-CLIENTS"),
          });
        else begun.set(index, own);
      }
  },
  (choices) => {
    for (const { delta } of choices)
      for (const part of [...(delta.tool_calls ?? [])])
        if (part.id !== undefined)
          delta.tool_calls.push({ ...part, id: `${part.id}_2`, function: { ...part.function, arguments: "" } });
  },
);

export const rules: readonly Rule[] = [
  firstRole,
  firstContent,
  roleOnce,
  contentNull,
  finishGiven,
  finishLast,
  lastDelta,
  deltaMembers,
  firstOfCall("delta-tool-call-id", "id", ofTools),
  firstOfCall("delta-tool-call-name", "name", ofTools),
  firstOfCall("delta-tool-call-kind", "type", notes("X-CLIENTS")),
  indexDistinct,
];
