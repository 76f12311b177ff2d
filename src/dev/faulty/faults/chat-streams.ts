/** Faults in streamed chat replies that users report. */
import { isEventStream } from "../../../wire/headers.ts";
import { asked, type Fault, fail, heard, inEvents, inStream, inText, warning, withType } from "../fault.ts";

// biome-ignore lint/suspicious/noExplicitAny: faults reach deep into bodies whose shape the interface fixes.
type Loose = any;

/** Changes the deltas of tool calls. */
const inCalls = (change: (call: never) => void) =>
  inEvents(({ choices }) => {
    for (const { delta } of choices) for (const call of delta.tool_calls ?? []) change(call as never);
  });

export const chatStreams: readonly Fault[] = [
  {
    name: "chat stream: no [DONE]",
    users: "clients that wait for [DONE] hang",
    expected: fail("chat-completions.streaming.done-sent"),
    spoils: inStream((events) => void events.pop()),
  },
  {
    name: "chat stream: no role in the first chunk",
    users: "translators to other interfaces never start the message",
    expected: fail("chat-completions.streaming.first-chunk-role"),
    spoils: inEvents(({ choices }) => {
      for (const { delta } of choices) delete delta.role;
    }),
  },
  {
    name: "chat stream: no finish_reason",
    users: "the stream ends without saying why",
    expected: fail("chat-completions.streaming.finish-reason-in-last-chunk"),
    spoils: inEvents(({ choices }) => {
      for (const choice of choices) choice.finish_reason = null;
    }),
  },
  {
    name: "chat stream: usage chunk missing",
    users: "include_usage brings no usage",
    expected: fail("chat-completions.streaming.usage-chunk-sent"),
    spoils: inStream((events) => events.filter(({ data }) => data === "[DONE]" || data.choices.length > 0)),
  },
  {
    name: "chat stream: usage in the last choice chunk",
    users: "usage comes with choices, and clients that look for empty choices count it twice or never",
    expected: fail("chat-completions.streaming.usage-chunk-choices-empty"),
    spoils: inEvents((data) => {
      if (data.usage && data.choices.length === 0)
        data.choices = [{ index: 0, delta: {}, logprobs: null, finish_reason: null }];
    }),
  },
  {
    name: "chat stream: usage unasked",
    users: "usage comes without stream_options",
    expected: fail("chat-completions.streaming.usage-only-when-asked"),
    spoils: (exchange) => {
      const { max_completion_tokens: bound, max_tokens: old = bound } = asked(exchange);
      if (old !== undefined) return exchange;
      return inEvents((data) => {
        if (data.usage === undefined) data.usage = { prompt_tokens: 1, completion_tokens: 50, total_tokens: 51 };
      })(exchange);
    },
  },
  {
    name: "chat stream: id of every chunk its own",
    users: "chunks cannot be told apart from those of another reply",
    expected: fail("chat-completions.streaming.id-constant"),
    spoils: inStream((events) => {
      for (const [i, { data }] of events.entries()) if (typeof data === "object") data.id += `-${i}`;
    }),
  },
  {
    name: "chat stream: created of every chunk its own",
    users: "created is the time each chunk was sent",
    expected: warning("chat-completions.streaming.created-constant"),
    spoils: inStream((events) => {
      for (const [i, { data }] of events.entries()) if (typeof data === "object") data.created += i >> 2;
    }),
  },
  {
    name: "chat stream: another model in the last chunk",
    users: "the last chunk names the model behind the alias",
    expected: warning("chat-completions.streaming.model-constant"),
    spoils: inStream((events) => {
      const last = events.findLast(({ data }) => typeof data === "object");
      if (last) last.data.model += "-0125";
    }),
  },
  {
    name: "chat stream: arguments written twice",
    users: "JSON.parse of the arguments gives a string",
    expected: warning("chat-completions.plausible.arguments-once"),
    spoils: inStream((events) => {
      const calls: Loose[] = events.flatMap(({ data }) => data.choices?.[0]?.delta.tool_calls ?? []);
      for (const index of new Set(calls.map((call) => call.index))) {
        const own = calls.filter((call) => call.index === index);
        const text = own.map((call) => call.function.arguments).join("");
        for (const call of own) call.function.arguments = call === own.at(-1) ? JSON.stringify(text) : "";
      }
    }),
  },
  {
    name: "chat stream: object of a whole reply",
    users: "chunks say chat.completion",
    expected: fail("chat-completions.streaming.object-value"),
    spoils: inEvents((data) => void (data.object = "chat.completion")),
  },
  {
    name: "chat stream: message instead of delta",
    users: "delta is undefined",
    expected: fail("chat-completions.streaming.delta-required"),
    spoils: inEvents(({ choices }) => {
      for (const choice of choices) {
        choice.message = choice.delta;
        delete choice.delta;
      }
    }),
  },
  {
    name: "chat stream: content null in deltas",
    users: "null is added to the text, beside reasoning_content",
    expected: warning("chat-completions.streaming.delta-content-null"),
    spoils: inStream((events) => {
      const second = structuredClone(events[0]);
      if (!second) return;
      for (const choice of second.data.choices) choice.delta = { content: null, reasoning_content: "Hm." };
      events.splice(1, 0, second);
    }),
  },
  {
    name: "chat stream: stream ignored",
    users: "stream: true brings one JSON document",
    expected: fail("chat-completions.streaming.stream-when-asked"),
    hears: heard((body) => void delete body.stream),
  },
  {
    name: "chat stream: JSON media type",
    users: "EventSource refuses the stream, since it comes as application/json",
    expected: warning("chat-completions.response.media-type"),
    spoils: withType("application/json", (exchange) => isEventStream(exchange.response)),
  },
  {
    name: "chat stream: line breaks inside an event",
    users: "half of a JSON text reaches the parser",
    expected: fail("chat-completions.streaming.event-is-json"),
    spoils: (exchange) =>
      isEventStream(exchange.response)
        ? inText((text) => text.replace(',"choices"', ',\n\n"choices"'))(exchange)
        : exchange,
  },
  {
    name: "chat stream: no index in tool call deltas",
    users: "TypeError: list indices must be integers, not NoneType",
    expected: warning("chat-completions.streaming.delta-tool-call-index-required"),
    spoils: inCalls((call: { index?: number }) => void delete call.index),
  },
];
