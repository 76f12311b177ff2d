/** Faults that users report of the vendors' own clients: they stop working where the documents leave a thing open. */
import { type Fault, inEvents, inRefusal, inReply, inStream, warning } from "../fault.ts";

export const clients: readonly Fault[] = [
  {
    name: "chat stream: all tool calls have index 0",
    users: "parallel calls are joined into one, whose arguments are no JSON",
    expected: warning("chat-completions.streaming.delta-tool-call-index-distinct"),
    spoils: inEvents(({ choices }) => {
      for (const { delta } of choices) for (const call of delta.tool_calls ?? []) call.index = 0;
    }),
  },
  {
    name: "chat: bad requests answered 500",
    users: "a wrong value is an internal error, and clients try again",
    expected: warning("chat-completions.errors.bad-request-status"),
    spoils: (exchange) => (exchange.response?.status === 400 ? inRefusal(500)(exchange) : exchange),
  },
  {
    name: "images: bad requests answered 500",
    users: "a wrong size is an internal error, and clients try again",
    expected: warning("images.errors.bad-request-status"),
    spoils: (exchange) => (exchange.response?.status === 400 ? inRefusal(500)(exchange) : exchange),
  },
  {
    name: "messages stream: deltas without type",
    users: "the official client adds nothing to the message, since the delta has no type",
    expected: warning("messages.streaming.delta-type"),
    spoils: inStream((events) => {
      for (const { data } of events) if (data.type === "content_block_delta") delete data.delta.type;
    }),
  },
  {
    name: "generate stream: responseId of every event its own",
    users: "events of one stream cannot be told from those of another",
    expected: warning("generate-content.streaming.response-id-constant"),
    spoils: inStream((events) => {
      for (const [i, { data }] of events.entries()) data.responseId += `-${i}`;
    }),
  },
  {
    name: "generate stream: another modelVersion in the last event",
    users: "the last event names the model behind the alias",
    expected: warning("generate-content.streaming.model-version-constant"),
    spoils: inStream((events) => {
      const last = events.at(-1);
      if (last) last.data.modelVersion += "-001";
    }),
  },
  {
    name: "generate: total does not add up",
    users: "totalTokenCount is more than its parts",
    expected: warning("generate-content.response.total-token-parts"),
    spoils: inReply(({ usageMetadata }) => void (usageMetadata.totalTokenCount += 7)),
  },
];
