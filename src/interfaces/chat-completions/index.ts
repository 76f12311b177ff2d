/** The chat-completions interface: its operations and the rules of its sections. */

import type { Interface } from "../../check/interface.ts";
import type { Operation } from "../../check/operation.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { isObject } from "../../wire/json.ts";
import { chatClient } from "../common/clients.ts";
import { refusalNamingMember } from "../common/errors.ts";
import { rules as auth, keyClauses } from "./auth.ts";
import { rules as conversation } from "./conversation.ts";
import { rules as errors } from "./errors.ts";
import { rules as exchange } from "./exchange.ts";
import { comparableReply, laws } from "./laws.ts";
import { listOperations, rules as lists, replySchema } from "./lists.ts";
import { rules as plausible } from "./plausible.ts";
import { replyParts } from "./reading/content.ts";
import { forms } from "./reading/forms.ts";
import { replies, requests } from "./reading/signs.ts";
import { rules as request } from "./request.ts";
import { rules as response } from "./response.ts";
import { bringsOf, piecesOf } from "./streaming/brings.ts";
import { rules as streaming } from "./streaming.ts";
import { rules as tools } from "./tools.ts";

const create: Operation = {
  name: "POST /v1/chat/completions",
  method: "POST",
  at: (path) => path.search(/\/chat\/completions\/?$/),
  schemas: {
    request: "/chat-completions/request.schema.json",
    response: replySchema,
    event: "/chat-completions/chunk.schema.json",
  },
  terminator: "[DONE]",
  brings: bringsOf,
  pieces: piecesOf,
  isStreamError: (data) => isObject(data) && (isObject(data["error"]) || typeof data["error"] === "string"),
};

/** Rules on what is posted say nothing about fetching a list. */
function ofCreating(rules: readonly Rule[]): Rule[] {
  return rules.map((rule) =>
    rule.clause === "chat-completions.request.method"
      ? methodOf(rule)
      : { ...rule, operations: new Set([create.name]) },
  );
}

/** A chat request under the method that fetches lists is still a chat request, with the wrong method. */
function isMisplaced({ operation, request: { body }, response }: Subject): boolean {
  if (operation.name !== "GET /v1/chat/completions") return false;
  const answered = response?.body.kind === "json" ? response.body.value : undefined;
  return (
    (body.kind === "json" && isObject(body.value) && "messages" in body.value) ||
    response?.body.kind === "stream" ||
    (isObject(answered) && answered["object"] === "chat.completion")
  );
}

function methodOf(rule: Rule): Rule {
  return {
    ...rule,
    applies: (subject) => subject.operation === create || isMisplaced(subject),
    check(subject) {
      const { method } = subject.exchange.request;
      if (method === create.method) return undefined;
      return [{ side: "request", in: "method", expected: create.method, actual: method }];
    },
  };
}

export const chatCompletions: Interface = {
  name: "chat-completions",
  document: "chat-completions-and-images",
  operations: [create, ...listOperations],
  streams: ({ operation, requestJson }) => operation === create && requestJson["stream"] === true,
  rules: [
    ...auth,
    ...ofCreating([...request, ...conversation, ...tools]),
    ...response,
    ...streaming,
    ...lists,
    ...errors,
    ...exchange,
    ...plausible,
  ],
  laws,
  comparableReply,
  replyParts,
  requests,
  forms,
  replies,
  key: { header: "authorization", otherHeaders: ["api-key"] },
  model: { body: "/model" },
  client: chatClient,
  keyClauses,
  refusalBody: refusalNamingMember,
};
