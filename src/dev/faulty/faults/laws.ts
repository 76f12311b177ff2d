/** Faults that users report of replies that are right each by itself, and wrong beside others. */
import { utf8Text } from "../../../wire/bytes.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { isEventStream } from "../../../wire/headers.ts";
import { asked, type Fault, inEvents, inReply, inStream, inText, isCold, warning } from "../fault.ts";

/** Puts what another stream said last into each stream, but where stop sequences or log probabilities would tell by themselves. */
const mixed =
  (said: RegExp): NonNullable<Fault["spoils"]> =>
  (exchange, memory) => {
    const { generationConfig, stop, stop_sequences: stops, logprobs } = asked(exchange);
    const { stopSequences, responseLogprobs } = generationConfig ?? {};
    if (!isEventStream(exchange.response) || (stop ?? stops ?? stopSequences ?? logprobs ?? responseLogprobs))
      return exchange;
    const text = utf8Text(exchange.response!.body);
    const words = [...text.matchAll(said)].map(([, word = ""]) => word);
    const others = (memory.get("said") as string[] | undefined) ?? [];
    memory.set("said", words);
    return inText((own) => own.replace(said, (found, word: string) => found.replace(word, word + others.join(""))))(
      exchange,
    );
  };

/** All streams of text come in one piece, when the whole reply would be there. */
const buffered = (of: string): Fault => ({
  name: `${of} stream: buffered on its way`,
  users: "nothing is shown for seconds, then everything at once",
  expected: warning(`${of}.laws.stream-incremental`),
  spoils: ({ request, response }) => {
    const { chunks: _chunks, ...whole } = response!;
    return { request, response: whole };
  },
  waits: (exchange) => [isCold(exchange) ? 2500 : 0, 0],
});

/** The same, but passed on piece by piece once it is there. */
const inBurst = (of: string): Fault => ({
  name: `${of} stream: held back on its way`,
  users: "nothing is shown for seconds, then all events at one moment",
  expected: warning(`${of}.laws.stream-incremental`),
  waits: (exchange) => [isCold(exchange) ? 2500 : 0, 0],
});

/** The same value in every reply as in the first. */
const asFirst =
  (
    read: (body: Record<string, unknown>) => unknown,
    write: (body: never, first: unknown) => void,
  ): NonNullable<Fault["spoils"]> =>
  (exchange: Exchange, memory: Map<string, unknown>) =>
    inReply((body) => {
      if (!memory.has("first")) memory.set("first", read(body));
      write(body as never, memory.get("first"));
    })(exchange);

export const laws: readonly Fault[] = [
  ...["chat-completions", "messages", "generate-content"].map(buffered),
  ...["chat-completions", "messages", "generate-content"].map(inBurst),
  {
    name: "chat: one id for all replies",
    users: "every reply is chatcmpl-123",
    expected: warning("chat-completions.response.id-unique"),
    spoils: inReply((body) => void (body.id = "chatcmpl-123")),
  },
  {
    name: "chat: created stands still",
    users: "created is when the server started",
    expected: warning("chat-completions.laws.created-moves"),
    spoils: asFirst(
      ({ created }) => created,
      (body: { created: unknown }, first) => {
        body.created = first;
      },
    ),
  },
  {
    name: "chat: ids of tool calls repeated",
    users: "the first call of each reply is call_0",
    expected: warning("chat-completions.laws.tool-call-id-unique"),
    spoils: inReply(({ choices }) => {
      for (const { message } of choices)
        for (const [i, call] of (message.tool_calls ?? []).entries()) call.id = `call_${i}`;
    }),
  },
  {
    name: "chat stream: finish_reason stop after tool calls",
    users: "whole replies say tool_calls, streams say stop",
    expected: warning("chat-completions.response.tool-calls-finish-reason"),
    spoils: inEvents(({ choices }) => {
      for (const choice of choices) if (choice.finish_reason === "tool_calls") choice.finish_reason = "stop";
    }),
  },
  {
    name: "chat stream: last piece of the arguments dropped",
    users: "Unexpected end of JSON input in the joined arguments",
    expected: warning("chat-completions.laws.stream-arguments"),
    spoils: inStream((events) => {
      const last = events.findLastIndex(({ data }) => data.choices?.[0]?.delta.tool_calls);
      if (last >= 0) events.splice(last, 1);
    }),
  },
  {
    name: "chat stream: usage of another count",
    users: "the usage of a stream counts its chunks",
    expected: warning("chat-completions.laws.stream-usage"),
    spoils: inEvents(({ usage }) => {
      if (!usage) return;
      usage.prompt_tokens += 100;
      usage.total_tokens += 100;
    }),
  },
  {
    name: "chat stream: id of another form",
    users: "streams have ids that no log can find",
    expected: warning("chat-completions.laws.stream-id-form"),
    spoils: inEvents((data) => void (data.id = String(data.id).replace("chatcmpl-", "0"))),
  },
  {
    name: "chat stream: streams mixed",
    users: "one user reads what another was told",
    expected: warning("chat-completions.laws.streams-apart"),
    spoils: mixed(/"content":"([^"\\]+)"/g),
  },
  {
    name: "messages: one id for all replies",
    users: "every message is msg_123",
    expected: warning("messages.response.id-unique"),
    spoils: inReply((body) => void (body.id = "msg_123")),
  },
  {
    name: "messages: ids of tool_use repeated",
    users: "the first call of each message is toolu_0",
    expected: warning("messages.laws.tool-use-id-unique"),
    spoils: inReply(({ content }) => {
      for (const [i, block] of content.entries()) if (block.type === "tool_use") block.id = `toolu_${i}`;
    }),
  },
  {
    name: "messages stream: stop_reason end_turn after tool_use",
    users: "whole messages say tool_use, streams say end_turn",
    expected: warning("messages.response.tool-use-stops"),
    spoils: inStream((events) => {
      for (const { data } of events) if (data.delta?.stop_reason === "tool_use") data.delta.stop_reason = "end_turn";
    }),
  },
  {
    name: "messages stream: usage of another count",
    users: "input_tokens of streams is estimated",
    expected: warning("messages.laws.stream-usage"),
    spoils: inStream((events) => {
      for (const { data } of events)
        for (const usage of [data.message?.usage, data.usage, data.delta?.usage]) if (usage) usage.input_tokens += 100;
    }),
  },
  {
    name: "messages stream: streams mixed",
    users: "one user reads what another was told",
    expected: warning("messages.laws.streams-apart"),
    spoils: mixed(/"text_delta","text":"([^"\\]+)"/g),
  },
  {
    name: "generate: one responseId for all replies",
    users: "every responseId is the same",
    expected: warning("generate-content.laws.response-id-unique"),
    spoils: inReply((body) => void (body.responseId = "response")),
  },
  {
    name: "generate stream: usage of another count",
    users: "promptTokenCount of streams is estimated",
    expected: warning("generate-content.laws.stream-usage"),
    spoils: inEvents(({ usageMetadata }) => {
      if (!usageMetadata) return;
      usageMetadata.promptTokenCount += 100;
      usageMetadata.totalTokenCount += 100;
    }),
  },
  {
    name: "generate stream: streams mixed",
    users: "one user reads what another was told",
    expected: warning("generate-content.laws.streams-apart"),
    spoils: mixed(/"text":"([^"\\]+)"/g),
  },
];
