/** The generate-content interface: its operations and the rules of its sections. */

import { strictOnly } from "../../check/clause.ts";
import type { Interface } from "../../check/interface.ts";
import type { Operation } from "../../check/operation.ts";
import { isObject } from "../../wire/json.ts";
import { authRules, keyClauses } from "./auth.ts";
import { contentRules } from "./content.ts";
import { errorRules, refusalBody } from "./errors.ts";
import { configLogprobsRules } from "./generation-config/logprobs.ts";
import { generationConfigRules } from "./generation-config.ts";
import { groundingRules } from "./grounding.ts";
import { comparableReply, generateLaws } from "./laws.ts";
import { logprobsRules } from "./logprobs.ts";
import { plausibleRules } from "./plausible.ts";
import { replyParts } from "./reading/content.ts";
import { forms } from "./reading/forms.ts";
import { replies, requests } from "./reading/signs.ts";
import { canonicalOf, canonicalOfStream } from "./reading/spelling.ts";
import { replyContentRules } from "./reply-content.ts";
import { placeOf, requestRules } from "./request.ts";
import { responseRules } from "./response.ts";
import { safetyRules } from "./safety.ts";
import { schemaRules } from "./schema.ts";
import { bringsOf, piecesOf } from "./streaming/brings.ts";
import { streamingRules } from "./streaming.ts";
import { toolRules } from "./tools.ts";

const schema = (name: string): string => `/generate-content/${name}.schema.json`;

const whole: Operation = {
  name: "POST /v1beta/models/{model}:generateContent",
  method: "POST",
  at: placeOf("generateContent"),
  schemas: { request: schema("request"), response: schema("response"), error: schema("errors") },
  canonical: canonicalOf,
  ofClients: [schema("schema")],
};

const streamed: Operation = {
  name: "POST /v1beta/models/{model}:streamGenerateContent",
  method: "POST",
  at: placeOf("streamGenerateContent"),
  schemas: { request: schema("request"), event: schema("event"), error: schema("errors") },
  isStreamError: (data) => isObject(data) && isObject(data["error"]),
  canonical: canonicalOfStream,
  ofClients: [schema("schema")],
  brings: bringsOf,
  pieces: piecesOf,
  partialEvents: strictOnly("G-STREAM-PAYLOAD"),
};

export const generateContent: Interface = {
  name: "generate-content",
  document: "generate-content",
  operations: [whole, streamed],
  streams: ({ operation, query }) => operation === streamed && query["alt"] === "sse",
  rules: [
    ...requestRules,
    ...authRules,
    ...contentRules,
    ...toolRules,
    ...generationConfigRules,
    ...configLogprobsRules,
    ...schemaRules,
    ...safetyRules,
    ...responseRules,
    ...replyContentRules,
    ...logprobsRules,
    ...groundingRules,
    ...streamingRules,
    ...errorRules,
    ...plausibleRules,
  ],
  laws: generateLaws,
  comparableReply,
  replyParts,
  requests,
  forms,
  replies,
  namesRefusals: true,
  key: { query: "key", otherHeaders: ["x-goog-api-key", "authorization"] },
  model: { target: /(\/models\/)([^/:?]+)(?=:)/ },
  client: {
    service: "https://generativelanguage.googleapis.com",
    hosts: ["aiplatform.googleapis.com", "*-aiplatform.googleapis.com"],
    version: "/v1beta",
    // The official SDKs; LiteLLM; programs of the Vercel AI SDK, which reads no such variable itself.
    baseUrls: { GOOGLE_GEMINI_BASE_URL: "", GEMINI_API_BASE: "", GOOGLE_GENERATIVE_AI_BASE_URL: "/v1beta" },
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    conflicting: ["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE", "GOOGLE_GENAI_USE_GCA"],
  },
  keyClauses,
  refusalBody,
};
