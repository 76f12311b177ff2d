/** The messages interface: its operation and the rules of its sections. */

import type { Interface } from "../../check/interface.ts";
import type { Subject } from "../../check/subject.ts";
import { isObject } from "../../wire/json.ts";
import { authRules, keyClauses } from "./auth.ts";
import { contentRules } from "./content.ts";
import { errorRules, refusalBody } from "./errors.ts";
import { comparableReply, laws } from "./laws.ts";
import { rules as plausible } from "./plausible.ts";
import { replyParts } from "./reading/content.ts";
import { forms } from "./reading/forms.ts";
import { isErrorBody } from "./reading/reply.ts";
import { replies, requests } from "./reading/signs.ts";
import { eventTypes } from "./reading/stream-reader.ts";
import { requestRules } from "./request.ts";
import { responseRules } from "./response.ts";
import { clientRules } from "./streaming/clients.ts";
import { orderRules } from "./streaming/order.ts";
import { streamingRules } from "./streaming.ts";
import { toolCallRules } from "./tools/calls.ts";
import { toolResultRules } from "./tools/results.ts";
import { toolRules } from "./tools.ts";

/** A request that cannot be read, or whose `stream` is no boolean, counts as asking for what came. */
function asksForStream(subject: Subject): boolean {
  const { body } = subject.request;
  const { stream } = subject.requestJson;
  const clear = body.kind === "json" && isObject(body.value) && (stream === undefined || typeof stream === "boolean");
  return clear ? stream === true : subject.response?.body.kind === "stream";
}

/** The position at which `/messages` ends a path; messages of threads are another interface's. */
function placeOf(path: string): number {
  const at = path.length - "/messages".length;
  return path.endsWith("/messages") && !/\/threads\/[^/]+$/.test(path.slice(0, at)) ? at : -1;
}

export const messages: Interface = {
  name: "messages",
  document: "messages",
  operations: [
    {
      name: "POST /v1/messages",
      method: "POST",
      at: placeOf,
      schemas: {
        headers: "/messages/headers.schema.json",
        request: "/messages/request.schema.json",
        // An error under a success status is one fault, not a message that lacks everything.
        response: (body) => (isObject(body) && isErrorBody(body) ? undefined : "/messages/response.schema.json"),
        event: "/messages/event.schema.json",
        error: "/messages/error.schema.json",
      },
      // Not part of this interface; named so that it is recognised where it comes all the same.
      terminator: "[DONE]",
      // A ping may come anywhere.
      brings: (data) =>
        isObject(data) && typeof data["type"] === "string" && data["type"] !== "ping" ? [data["type"]] : [],
      // Texts of deltas, whatever they are called.
      pieces: (data) => {
        if (!isObject(data) || data["type"] !== "content_block_delta") return [];
        const delta = isObject(data["delta"]) ? data["delta"] : {};
        const texts = Object.keys(delta).map((name) => (name === "type" ? undefined : delta[name]));
        return ["", ...texts.filter((text) => typeof text === "string")];
      },
      isStreamError: (data) =>
        isObject(data) && (data["type"] === "error" || (!eventTypes.has(data["type"]) && isObject(data["error"]))),
    },
  ],
  streams: asksForStream,
  rules: [
    ...requestRules,
    ...authRules,
    ...contentRules,
    ...toolRules,
    ...toolResultRules,
    ...responseRules,
    ...toolCallRules,
    ...streamingRules,
    ...orderRules,
    ...clientRules,
    ...errorRules,
    ...plausible,
  ],
  laws,
  comparableReply,
  replyParts,
  requests,
  forms,
  replies,
  namesRefusals: true,
  key: { header: "x-api-key", otherHeaders: ["authorization"] },
  model: { body: "/model" },
  client: {
    service: "https://api.anthropic.com",
    version: "/v1",
    // The official SDKs, which add the version themselves; LangChain; LiteLLM. The Vercel AI SDK reads the first one too, but adds no version.
    baseUrls: { ANTHROPIC_BASE_URL: "", ANTHROPIC_API_URL: "", ANTHROPIC_API_BASE: "" },
    keys: ["ANTHROPIC_API_KEY"],
    conflicting: [
      "ANTHROPIC_AUTH_TOKEN",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "CLAUDE_CODE_USE_BEDROCK",
      "CLAUDE_CODE_USE_VERTEX",
    ],
  },
  keyClauses,
  refusalBody,
};
