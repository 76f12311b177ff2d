/** Rules on the order and the contents of a streamed chat reply. */

import { type Grade, strictOnly, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import { inWords } from "../../check/unquoted.ts";
import { jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import { editEvents } from "../../wire/edit.ts";
import { isEventStream } from "../../wire/headers.ts";
import { madeThen } from "../common/errors.ts";
import {
  bodyEnds,
  eventsAreJson,
  noErrorInStream,
  streamEndsWithBlankLine,
  streamWhenAsked,
} from "../common/streaming.ts";
import { kinds } from "./errors.ts";
import { chunkEvents } from "./examples/spoil.ts";
import { afterDone, chunksOf, doneAt, faultAt, type Spot } from "./reading/reply.ts";
import { rules as deltas } from "./streaming/deltas.ts";
import { rules as usage } from "./streaming/usage.ts";

const id = (name: string): string => `chat-completions.streaming.${name}`;

/**
 * A member that must be the same in all chunks. A reading that grades changes lets chunks leave the member open, as 0 or no
 * text, or count milliseconds, of which another clause speaks.
 */
function constant(
  clause: string,
  member: "id" | "created" | "model",
  type: "string" | "number",
  reading?: Grade,
): Rule {
  const isOpen = (value: unknown): boolean =>
    reading !== undefined && (value === "" || value === 0 || Number(value) > 1e11);
  return {
    clause: id(clause),
    applies: (subject) => chunksOf(subject).length > 1 && typeof chunksOf(subject)[0]?.value[member] === type,
    *check(subject) {
      let first: unknown;
      for (const { value, position } of chunksOf(subject)) {
        if (typeof value[member] !== type || isOpen(value[member])) continue;
        first ??= value[member];
        if (value[member] === first) continue;
        const spot: Spot = { in: "stream", event: position, pointer: `/${member}` };
        yield faultAt(spot, `${JSON.stringify(first)} as in chunks before`, value[member], reading && { reading });
        return;
      }
    },
    spoil: (exchange) =>
      editEvents(exchange, (events) => {
        const last = chunkEvents(events).at(-1)!;
        last.data[member] = type === "string" ? `${last.data[member]}-other` : last.data[member] + 1;
      }),
  };
}

const doneSent: Rule = {
  clause: id("done-sent"),
  applies: ({ streamEvents }) => streamEvents !== undefined,
  *check(subject) {
    if (doneAt(subject).length > 0) return;
    const last = subject.streamEvents?.at(-1);
    const spot: Spot = { in: "stream", ...(last && { event: last.position }), pointer: "" };
    yield faultAt(spot, "[DONE] as the last data", inWords("the end of the stream"), {
      ...(subject.interrupted && { reading: strictOnly("C-DONE") }),
    });
  },
  spoil: (exchange) =>
    isEventStream(exchange.response)
      ? editEvents(exchange, (events) => events.filter(({ data }) => data !== "[DONE]"))
      : undefined,
};

const doneOnce: Rule = {
  clause: id("done-once"),
  applies: (subject) => doneAt(subject).length > 0,
  *check(subject) {
    const again = doneAt(subject)[1];
    if (again !== undefined) yield faultAt({ in: "stream", event: again, pointer: "" }, "[DONE] once", "[DONE]");
  },
  spoil: (exchange) => editEvents(exchange, (events) => [...events, { data: "[DONE]" }]),
};

const doneLast: Rule = {
  clause: id("done-last"),
  applies: (subject) => doneAt(subject).length > 0,
  *check(subject) {
    const late = afterDone(subject);
    if (late)
      yield faultAt(
        { in: "stream", event: late.position, pointer: "" },
        "nothing after [DONE]",
        late.value ?? late.data,
      );
  },
  spoil: (exchange) => editEvents(exchange, (events) => [...events, events[0]!]),
};

const chunk = { ...(kinds.success as object), object: "chat.completion.chunk", usage: undefined };
const leastStream = [
  sseEvent({ ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] }),
  sseEvent({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  sseEvent("[DONE]"),
];

const whenAsked: Rule = {
  ...streamWhenAsked(id("stream-when-asked")),
  spoil: (exchange) => ({
    ...exchange,
    response: isEventStream(exchange.response)
      ? jsonResponse(madeThen(kinds.success, exchange))
      : streamResponse(leastStream),
  }),
};

export const rules: readonly Rule[] = [
  whenAsked,
  eventsAreJson(id("event-is-json")),
  streamEndsWithBlankLine(id("ends-with-blank-line")),
  noErrorInStream(id("no-error-event"), { data: { error: { message: "The engine stopped.", type: "server_error" } } }),
  constant("id-constant", "id", "string"),
  constant("created-constant", "created", "number", warns("C-CREATED-UNIT")),
  constant("model-constant", "model", "string", warns("X-CLIENTS")),
  doneSent,
  doneOnce,
  doneLast,
  bodyEnds(id("body-ends"), (subject) => doneAt(subject).length > 0),
  ...deltas,
  ...usage,
];
