/** Faults that users report of values that have the right type and cannot be right. */
import { type Fault, inReply, warning } from "../fault.ts";

export const plausible: readonly Fault[] = [
  {
    name: "chat: negative counts",
    users: "completion_tokens is -1 where nobody counted",
    expected: warning("chat-completions.plausible.tokens-not-negative"),
    alsoBreaks: [
      "chat-completions.laws.stream-usage",
      "chat-completions.plausible.logprobs-counted",
      "chat-completions.response.rejected-prediction-tokens-counted",
    ],
    spoils: inReply(({ usage }) => {
      usage.completion_tokens = -1;
      usage.total_tokens = usage.prompt_tokens - 1;
    }),
  },
  {
    name: "chat: more cached than sent",
    users: "cached_tokens counts what was cached over all requests",
    expected: warning("chat-completions.plausible.prompt-details-within-prompt"),
    spoils: inReply(({ usage }) => {
      usage.prompt_tokens_details.cached_tokens = usage.prompt_tokens + 1000;
    }),
  },
  {
    name: "chat: probabilities for log probabilities",
    users: "logprob is 0.9",
    expected: warning("chat-completions.plausible.logprob-not-above-zero"),
    spoils: inReply(({ choices }) => {
      for (const { logprobs } of choices) for (const entry of logprobs?.content ?? []) entry.logprob = 0.9;
    }),
  },
  {
    name: "chat: tokens without their blanks",
    users: "the tokens of logprobs do not spell the text",
    expected: warning("chat-completions.plausible.logprobs-spell-content"),
    spoils: inReply(({ choices }) => {
      for (const { logprobs } of choices)
        for (const entry of logprobs?.content ?? [])
          for (const one of [entry, ...entry.top_logprobs]) {
            one.token = one.token.trim();
            one.bytes = [...Buffer.from(one.token)];
          }
    }),
  },
  {
    name: "chat: created a constant",
    users: "every reply was created in 2023",
    expected: warning("chat-completions.plausible.created-near-exchange"),
    alsoBreaks: ["chat-completions.laws.created-moves"],
    spoils: inReply((body) => void (body.created = 1_677_652_288)),
  },
  {
    name: "chat: empty id",
    users: "the id is empty",
    expected: warning("chat-completions.plausible.id-not-empty"),
    spoils: inReply((body) => void (body.id = "")),
  },
  {
    name: "chat: finish_reason length at every end",
    users: "replies that are complete say length",
    expected: warning("chat-completions.plausible.length-without-bound"),
    alsoBreaks: ["chat-completions.laws.stream-finish"],
    spoils: inReply(({ choices }, { body }) => {
      if (body.max_completion_tokens !== undefined || body.max_tokens !== undefined) return;
      for (const choice of choices) if (choice.finish_reason === "stop") choice.finish_reason = "length";
    }),
  },
  {
    name: "chat: one id for all tool calls of a reply",
    users: "both calls have the same id",
    expected: warning("chat-completions.plausible.tool-call-id-distinct"),
    spoils: inReply(({ id, choices }) => {
      for (const { message } of choices) for (const call of message.tool_calls ?? []) call.id = `call_${id}`;
    }),
  },
  {
    name: "images: created a constant",
    users: "every image was created in 2021",
    expected: warning("images.plausible.created-near-exchange"),
    spoils: inReply((body) => void (body.created = 1_616_191_920)),
  },
  {
    name: "messages: empty id",
    users: "the id is empty",
    expected: warning("messages.plausible.id-not-empty"),
    spoils: inReply((body) => void (body.id = "")),
  },
  {
    name: "generate: negative counts",
    users: "promptTokenCount is -1 where nobody counted",
    expected: warning("generate-content.plausible.tokens-not-negative"),
    spoils: inReply(({ usageMetadata }) => {
      usageMetadata.promptTokenCount = -1;
      usageMetadata.totalTokenCount = usageMetadata.candidatesTokenCount - 1;
    }),
  },
  {
    name: "generate: probabilities for log probabilities",
    users: "avgLogprobs is a probability",
    expected: warning("generate-content.plausible.logprob-not-above-zero"),
    spoils: inReply(({ candidates }) => {
      for (const candidate of candidates) if (candidate.avgLogprobs !== undefined) candidate.avgLogprobs = 0.4;
    }),
  },
  {
    name: "generate: empty responseId",
    users: "responseId is empty",
    expected: warning("generate-content.plausible.response-id-not-empty"),
    spoils: inReply((body) => void (body.responseId = "")),
  },
];
