/** Rules on what the official client needs of a stream and the document leaves open (reading X-CLIENTS). */
import { notes, warns } from "../../../check/clause.ts";
import type { Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { inWords } from "../../../check/unquoted.ts";
import { editEvents } from "../../../wire/edit.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { isObject } from "../../../wire/json.ts";
import { bodyEnds } from "../../common/streaming.ts";
import { streamOf } from "../reading/stream.ts";
import { typeOf } from "../reading/stream-reader.ts";

type Data = Readonly<Record<string, unknown>>;

/** The events of one type whose data is an object, with their positions. */
function* eventsOf({ streamEvents = [] }: Subject, type: string): Generator<{ event: number; value: Data }> {
  for (const one of streamEvents) if (typeOf(one) === type) yield { event: one.position, value: one.value as Data };
}

/** Changes the data of every event of one type. */
const editAll = (type: string, change: (data: Record<string, unknown>) => void) => (exchange: Exchange) =>
  editEvents(exchange, (all) => {
    for (const { data } of all) if (isObject(data) && data["type"] === type) change(data);
  });

/** An event without a name is dropped by the client, whatever its data says. */
const eventLinePresent: Rule = {
  clause: "messages.streaming.event-line-present",
  applies: ({ streamEvents = [] }) => streamEvents.some((event) => typeOf(event) !== undefined),
  *check({ streamEvents = [] }) {
    for (const event of streamEvents)
      if (event.event === undefined && typeOf(event) !== undefined)
        yield {
          side: "response",
          in: "stream",
          event: event.position,
          pointer: "/type",
          expected: `a line "event: ${typeOf(event)}" beside it`,
          actual: inWords("data alone"),
          reading: warns("X-CLIENTS"),
        };
  },
  spoil: (exchange) =>
    editEvents(exchange, (all) => {
      for (const event of all) delete event.event;
    }),
};

const typeFor = (delta: Data): string | undefined =>
  typeof delta["text"] === "string"
    ? "text_delta"
    : typeof delta["partial_json"] === "string"
      ? "input_json_delta"
      : undefined;

/** A delta of another type, or of none, is passed over by the client. */
const deltaType: Rule = {
  clause: "messages.streaming.delta-type",
  applies: (subject) => streamOf(subject)?.types.has("content_block_delta") === true,
  *check(subject) {
    for (const { event, value } of eventsOf(subject, "content_block_delta")) {
      const { delta } = value;
      // A delta that brings nothing at all is another clause's fault.
      if (!isObject(delta) || Object.keys(delta).length === 0) continue;
      const actual = delta["type"];
      const wanted = typeFor(delta);
      if (wanted === undefined ? typeof actual !== "string" : actual !== wanted)
        yield {
          side: "response",
          in: "stream",
          event,
          pointer: "/delta/type",
          expected: wanted ?? "the kind of the delta",
          actual,
          reading: warns("X-CLIENTS"),
        };
    }
  },
  spoil: editAll("content_block_delta", ({ delta }) => {
    if (isObject(delta)) delete delta["type"];
  }),
};

/** The client adds blocks to this list and counts into this object, and throws where they are missing. */
function startBrings(member: "content" | "usage", expected: string): Rule {
  return {
    clause: `messages.streaming.start-${member}-present`,
    applies: (subject) => streamOf(subject)?.types.has("message_start") === true,
    *check(subject) {
      for (const { event, value } of eventsOf(subject, "message_start")) {
        const { message } = value;
        // A value of another type is a matter of shape.
        if (isObject(message) && (message[member] === undefined || message[member] === null))
          yield {
            side: "response",
            in: "stream",
            event,
            pointer: `/message/${member}`,
            expected,
            actual: message[member],
            reading: notes("X-CLIENTS"),
          };
      }
    },
    spoil: editAll("message_start", ({ message }) => {
      if (isObject(message)) delete message[member];
    }),
  };
}

/** The client reads the counts beside the delta, and throws where nothing stands there. */
const usageBeside: Rule = {
  clause: "messages.streaming.usage-beside-delta",
  applies: (subject) => streamOf(subject)?.types.has("message_delta") === true,
  *check(subject) {
    for (const { event, value } of eventsOf(subject, "message_delta")) {
      const inside = isObject(value["delta"]) ? value["delta"]["usage"] : undefined;
      if (isObject(inside) && !isObject(value["usage"]))
        yield {
          side: "response",
          in: "stream",
          event,
          pointer: "/usage",
          expected: "the usage here as well",
          actual: value["usage"],
          reading: notes("X-CLIENTS"),
        };
    }
  },
  spoil: editAll("message_delta", (data) => {
    if (isObject(data["delta"])) data["delta"]["usage"] ??= data["usage"];
    delete data["usage"];
  }),
};

export const clientRules: readonly Rule[] = [
  eventLinePresent,
  deltaType,
  startBrings("content", "an empty list"),
  startBrings("usage", "the usage so far"),
  usageBeside,
  bodyEnds("messages.streaming.body-ends", (subject) => streamOf(subject)?.types.has("message_stop") === true),
];
