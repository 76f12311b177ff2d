/** Rules on the order of a stream's events; the order itself is read in `stream.ts`. */
import type { Grade } from "../../../check/clause.ts";
import type { Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { type EditableEvent, editEvents } from "../../../wire/edit.ts";
import { streamOf } from "../reading/stream.ts";
import type { OrderClause } from "../reading/stream-reader.ts";

type Data = Record<string, unknown>;

const typed = (events: readonly EditableEvent[], type: string): number =>
  events.findIndex(({ data }) => (data as Data | null)?.["type"] === type);

function without(type: string) {
  return (events: EditableEvent[]): void => {
    const at = typed(events, type);
    if (at >= 0) events.splice(at, 1);
  };
}

function repeated(type: string) {
  return (events: EditableEvent[]): void => {
    const at = typed(events, type);
    if (at >= 0) events.splice(at, 0, structuredClone(events[at]!));
  };
}

function renumbered(type: string) {
  return (events: EditableEvent[]): void => {
    const event = events[typed(events, type)];
    if (event) (event.data as Data)["index"] = 41;
  };
}

/** `event` is what the stream must hold for the rule to apply; without one, any stream that ran to its end. */
function orderRule(
  name: OrderClause,
  event: string | undefined,
  change: (events: EditableEvent[]) => void,
  reading?: Grade,
): Rule {
  return {
    clause: `messages.streaming.${name}`,
    applies: (subject: Subject) => {
      const read = streamOf(subject);
      return read !== undefined && (event === undefined ? !subject.interrupted : read.types.has(event));
    },
    *check(subject) {
      for (const { clause, ...fault } of streamOf(subject)?.faults ?? [])
        if (clause === name) yield { ...fault, ...(reading && { reading }) };
    },
    spoil: (exchange) => editEvents(exchange, (events) => change(events)),
  };
}

/** Every block's index one higher, so that the first is 1. */
function countedFromOne(events: EditableEvent[]): void {
  for (const { data } of events) {
    const index = (data as Data | null)?.["index"];
    if (typeof index === "number") (data as Data)["index"] = index + 1;
  }
}

/** The events of the first content block, put behind `message_delta`. */
function blockAfterEnd(events: EditableEvent[]): void {
  const from = typed(events, "content_block_start");
  const to = typed(events, "content_block_stop");
  if (from < 0 || to < from) return;
  const block = structuredClone(events.slice(from, to + 1));
  events.splice(typed(events, "message_delta") + 1, 0, ...block);
}

/** A second message_stop behind the first. */
function stopTwice(events: EditableEvent[]): void {
  const at = typed(events, "message_stop");
  if (at >= 0) events.splice(at + 1, 0, structuredClone(events[at]!));
}

export const orderRules: readonly Rule[] = [
  orderRule("starts-with-message-start", "message_stop", without("message_start")),
  orderRule("message-start-once", "message_start", repeated("message_start")),
  orderRule("block-stopped", "content_block_start", without("content_block_stop")),
  orderRule("delta-in-block", "content_block_delta", without("content_block_start")),
  orderRule("delta-index", "content_block_delta", renumbered("content_block_delta")),
  orderRule("stop-in-block", "content_block_stop", repeated("content_block_stop")),
  orderRule("stop-index", "content_block_stop", renumbered("content_block_stop")),
  orderRule("index-sequence", "content_block_start", countedFromOne, {
    id: "M-INDEX",
    default: "warning",
    strict: "error",
  }),
  orderRule("blocks-before-message-delta", "message_delta", blockAfterEnd),
  orderRule("message-delta-present", "message_stop", without("message_delta")),
  orderRule("message-delta-once", "message_delta", repeated("message_delta")),
  orderRule("message-stop-present", undefined, without("message_stop")),
  orderRule("message-stop-last", "message_stop", stopTwice),
];
