/** Signs of what requests of this interface ask for and replies give, told by their members. */

import type { ReplySigns, RequestSigns } from "../../../check/interface-signs.ts";
import { endings } from "../../common/endings.ts";
import { itemsAt, memberOf } from "../../common/members.ts";
import { cost } from "./cost.ts";

export const requests: RequestSigns = {
  needs: [
    ["audio", /^(?:audio\b|modalities\/\*=audio)/],
    ["audio-input", /^messages\/\*\/content\/\*\/(?:type=input_audio|input_audio\b)/],
    ["developer-role", /^messages\/\*\/role=developer$/],
    ["documents", /^messages\/\*\/content\/\*\/(?:type=file$|file\b)/],
    ["functions", /^(?:functions|function_call|messages\/\*\/function_call)\b/],
    ["image-input", /^messages\/\*\/content\/\*\/(?:type=image_url|image_url\b)/],
    ["json-mode", /^response_format\/type=json_object$/],
    ["logit-bias", /^logit_bias\b/],
    ["logprobs", /^(?:logprobs|top_logprobs)\b/],
    ["max-tokens", /^max_tokens\b/],
    ["metadata", /^metadata\b/],
    ["n", /^n=(?!1$)/],
    ["penalties", /^(?:frequency|presence)_penalty\b/],
    ["prediction", /^prediction\b/],
    ["reasoning", /^reasoning_effort\b/],
    ["refusals", /^messages\/\*\/(?:content\/\*\/type=refusal|(?:content\/\*\/)?refusal\b)/],
    ["streaming", /^stream(?:_options)?\b/],
    ["structured-output", /^response_format\/(?:type=json_schema|json_schema\b)|^tools\/\*\/function\/strict=true$/],
    ["tools", /^(?:tools|tool_choice|parallel_tool_calls|messages\/\*\/tool_call(?:s|_id))\b/],
    ["web-search", /^web_search_options\b/],
  ],
  toolChoices: [
    ["tool-choice", /^tool_choice(?:=(?!auto$)|\/type=)/],
    ["tool-choice-named", /^tool_choice\/type=/],
    ["tool-choice-none", /^tool_choice=none$/],
    ["tool-choice-required", /^tool_choice=required$/],
  ],
  replyBounds: ["max_tokens", "max_completion_tokens"],
  cost,
  referred: ["functions"],
  otherThings: /\/(?:input_audio\/format|content\/\d+\/type)$/,
  plainModel: "chat-model",
  essential: ["model", "messages", "stream", "max_tokens"],
  options: [["system", /^messages\/\*\/role=system$/]],
};

const choice = String.raw`^choices\/\*\/(?:message|delta)\/`;

export const replies: ReplySigns = {
  members: ["choices", "object"],
  holds: [
    ["text", new RegExp(`${choice}(?:content|refusal)=.`)],
    ["call", new RegExp(`${choice}(?:tool_calls\\/\\*|function_call)\\/`)],
    ["sound", new RegExp(`${choice}audio\\/data=.`)],
    ["sources", new RegExp(`${choice}annotations\\/\\*\\/`)],
    ["log-probabilities", /^choices\/\*\/logprobs\/(?:content|refusal)\/\*\/logprob=/],
    ["usage", /^usage\/\w+=/],
  ],
  calls: (reply) =>
    itemsAt(reply, "choices").flatMap((one) =>
      ["message", "delta"].flatMap((name) =>
        itemsAt(memberOf(one, name), "tool_calls").map((call, i) => memberOf(call, "index") ?? i),
      ),
    ),
  choices: "choices",
  answers: { messages: "messages", toolResult: /^role=(?:tool|function)$/ },
  actions: {
    holders: ["choices", "message", "delta"],
    calls: ["tool_calls", "function_call"],
    ending: "finish_reason",
    endings,
    created: "created",
  },
  usage: { at: [["usage"]], input: ["prompt_tokens"], output: ["completion_tokens"] },
};
