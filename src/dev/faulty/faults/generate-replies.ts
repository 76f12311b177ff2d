/** Faults in whole replies of generate content, in streams and in errors that users report. */

import { editTarget } from "../../../wire/edit.ts";
import { type Fault, fail, heard, inEvents, inRefusal, inReply, inStream, warning } from "../fault.ts";

export const generateReplies: readonly Fault[] = [
  {
    name: "generate: finishReason in small letters",
    users: "FinishReason.stop is not a member of the enum",
    expected: fail("generate-content.response.finish-reason-values"),
    spoils: inReply(({ candidates }) => {
      for (const candidate of candidates) candidate.finishReason = candidate.finishReason.toLowerCase();
    }),
  },
  {
    name: "generate: parts as an object",
    users: "parts is no list",
    expected: fail("generate-content.reply-content.parts-type"),
    alsoBreaks: ["generate-content.tools.mode-any"],
    spoils: inReply(({ candidates }) => {
      for (const { content } of candidates) content.parts = content.parts[0];
    }),
  },
  {
    name: "generate: role assistant",
    users: "the reply's role is assistant, and is refused when it is sent back",
    expected: fail("generate-content.reply-content.role-model"),
    spoils: inReply(({ candidates }) => {
      for (const { content } of candidates) content.role = "assistant";
    }),
  },
  {
    name: "generate: replies in snake_case",
    users: "finish_reason and usage_metadata are not found",
    expected: warning("generate-content.response.camel-case"),
    spoils: inReply((body) => {
      body.usage_metadata = body.usageMetadata;
      delete body.usageMetadata;
    }),
  },
  {
    name: "generate: counts in text",
    users: "promptTokenCount is a string",
    expected: warning("generate-content.response.prompt-token-count-type"),
    spoils: inReply(
      ({ usageMetadata }) => void (usageMetadata.promptTokenCount = String(usageMetadata.promptTokenCount)),
    ),
  },
  {
    name: "generate: candidates not summed",
    users: "candidatesTokenCount counts the first candidate only",
    expected: fail("generate-content.response.candidates-token-sum"),
    spoils: inReply(({ candidates, usageMetadata }) => {
      if (candidates.length < 2) return;
      usageMetadata.candidatesTokenCount = candidates[0].tokenCount;
      usageMetadata.totalTokenCount = usageMetadata.promptTokenCount + usageMetadata.candidatesTokenCount;
    }),
  },
  {
    name: "generate: all candidates have index 0",
    users: "candidates overwrite each other",
    expected: fail("generate-content.response.index-position"),
    spoils: inReply(({ candidates }) => {
      for (const candidate of candidates) candidate.index = 0;
    }),
  },
  {
    name: "generate: more candidates than asked for",
    users: "candidateCount is ignored",
    expected: fail("generate-content.generation-config.candidate-count-kept"),
    hears: heard(({ generationConfig }) => {
      if (generationConfig?.candidateCount === 2) generationConfig.candidateCount = 3;
    }),
  },
  {
    name: "generate: args as text",
    users: "the arguments of a call are JSON in a string",
    expected: fail("generate-content.reply-content.function-call-args-type"),
    spoils: inReply(({ candidates }) => {
      for (const { content } of candidates)
        for (const { functionCall } of content.parts)
          if (functionCall) functionCall.args = JSON.stringify(functionCall.args);
    }),
  },
  {
    name: "generate: mode NONE ignored",
    users: "functions are called though the mode is NONE",
    expected: fail("generate-content.tools.mode-none"),
    hears: heard(({ toolConfig }) => {
      const config = toolConfig?.functionCallingConfig;
      if (config?.mode === "NONE") config.mode = "ANY";
    }),
  },
  {
    name: "generate: mode ANY ignored",
    users: "ANY brings text",
    expected: fail("generate-content.tools.mode-any"),
    hears: heard(({ toolConfig }) => {
      const config = toolConfig?.functionCallingConfig;
      if (config?.mode === "ANY") config.mode = "NONE";
    }),
  },
  {
    name: "generate: schema ignored",
    users: "responseSchema is ignored",
    expected: warning("generate-content.generation-config.schema-output"),
    hears: heard(({ generationConfig }) => {
      if (generationConfig?.responseMimeType === "application/json")
        generationConfig.responseSchema = { type: "OBJECT", properties: {} };
    }),
  },
  {
    name: "generate: responseMimeType ignored",
    users: "application/json brings prose",
    expected: fail("generate-content.generation-config.json-output"),
    hears: heard(({ generationConfig }) => {
      if (generationConfig?.responseMimeType === "application/json") delete generationConfig.responseMimeType;
    }),
  },
  {
    name: "generate: maxOutputTokens ignored",
    users: "replies are longer than the bound",
    expected: fail("generate-content.generation-config.max-output-tokens-kept"),
    hears: heard(({ generationConfig }) => void delete generationConfig?.maxOutputTokens),
  },
  {
    name: "generate: outcome without its prefix",
    users: "outcome FAILED is no member of the enum",
    expected: warning("generate-content.reply-content.code-result-outcome-values"),
    spoils: inReply(({ candidates }) => {
      for (const { content } of candidates)
        for (const { codeExecutionResult: result } of content.parts) if (result) result.outcome = "FAILED";
    }),
  },
  {
    name: "generate: probabilities as numbers",
    users: "probability is 0.1 instead of NEGLIGIBLE",
    expected: fail("generate-content.safety.rating-probability-type"),
    spoils: inReply(({ candidates }) => {
      for (const { safetyRatings } of candidates) for (const rating of safetyRatings) rating.probability = 0.1;
    }),
  },
  {
    name: "generate: code is not the status",
    users: "code says 500 under status 400",
    expected: fail("generate-content.errors.code-is-status"),
    spoils: (exchange) =>
      inRefusal(exchange.response!.status, {
        error: {
          code: 500,
          message: "No.",
          status: exchange.response!.status === 401 ? "UNAUTHENTICATED" : "INVALID_ARGUMENT",
        },
      })(exchange),
  },
  {
    name: "generate: error body of another vendor",
    users: "error has type and param, and no status",
    expected: fail("generate-content.errors.status-required"),
    alsoBreaks: ["generate-content.errors.code-type"],
    spoils: (exchange) =>
      inRefusal(exchange.response!.status, {
        error: { message: "No.", type: "invalid_request_error", param: null, code: null },
      })(exchange),
  },
  {
    name: "generate: missing key answered 400",
    users: "a missing key is INVALID_ARGUMENT",
    expected: fail("generate-content.auth.missing-key-status"),
    spoils: (exchange) =>
      exchange.response!.status === 401
        ? inRefusal(400, { error: { code: 400, message: "API key is missing.", status: "INVALID_ARGUMENT" } })(exchange)
        : exchange,
  },
  {
    name: "generate: key in the header alone",
    users: "the key of the query is not seen",
    expected: warning("generate-content.auth.key"),
    hears: (request) =>
      editTarget({ request, response: null }, (target) => target.replace(/[?&]key=[^&]*/, "")).request,
    opens: ({ headers }) => headers.some(([name, value]) => name.toLowerCase() === "x-goog-api-key" && value !== ""),
    lets: (clause) => clause.startsWith("generate-content.auth."),
  },
  {
    name: "generate stream: no finishReason",
    users: "Google stream ended without a finish reason",
    expected: warning("generate-content.streaming.finish-reason-last"),
    spoils: inEvents(({ candidates }) => {
      for (const candidate of candidates) delete candidate.finishReason;
    }),
  },
  {
    name: "generate stream: alt=sse ignored",
    users: "a list of all events comes at once as JSON",
    expected: fail("generate-content.streaming.events-when-asked"),
    hears: (request) =>
      editTarget({ request, response: null }, (target) => target.replace("alt=sse", "alt=json")).request,
  },
  {
    name: "generate stream: [DONE] at the end",
    users: "Unexpected token D in JSON",
    expected: fail("generate-content.streaming.events-json"),
    spoils: inStream((events) => void events.push({ data: "[DONE]" })),
  },
  {
    name: "generate stream: events in a list",
    users: "every event is a list of one response",
    expected: fail("generate-content.streaming.event-object"),
    spoils: inStream((events) => events.map(({ data }) => ({ data: [data] }))),
  },
];
