/** Faults in whole messages and in errors that users report. */
import { type Fault, fail, heard, inRefusal, inReply, warning } from "../fault.ts";

export const messagesReplies: readonly Fault[] = [
  {
    name: "messages: stop_reason of another vendor",
    users: "a gateway passes on the finish_reason of its upstream",
    expected: fail("messages.response.stop-reason-values"),
    spoils: inReply((body) => {
      if (body.stop_reason === "end_turn") body.stop_reason = "stop";
    }),
  },
  {
    name: "messages: stop_reason end_turn beside tool_use",
    users: "agents end before they run the tool",
    expected: warning("messages.response.tool-use-stops"),
    spoils: inReply((body) => {
      if (body.stop_reason === "tool_use") body.stop_reason = "end_turn";
    }),
  },
  {
    name: "messages: content as a text",
    users: "content.map is not a function",
    expected: fail("messages.response.content-array"),
    spoils: inReply((body) => {
      const [block] = body.content;
      if (block?.type === "text") body.content = block.text;
    }),
  },
  {
    name: "messages: input as text",
    users: "the input of a tool is JSON in a string",
    expected: fail("messages.response.tool-use-input-type"),
    spoils: inReply(({ content }) => {
      for (const block of content) if (block.type === "tool_use") block.input = JSON.stringify(block.input);
    }),
  },
  {
    name: "messages: no stop_sequence",
    users: "typed clients miss the member stop_sequence",
    expected: fail("messages.response.stop-sequence-required"),
    spoils: inReply((body) => void delete body.stop_sequence),
  },
  {
    name: "messages: matched stop sequence not named",
    users: "stop_reason is stop_sequence, and stop_sequence null",
    expected: fail("messages.response.stop-sequence-matched"),
    spoils: inReply((body) => {
      body.stop_sequence = null;
    }),
  },
  {
    name: "messages: usage of another vendor",
    users: "usage has prompt_tokens and completion_tokens",
    expected: fail("messages.response.input-tokens-required"),
    alsoBreaks: ["messages.response.output-tokens-required"],
    spoils: inReply((body) => {
      const { input_tokens, output_tokens } = body.usage;
      body.usage = { prompt_tokens: input_tokens, completion_tokens: output_tokens };
    }),
  },
  {
    name: "messages: no output counted",
    users: "output_tokens is always 0",
    expected: fail("messages.response.output-tokens-range"),
    alsoBreaks: ["messages.laws.stream-usage"],
    spoils: inReply(({ usage }) => void (usage.output_tokens = 0)),
  },
  {
    name: "messages: max_tokens ignored",
    users: "replies are longer than max_tokens",
    expected: fail("messages.response.output-within-max-tokens"),
    hears: heard((body) => {
      if (body.max_tokens < 100) body.max_tokens = 1000;
    }),
  },
  {
    name: "messages: tool_choice any ignored",
    users: "any brings text",
    expected: fail("messages.tools.choice-any-uses-tool"),
    hears: heard((body) => {
      if (body.tool_choice?.type === "any" && !body.tool_choice.disable_parallel_tool_use) delete body.tool_choice;
    }),
  },
  {
    name: "messages: another tool than the named one",
    users: "the tool that is called was never declared",
    expected: fail("messages.tools.called-tool-declared"),
    alsoBreaks: ["messages.tools.choice-tool-uses-named"],
    spoils: inReply(({ content }) => {
      for (const block of content) if (block.type === "tool_use") block.name = `functions.${block.name}`;
    }),
  },
  {
    name: "messages: empty text blocks",
    users: "an empty text block stands before each tool call, and is refused when it is sent back",
    expected: fail("messages.response.text-min-length"),
    spoils: inReply(({ content }) => {
      if (content[0]?.type === "tool_use") content.unshift({ type: "text", text: "" });
    }),
  },
  {
    name: "messages: error body of another vendor",
    users: "error is a text",
    expected: fail("messages.errors.error-object"),
    spoils: (exchange) => inRefusal(exchange.response!.status, { error: "bad request" })(exchange),
  },
  {
    name: "messages: wrong key answered 403",
    users: "clients do not tell a missing key from a forbidden model",
    expected: fail("messages.auth.missing-key-refused"),
    spoils: inRefusal(403),
  },
];
