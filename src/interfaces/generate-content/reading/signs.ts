/** Signs of what requests of this interface ask for and replies give, told by their members. */

import type { ReplySigns, RequestSigns } from "../../../check/interface-signs.ts";
import { isObject } from "../../../wire/json.ts";
import { endings } from "../../common/endings.ts";
import { itemsAt, memberOf } from "../../common/members.ts";
import { cost } from "./cost.ts";
import { namesSpeltTwice } from "./names-spelt-twice.ts";

export const requests: RequestSigns = {
  needs: [
    ["audio-input", /^contents\/(?:\*\/)?parts\/(?:\*\/)?(?:inline|file)Data\/mimeType=audio\//],
    ["candidates", /^generationConfig\/candidateCount=(?!1$)/],
    ["code-execution", /^tools\/\*\/codeExecution\b|\/parts\/\*\/(?:executableCode|codeExecutionResult)\b/],
    ["documents", /^contents\/(?:\*\/)?parts\/(?:\*\/)?(?:inline|file)Data\/mimeType=application\/pdf/],
    ["grounding", /^tools\/\*\/googleSearch/],
    ["image-input", /^contents\/(?:\*\/)?parts\/(?:\*\/)?(?:inline|file)Data\/mimeType=image\//],
    ["image-output", /^generationConfig\/responseModalities\/\*=IMAGE$/],
    ["logprobs", /^generationConfig\/(?:responseLogprobs|logprobs)\b/],
    ["penalties", /^generationConfig\/(?:frequency|presence)Penalty\b/],
    ["speech", /^generationConfig\/(?:speechConfig\b|responseModalities\/\*=AUDIO$)/],
    ["structured-output", /^generationConfig\/response(?:Schema\b|MimeType=(?!text\/plain$))/],
    ["thinking", /^generationConfig\/thinkingConfig\b/],
    ["tools", /^(?:tools\/\*\/functionDeclarations|toolConfig)\b|\/parts\/\*\/function(?:Call|Response)\b/],
    ["url-context", /^tools\/\*\/urlContext\b/],
  ],
  needsOfTarget: [["streaming", /:streamGenerateContent/]],
  toolChoices: [
    ["tool-choice", /^toolConfig\/functionCallingConfig\/mode=(?:ANY|NONE)$/],
    ["tool-choice-any", /^toolConfig\/functionCallingConfig\/mode=ANY$/],
    ["tool-choice-named", /^toolConfig\/functionCallingConfig\/allowedFunctionNames\b/],
    ["tool-choice-none", /^toolConfig\/functionCallingConfig\/mode=NONE$/],
  ],
  replyBounds: ["maxOutputTokens", "max_output_tokens", "generationConfig", "generation_config"],
  cost,
  speltTwice: {
    clause: "generate-content.request.reference-names",
    names: namesSpeltTwice,
    // The samples write both members of inline data alike.
    along: { inlineData: "mimeType" },
  },
  plainModel: "generate-model",
  essential: ["model", "contents", "generationConfig"],
  settings: "generationConfig",
  namedByClients: /^(?:args|response|properties|labels)$/,
};

const part = String.raw`^candidates\/\*\/content\/parts\/\*\/`;

export const replies: ReplySigns = {
  members: ["candidates", "promptFeedback", "usageMetadata"],
  holds: [
    ["text", new RegExp(`${part}text=.`)],
    ["call", new RegExp(`${part}functionCall\\/`)],
    ["thinking", new RegExp(`${part}thought=true|^usageMetadata\\/thoughtsTokenCount=[1-9]`)],
    ["picture", new RegExp(`${part}inlineData\\/mimeType=image\\/`)],
    ["sound", new RegExp(`${part}inlineData\\/mimeType=audio\\/`)],
    ["code", new RegExp(`${part}executableCode\\/`)],
    ["sources", /^candidates\/\*\/(?:groundingMetadata|urlContextMetadata|citationMetadata)\//],
    ["log-probabilities", /^candidates\/\*\/(?:logprobsResult\/|avgLogprobs=)/],
  ],
  calls: (reply) =>
    itemsAt(reply, "candidates")
      .flatMap((one) => itemsAt(memberOf(one, "content"), "parts"))
      .filter((one) => isObject(memberOf(one, "functionCall"))),
  choices: "candidates",
  answers: { messages: "contents", toolResult: /^parts\/(?:\*\/)?function_?[rR]esponse\b/ },
  actions: {
    holders: ["candidates", "content", "parts"],
    calls: ["functionCall"],
    ending: "finishReason",
    endings,
  },
  usage: {
    at: [["usageMetadata"]],
    input: ["promptTokenCount", "toolUsePromptTokenCount"],
    output: ["candidatesTokenCount", "thoughtsTokenCount"],
  },
};
