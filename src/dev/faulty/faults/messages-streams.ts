/** Faults in streamed messages that users report. */
import { isEventStream } from "../../../wire/headers.ts";
import { type Fault, fail, inStream, inText, warning, withType } from "../fault.ts";

/** Changes the data of all events of a type. */
const inEvent = (type: string, change: (data: never) => void) =>
  inStream((events) => {
    for (const { data } of events) if (data.type === type) change(data as never);
  });

/** Leaves out all events of a type. */
const without = (type: string) => inStream((events) => events.filter(({ data }) => data.type !== type));

export const messagesStreams: readonly Fault[] = [
  {
    name: "messages stream: no message_start",
    users: "Unexpected event order, got content_block_start before message_start",
    expected: fail("messages.streaming.starts-with-message-start"),
    spoils: without("message_start"),
  },
  {
    name: "messages stream: no message_stop",
    users: "request ended without sending any chunks",
    expected: fail("messages.streaming.message-stop-present"),
    spoils: without("message_stop"),
  },
  {
    name: "messages stream: no content_block_stop",
    users: "tool input is never parsed, since its block stays open",
    expected: fail("messages.streaming.block-stopped"),
    spoils: without("content_block_stop"),
  },
  {
    name: "messages stream: event lines that lie",
    users: "every event is called message",
    expected: warning("messages.streaming.event-line"),
    spoils: inStream((events) => events.map(({ data }) => ({ event: "message", data }))),
  },
  {
    name: "messages stream: no usage at the end",
    users: "streams cost nothing: message_delta has no usage",
    expected: fail("messages.streaming.usage-required"),
    spoils: inEvent("message_delta", (data: { usage?: unknown; delta: { usage?: unknown } }) => {
      delete data.usage;
      delete data.delta.usage;
    }),
  },
  {
    name: "messages stream: tool input that is no JSON",
    users: "the joined partial_json ends too early",
    expected: warning("messages.streaming.input-json-object"),
    spoils: inEvent("content_block_delta", ({ delta }: { delta: { type: string; partial_json: string } }) => {
      if (delta.type === "input_json_delta") delta.partial_json = delta.partial_json.replace("}", "");
    }),
  },
  {
    name: "messages stream: tool call without id",
    users: "tool_use blocks of a stream have no id",
    expected: warning("messages.streaming.tool-use-identity"),
    spoils: inEvent("content_block_start", ({ content_block: block }: { content_block: { id?: string } }) => {
      delete block.id;
    }),
  },
  {
    name: "messages stream: stop_reason null at the end",
    users: "the message never says why it ended",
    expected: fail("messages.streaming.stop-reason-not-null"),
    spoils: inEvent("message_delta", ({ delta }: { delta: { stop_reason: unknown } }) => {
      delta.stop_reason = null;
    }),
  },
  {
    name: "messages stream: stop_reason in the first event",
    users: "message_start says end_turn before anything was said",
    expected: fail("messages.streaming.start-stop-reason-null"),
    spoils: inEvent("message_start", ({ message }: { message: { stop_reason: unknown } }) => {
      message.stop_reason = "end_turn";
    }),
  },
  {
    name: "messages stream: [DONE] at the end",
    users: "Unexpected token D in JSON",
    expected: warning("messages.streaming.done"),
    spoils: inStream((events) => void events.push({ data: "[DONE]" })),
  },
  {
    name: "messages stream: ping in the middle of a text",
    users: "a comment line between data lines cuts the event in two",
    expected: fail("messages.streaming.events-json"),
    spoils: (exchange) =>
      isEventStream(exchange.response)
        ? inText((text) => text.replace(',"delta"', '\n\n: ping\n\ndata: ,"delta"'))(exchange)
        : exchange,
  },
  {
    name: "messages stream: as text/plain",
    users: "the stream comes as text/plain",
    expected: warning("messages.response.media-type"),
    spoils: withType("text/plain", (exchange) => isEventStream(exchange.response)),
  },
  {
    name: "messages stream: no event lines",
    users: "the official client drops events without an event line: the stream is empty",
    expected: warning("messages.streaming.event-line-present"),
    spoils: inStream((events) => events.map(({ data }) => ({ data }))),
  },
  {
    name: "messages stream: every block has index 0",
    users: "text and tool call are joined into one block",
    expected: warning("messages.streaming.index-sequence"),
    spoils: inStream((events) => {
      for (const { data } of events) if (data.index !== undefined) data.index = 0;
    }),
  },
];
