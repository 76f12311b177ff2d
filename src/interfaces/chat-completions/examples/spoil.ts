/** Ways to break a good chat reply, whole or streamed, that the spoils of several rules share. */

import { type EditableEvent, editEvents, editJson, jsonBodyOf } from "../../../wire/edit.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { isEventStream } from "../../../wire/headers.ts";
import { isObject } from "../../../wire/json.ts";

/** A reply's JSON as spoils handle it: they only ever see good replies. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is known to be good, and about to be broken
export type Loose = any;

/** The request's JSON. */
export function askedIn(exchange: Exchange): Loose {
  return jsonBodyOf(exchange.request) ?? {};
}

/** Events that are chunks. */
export function chunkEvents(events: readonly EditableEvent[]): { data: Loose }[] {
  return events.filter(({ data }) => isObject(data)) as { data: Loose }[];
}

/** Every choice of every chunk, in order. */
export function chunkChoices(events: readonly EditableEvent[]): Loose[] {
  return chunkEvents(events).flatMap(({ data }) => data.choices as Loose[]);
}

/** Changes a reply in the way its kind needs; either change may be left out, which gives undefined. */
export function editReply(
  exchange: Exchange,
  whole: ((body: Loose) => void) | undefined,
  stream: ((events: EditableEvent[]) => EditableEvent[] | void) | undefined,
): Exchange | undefined {
  if (isEventStream(exchange.response)) return stream && editEvents(exchange, stream);
  return whole && editJson(exchange, "response", (body: Loose) => void whole(body));
}

/** Changes every choice: the whole ones, or those of every chunk. */
export function editChoices(exchange: Exchange, change: (choice: Loose) => void): Exchange | undefined {
  return editReply(
    exchange,
    (body) => body.choices.forEach(change),
    (events) => chunkChoices(events).forEach(change),
  );
}

/** Changes the reply itself, or every chunk. */
export function editHeads(exchange: Exchange, change: (head: Loose) => void): Exchange | undefined {
  return editReply(exchange, change, (events) => {
    for (const { data } of chunkEvents(events)) change(data);
  });
}

/** Changes every usage object there is. */
export function editUsage(exchange: Exchange, change: (usage: Loose) => void): Exchange | undefined {
  return editReply(
    exchange,
    (body) => change(body.usage),
    (events) => {
      for (const { data } of chunkEvents(events)) if (isObject(data.usage)) change(data.usage);
    },
  );
}

/** Lets every choice say something else than text or calls it came with. */
export function sayInstead(exchange: Exchange, text: string): Exchange | undefined {
  return editReply(
    exchange,
    (body) => {
      for (const { message } of body.choices) {
        message.content = text;
        delete message.tool_calls;
        delete message.function_call;
      }
    },
    (events) => {
      const said = new Map<number, number>();
      for (const choice of chunkChoices(events)) {
        const count = said.get(choice.index) ?? 0;
        said.set(choice.index, count + 1);
        const last = typeof choice.finish_reason === "string";
        if (count === 0) choice.delta = { role: "assistant", content: "" };
        else if (!last) choice.delta = { content: count === 1 ? text : "" };
      }
    },
  );
}

/** Lets the first choice call functions besides what it says. */
export function callInstead(exchange: Exchange, names: readonly string[]): Exchange | undefined {
  const calls = names.map((name, i) => ({ id: `call_${i}`, type: "function", function: { name, arguments: "{}" } }));
  return editReply(
    exchange,
    (body) => {
      for (const choice of body.choices) {
        Object.assign(choice.message, { content: null, tool_calls: calls });
        choice.finish_reason = "tool_calls";
      }
    },
    (events) => {
      const said = new Map<number, number>();
      for (const choice of chunkChoices(events)) {
        const count = said.get(choice.index) ?? 0;
        said.set(choice.index, count + 1);
        const last = typeof choice.finish_reason === "string";
        if (last) choice.finish_reason = "tool_calls";
        else if (count > 0) choice.delta = {};
        if (count === 1 && !last) choice.delta.tool_calls = calls.map((call, index) => ({ index, ...call }));
        else if (count === 0) choice.delta = { role: "assistant", content: null };
      }
    },
  );
}
