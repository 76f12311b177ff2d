/** Rules of generate-content's `streaming` section: how a stream is asked for, framed and brought to its end. */

import { notes, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { editEvents, editHeader, editTarget } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import {
  bodyEnds,
  eventsAreJson,
  noErrorInStream,
  streamEndsWithBlankLine,
  streamWhenAsked,
} from "../common/streaming.ts";
import { editAllPieces, type Loose } from "./examples/spoil.ts";
import { faultAt, replyOf } from "./reading/reply.ts";

const id = (name: string): string => `generate-content.streaming.${name}`;

/** Whether the operation is the streaming one. */
export const isStreaming = ({ operation }: Subject): boolean => operation.schemas.event !== undefined;

const altSse: Rule = {
  clause: id("alt-sse"),
  applies: isStreaming,
  *check({ query }) {
    if (query["alt"] !== "sse")
      yield {
        side: "request",
        in: "query",
        pointer: "/alt",
        expected: "sse",
        actual: query["alt"],
        reading: warns("G-ALT"),
      };
  },
  spoil: (exchange) => editTarget(exchange, (target) => target.replace(/alt=sse/, "alt=media")),
};

const altOther: Rule = {
  clause: id("alt-other"),
  applies: (subject) => !isStreaming(subject),
  *check({ query }) {
    const { alt } = query;
    if (alt !== undefined)
      yield {
        side: "request",
        in: "query",
        pointer: "/alt",
        expected: "no alt",
        actual: alt,
        // json is what the operation answers with anyway.
        reading: { id: "G-ALT", default: alt === "json" ? "note" : "warning", strict: "error" },
      };
  },
  spoil: (exchange) => editTarget(exchange, (target) => `${target}${target.includes("?") ? "&" : "?"}alt=sse`),
};

const asked = streamWhenAsked(id("events-when-asked"));

/** With alt=sse nothing but events will do; without it the document says nothing of what the streaming operation answers. */
const eventsWhenAsked: Rule = {
  clause: asked.clause,
  applies: (subject) =>
    isStreaming(subject)
      ? subject.streamed && subject.response?.ok === true && subject.response.body.kind !== "unreadable"
      : asked.applies(subject),
  *check(subject) {
    const { response, streamed, interrupted } = subject;
    const { kind } = response?.body ?? {};
    if (streamed && !interrupted && (kind === "empty" || kind === "text"))
      yield {
        side: "response",
        in: "body",
        expected: "a stream of events",
        actual: response?.body.kind === "text" ? response.body.text : inWords("an empty body"),
      };
    else yield* asked.check(subject) ?? [];
  },
  spoil(exchange) {
    const spoilt = asked.spoil(exchange);
    const toStream = Buffer.from(spoilt?.response?.body ?? [])
      .toString()
      .startsWith("data:");
    return (
      spoilt && editHeader(spoilt, "response", "Content-Type", toStream ? "text/event-stream" : "application/json")
    );
  },
};

const eventObject: Rule = {
  clause: id("event-object"),
  applies: ({ response, operation }) =>
    response?.ok === true && response.body.kind === "stream" && operation.schemas.event !== undefined,
  *check({ response }) {
    if (response?.body.kind !== "stream") return;
    for (const { kind, value, position } of response.body.events)
      if (kind === "json" && !isObject(value))
        yield { side: "response", in: "stream", event: position, expected: "an object", actual: value };
  },
  spoil: (exchange) => editEvents(exchange, (events) => [{ data: [] }, ...events]),
};

const finishReasonLast: Rule = {
  clause: id("finish-reason-last"),
  applies: (subject) => {
    const reply = replyOf(subject);
    return reply?.streamed === true && reply.complete && reply.pieces.length > 0;
  },
  *check(subject) {
    const { candidates, pieces, blocked } = replyOf(subject)!;
    if (blocked) return;
    const fault = {
      expected: "a finishReason for every candidate",
      reading: warns("G-STREAM-PAYLOAD", "X-CLIENTS"),
    } as const;
    if (candidates.length === 0)
      yield { ...faultAt({ value: 0, piece: pieces.at(-1)!, pointer: "" }), ...fault, actual: inWords("no candidate") };
    for (const { finish, seen } of candidates)
      if (!finish) yield { ...faultAt(seen.at(-1)!), ...fault, actual: seen.at(-1)?.value };
  },
  spoil: (exchange) =>
    editAllPieces(exchange, ({ candidates }) => {
      for (const candidate of candidates ?? []) delete (candidate as Loose).finishReason;
      return Array.isArray(candidates);
    }),
};

const eventsOf = ({ streamEvents = [] }: Subject) => streamEvents.filter(({ value }) => isObject(value));

/** A member that is the same in all events of a stream. */
function constant(clause: string, member: "responseId" | "modelVersion"): Rule {
  const told = (subject: Subject) =>
    (replyOf(subject)?.pieces ?? []).flatMap((piece) =>
      typeof piece.value[member] === "string" ? [{ value: piece.value[member], piece, pointer: `/${member}` }] : [],
    );
  return {
    clause: id(clause),
    applies: (subject) => replyOf(subject)?.streamed === true && told(subject).length > 1,
    *check(subject) {
      const [first, ...others] = told(subject);
      const other = others.find(({ value }) => value !== first!.value);
      if (other)
        yield {
          ...faultAt(other),
          expected: `${JSON.stringify(first!.value)} as in the first event`,
          actual: other.value,
          reading: warns("X-CLIENTS"),
        };
    },
    spoil: (exchange) => {
      let count = 0;
      return editAllPieces(exchange, (piece) => {
        if (piece[member] === undefined || count++ === 0) return false;
        piece[member] = `${piece[member]}-${count}`;
        return true;
      });
    },
  };
}

/** The client takes an event only where it begins with its data. */
const noEventLine: Rule = {
  clause: id("no-event-line"),
  applies: (subject) => isStreaming(subject) && eventsOf(subject).length > 0,
  *check(subject) {
    const named = eventsOf(subject).find(({ event }) => event !== undefined);
    if (named)
      yield {
        side: "response",
        in: "stream",
        event: named.position,
        expected: "data alone",
        actual: `event: ${named.event}`,
        reading: notes("X-CLIENTS"),
      };
  },
  spoil: (exchange) =>
    editEvents(exchange, (events) => {
      for (const event of events) event.event = "message";
    }),
};

const ended = (subject: Subject): boolean => {
  const reply = replyOf(subject);
  return reply?.streamed === true && reply.candidates.length > 0 && reply.candidates.every(({ finish }) => finish);
};

export const streamingRules: readonly Rule[] = [
  altSse,
  altOther,
  eventsWhenAsked,
  eventsAreJson(id("events-json")),
  eventObject,
  streamEndsWithBlankLine(id("blank-line")),
  noErrorInStream(id("no-error-event"), {
    data: { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } },
  }),
  finishReasonLast,
  constant("response-id-constant", "responseId"),
  constant("model-version-constant", "modelVersion"),
  noEventLine,
  bodyEnds(id("body-ends"), ended),
];
