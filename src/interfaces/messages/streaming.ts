/** Rules on the events of a stream, their order apart (see `order.ts`). */

import { parsed } from "../../check/budget.ts";
import { notes, strictOnly, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import { editEvents } from "../../wire/edit.ts";
import { isEventStream } from "../../wire/headers.ts";
import { isObject } from "../../wire/json.ts";
import { pointer } from "../../wire/pointer.ts";
import { eventsAreJson, noErrorInStream, streamEndsWithBlankLine, streamWhenAsked } from "../common/streaming.ts";
import { messageSample } from "./examples/samples.ts";
import { streamOf as read } from "./reading/stream.ts";
import { eventTypes, typeOf } from "./reading/stream-reader.ts";

type Data = Record<string, unknown>;

const events = (subject: Subject) => subject.streamEvents ?? [];
const inEvent = (event: number, pointer: string) => ({ side: "response", in: "stream", event, pointer }) as const;

/** Changes the first event whose data is of this type; undefined where there is none to change. */
function editFirst(type: string, change: (data: Data) => boolean | void) {
  return (exchange: Parameters<Rule["spoil"]>[0]) => {
    let changed = false;
    const edited = editEvents(exchange, (all) => {
      for (const { data } of all)
        if (!changed && isObject(data) && data["type"] === type) changed = change(data) !== false;
    });
    return changed ? edited : undefined;
  };
}

/** Reading M-PING: other events may come at any time. */
const describedTypes: Rule = {
  clause: "messages.streaming.event-types",
  applies: (subject) => events(subject).length > 0,
  *check(subject) {
    for (const event of events(subject)) {
      const type = typeOf(event);
      if (type !== undefined && !eventTypes.has(type))
        yield {
          ...inEvent(event.position, "/type"),
          expected: "one of the six described types",
          actual: type,
          reading: notes("M-PING"),
        };
    }
  },
  spoil: (exchange) => editEvents(exchange, (all) => void all.splice(1, 0, { event: "ping", data: { type: "ping" } })),
};

const eventLine: Rule = {
  clause: "messages.streaming.event-line",
  applies: (subject) => events(subject).some((event) => event.event !== undefined && typeOf(event) !== undefined),
  *check(subject) {
    for (const event of events(subject)) {
      const type = typeOf(event);
      // An empty field means no name at all.
      if (event.event && type !== undefined && event.event !== type)
        yield {
          ...inEvent(event.position, "/type"),
          expected: `the type its event line names, "${event.event}"`,
          actual: type,
          reading: warns("X-SSE"),
        };
    }
  },
  spoil: (exchange) =>
    editEvents(exchange, (all) => {
      if (all[0]) all[0].event = "message";
    }),
};

const done: Rule = {
  clause: "messages.streaming.done",
  applies: (subject) => events(subject).length > 0,
  *check(subject) {
    for (const { kind, position, data } of events(subject))
      if (kind === "terminator")
        yield {
          ...inEvent(position, ""),
          expected: "message_stop alone at the end",
          actual: data,
          reading: warns("M-DONE"),
        };
  },
  spoil: (exchange) => editEvents(exchange, (all) => void all.push({ data: "[DONE]" })),
};

/** Reading M-DELTA-SHAPE: only text is described; a delta that names another kind is undocumented, not wrong. */
const deltaTextRequired: Rule = {
  clause: "messages.streaming.delta-text-required",
  applies: (subject) => (read(subject)?.textDeltas.length ?? 0) > 0,
  *check(subject) {
    for (const { event, delta } of read(subject)?.textDeltas ?? []) {
      if (delta["text"] !== undefined) continue;
      const kind = delta["type"];
      const other = typeof kind === "string" && kind !== "text_delta";
      yield {
        ...inEvent(event, "/delta/text"),
        expected: "this member to be present",
        actual: undefined,
        ...(other && { reading: warns("M-DELTA-SHAPE") }),
      };
    }
  },
  spoil: editFirst("content_block_delta", ({ delta }) => isObject(delta) && delete delta["text"]),
};

const deltaTextString: Rule = {
  clause: "messages.streaming.delta-text-string",
  applies: (subject) => read(subject)?.textDeltas.some(({ delta }) => delta["text"] !== undefined) === true,
  *check(subject) {
    for (const { event, delta } of read(subject)?.textDeltas ?? [])
      if (delta["text"] !== undefined && typeof delta["text"] !== "string")
        yield { ...inEvent(event, "/delta/text"), expected: "a string", actual: delta["text"] };
  },
  spoil: editFirst("content_block_delta", ({ delta }) => {
    if (!isObject(delta) || typeof delta["text"] !== "string") return false;
    delta["text"] = [delta["text"]];
  }),
};

/** Only with reading M-DELTA-SHAPE strict: `content_block` is described as its type alone, a delta as text alone. */
const describedMembers: Rule = {
  clause: "messages.streaming.described-members",
  applies: (subject) => read(subject)?.types.has("content_block_start") === true,
  *check(subject) {
    for (const event of events(subject)) {
      const type = typeOf(event);
      const holder = type === "content_block_start" ? "content_block" : type === "content_block_delta" ? "delta" : "";
      const value = holder && (event.value as Data)[holder];
      if (!isObject(value)) continue;
      const described = holder === "delta" ? "text" : "type";
      const stray = Object.keys(value).find((name) => name !== described);
      if (stray === undefined) continue;
      yield {
        ...inEvent(event.position, pointer(holder, stray)),
        expected: `${described} alone`,
        actual: value[stray],
        reading: { id: "M-DELTA-SHAPE", default: "off", strict: "warning" },
      };
      return;
    }
  },
  spoil: editFirst(
    "content_block_start",
    ({ content_block: block }) => isObject(block) && void (block["mood"] = "fine"),
  ),
};

const toolUseIdentity: Rule = {
  clause: "messages.streaming.tool-use-identity",
  applies: (subject) => read(subject)?.reply.blocks.some(({ type }) => type === "tool_use") === true,
  *check(subject) {
    for (const { type, at, id, name } of read(subject)?.reply.blocks ?? []) {
      if (type !== "tool_use") continue;
      for (const [member, value] of Object.entries({ id, name }))
        if (typeof value !== "string" || value === "")
          yield {
            ...inEvent(at.event ?? 0, `${at.pointer}/${member}`),
            expected: "a string that is not empty",
            actual: value,
          };
    }
  },
  spoil: editFirst("content_block_start", ({ content_block: block }) => {
    if (!isObject(block) || block["type"] !== "tool_use") return false;
    delete block["id"];
  }),
};

const inputJsonObject: Rule = {
  clause: "messages.streaming.input-json-object",
  // The token limit may cut the input off anywhere.
  applies: (subject) => (read(subject)?.inputs.length ?? 0) > 0 && !subject.interrupted && !cut(subject),
  *check(subject) {
    for (const { event, piece, text } of read(subject)?.inputs ?? [])
      if (!isJsonObject(text))
        yield {
          ...inEvent(event, "/delta/partial_json"),
          expected: "the last piece of a JSON object",
          actual: piece,
          ...(piece !== text && { hint: "put together with the pieces before it" }),
        };
  },
  spoil: editFirst("content_block_delta", ({ delta }) => {
    if (!isObject(delta) || !delta["partial_json"]) return false;
    delta["partial_json"] = `]${String(delta["partial_json"])}`;
  }),
};

const cut = (subject: Subject): boolean => read(subject)?.reply.stopReason === "max_tokens";

function isJsonObject(text: string): boolean {
  const json = parsed(text);
  return json.ok && isObject(json.value);
}

/** The `message_delta` events with the usage each carries. */
function* ends(subject: Subject) {
  for (const event of events(subject)) {
    if (typeOf(event) !== "message_delta") continue;
    const value = event.value as Data;
    const delta = isObject(value["delta"]) ? value["delta"] : {};
    yield { event: event.position, inside: delta["usage"], beside: value["usage"], shaped: isObject(value["delta"]) };
  }
}

const usageRequired: Rule = {
  clause: "messages.streaming.usage-required",
  applies: (subject) => read(subject)?.types.has("message_delta") === true,
  *check(subject) {
    for (const { event, inside, beside, shaped } of ends(subject))
      if (shaped && (inside ?? undefined) === undefined && (beside ?? undefined) === undefined)
        yield { ...inEvent(event, "/delta/usage"), expected: "this member to be present", actual: undefined };
  },
  spoil: editFirst("message_delta", (data) => {
    delete data["usage"];
    if (isObject(data["delta"])) delete data["delta"]["usage"];
  }),
};

const usagePlace: Rule = {
  clause: "messages.streaming.usage-place",
  applies: (subject) => [...ends(subject)].some(({ inside, beside }) => inside !== undefined || beside !== undefined),
  *check(subject) {
    for (const { event, inside, beside, shaped } of ends(subject))
      if (shaped && inside === undefined && beside !== undefined)
        yield {
          ...inEvent(event, "/usage"),
          expected: "usage inside delta",
          actual: beside,
          reading: notes("M-DELTA-USAGE"),
        };
  },
  spoil: editFirst("message_delta", (data) => {
    const delta = data["delta"];
    if (!isObject(delta)) return false;
    data["usage"] ??= delta["usage"];
    delete delta["usage"];
  }),
};

const blockCycle: Rule = {
  clause: "messages.streaming.block-cycle",
  applies: (subject) => read(subject)?.types.has("message_delta") === true,
  *check(subject) {
    const reading = read(subject);
    const [end] = ends(subject);
    if (reading && end && ![...reading.types].some((type) => type.startsWith("content_block")))
      yield {
        ...inEvent(end.event, "/type"),
        expected: "a content block before it",
        actual: "message_delta",
        reading: strictOnly("M-EMPTY-REPLY"),
      };
  },
  spoil: (exchange) =>
    editEvents(exchange, (all) =>
      all.filter(({ data }) => !String((data as Data)["type"]).startsWith("content_block")),
    ),
};

/** A whole message in place of a stream, and the least stream in place of a whole message. */
const otherForm: Rule["spoil"] = (exchange) => {
  if (isEventStream(exchange.response)) return { ...exchange, response: jsonResponse(messageSample) };
  const { id, type, role, model, stop_reason, usage } = messageSample;
  const least: readonly Data[] = [
    { type: "message_start", message: { id, type, role, model } },
    { type: "message_delta", delta: { stop_reason, usage } },
    { type: "message_stop" },
  ];
  return { ...exchange, response: streamResponse(least.map((event) => sseEvent(event))) };
};

export const streamingRules: readonly Rule[] = [
  { ...streamWhenAsked("messages.streaming.stream-when-asked"), spoil: otherForm },
  eventsAreJson("messages.streaming.events-json"),
  streamEndsWithBlankLine("messages.streaming.blank-line"),
  noErrorInStream("messages.streaming.error-event", {
    event: "error",
    data: { type: "error", error: { type: "server_error", message: "overloaded", code: "overloaded" } },
  }),
  describedTypes,
  eventLine,
  done,
  deltaTextRequired,
  deltaTextString,
  describedMembers,
  toolUseIdentity,
  inputJsonObject,
  usageRequired,
  usagePlace,
  blockCycle,
];
