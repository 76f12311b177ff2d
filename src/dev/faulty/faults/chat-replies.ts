/** Faults in whole chat replies that users report. */
import { isEventStream } from "../../../wire/headers.ts";
import { type Fault, fail, heard, inRefusal, inReply, warning, withType } from "../fault.ts";

export const chatReplies: readonly Fault[] = [
  {
    name: "chat: arguments written twice",
    users: "JSON.parse of the arguments gives a string",
    expected: warning("chat-completions.plausible.arguments-once"),
    spoils: inReply(({ choices }) => {
      for (const { message } of choices)
        for (const { function: called } of message.tool_calls ?? [])
          called.arguments = JSON.stringify(called.arguments);
    }),
  },
  {
    name: "chat: created in milliseconds",
    users: "created is thirteen digits long, and dates lie in the year 57000",
    expected: warning("chat-completions.response.created-unit"),
    spoils: inReply((body) => void (body.created *= 1000)),
  },
  {
    name: "chat: usage missing",
    users: "cost tracking counts nothing, since replies have no usage",
    expected: warning("chat-completions.response.usage-required"),
    spoils: inReply((body) => void delete body.usage),
  },
  {
    name: "chat: usage does not add up",
    users: "total_tokens is not prompt_tokens plus completion_tokens",
    expected: fail("chat-completions.response.total-tokens-sum"),
    spoils: inReply(({ usage }) => void usage.total_tokens++),
  },
  {
    name: "chat: tokens counted in text",
    users: "typed clients fail to read prompt_tokens, a string",
    expected: fail("chat-completions.response.prompt-tokens-type"),
    spoils: inReply(({ usage }) => void (usage.prompt_tokens = String(usage.prompt_tokens))),
  },
  {
    name: "chat: no role in the message",
    users: "a message appended to the history is refused, since it has no role",
    expected: fail("chat-completions.response.role-required"),
    spoils: inReply(({ choices }) => {
      for (const { message } of choices) delete message.role;
    }),
  },
  {
    name: "chat: arguments as an object",
    users: "JSON.parse of the arguments fails, since they are parsed already",
    expected: fail("chat-completions.response.tool-call-arguments-type"),
    spoils: inReply(({ choices }) => {
      for (const { message } of choices)
        for (const call of message.tool_calls ?? []) call.function.arguments = JSON.parse(call.function.arguments);
    }),
  },
  {
    name: "chat: finish_reason stop after tool calls",
    users: "agents take a tool call for the final answer",
    expected: warning("chat-completions.response.tool-calls-finish-reason"),
    spoils: inReply(({ choices }) => {
      for (const choice of choices) if (choice.message.tool_calls) choice.finish_reason = "stop";
    }),
  },
  {
    name: "chat: finish_reason of another vendor",
    users: "an enum of finish reasons cannot read end_turn",
    expected: fail("chat-completions.response.finish-reason-values"),
    spoils: inReply(({ choices }) => {
      for (const choice of choices) if (choice.finish_reason === "stop") choice.finish_reason = "end_turn";
    }),
  },
  {
    name: "chat: tool call without id",
    users: "the result of a tool cannot be sent back, for lack of an id",
    expected: fail("chat-completions.response.tool-call-id-required"),
    spoils: inReply(({ choices }) => {
      for (const { message } of choices) for (const call of message.tool_calls ?? []) delete call.id;
    }),
  },
  {
    name: "chat: content null in a text reply's place",
    users: "content is missing from the message instead of null beside tool calls",
    expected: fail("chat-completions.response.content-required"),
    spoils: inReply(({ choices }) => {
      for (const { message } of choices) if (message.tool_calls) delete message.content;
    }),
  },
  {
    name: "chat: n ignored",
    users: "n: 2 brings one choice",
    expected: fail("chat-completions.exchange.choice-count"),
    spoils: inReply((body) => void body.choices.splice(1)),
  },
  {
    name: "chat: all choices have index 0",
    users: "choices overwrite each other in a map by index",
    expected: fail("chat-completions.response.index-position"),
    spoils: inReply(({ choices }) => {
      for (const choice of choices) choice.index = 0;
    }),
  },
  {
    name: "chat: max_completion_tokens ignored",
    users: "replies are longer than the bound that was set",
    expected: fail("chat-completions.exchange.token-bound"),
    hears: heard((body) => {
      delete body.max_completion_tokens;
      delete body.max_tokens;
    }),
  },
  {
    name: "chat: stop sequence in the text",
    users: "the stop sequence stands at the end of the reply",
    expected: fail("chat-completions.exchange.stop-excluded"),
    spoils: inReply(({ choices }, { body }) => {
      const [stop] = [body.stop ?? []].flat();
      for (const { message } of choices) if (stop && typeof message.content === "string") message.content += stop;
    }),
  },
  {
    name: "chat: logprobs ignored",
    users: "logprobs: true brings null",
    expected: fail("chat-completions.exchange.logprobs-given"),
    spoils: inReply(({ choices }) => {
      for (const choice of choices) choice.logprobs = null;
    }),
  },
  {
    name: "chat: JSON mode fenced in Markdown",
    users: "a reply of json_object starts with three backticks",
    expected: fail("chat-completions.exchange.json-mode"),
    spoils: inReply(({ choices }, { body }) => {
      if (body.response_format?.type !== "json_object") return;
      const fence = "```";
      for (const { message } of choices) message.content = [fence, message.content, fence].join("\n");
    }),
  },
  {
    name: "chat: schema ignored",
    users: "strict json_schema brings other members than it names",
    expected: fail("chat-completions.exchange.json-schema-followed"),
    spoils: inReply(({ choices }, { body }) => {
      if (body.response_format?.type !== "json_schema") return;
      for (const { message } of choices) message.content = JSON.stringify({ answer: 42 });
    }),
  },
  {
    name: "chat: tool_choice none ignored",
    users: "tools are called though tool_choice is none",
    expected: fail("chat-completions.exchange.tool-choice-none"),
    hears: heard((body) => {
      if (body.tool_choice === "none") body.tool_choice = "required";
    }),
  },
  {
    name: "chat: tool_choice required ignored",
    users: "required brings text",
    expected: fail("chat-completions.exchange.tool-choice-required"),
    hears: heard((body) => {
      if (body.tool_choice === "required") body.tool_choice = "none";
    }),
  },
  {
    name: "chat: JSON as text/plain",
    users: "clients do not parse the body, since it is text",
    expected: warning("chat-completions.response.media-type"),
    spoils: withType("text/plain", (exchange) => !isEventStream(exchange.response)),
  },
  {
    name: "chat: error under status 200",
    users: "a failure comes as a success, with an error in it",
    expected: fail("chat-completions.errors.no-error-in-success"),
    alsoBreaks: ["chat-completions.auth.missing-key-fails", "chat-completions.errors.invalid-request-refused"],
    spoils: inRefusal(200),
  },
];
