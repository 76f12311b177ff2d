/** The chat-completions interface: its operations and the rules of its sections. */
import type { Interface, Operation } from "../../check/interface.ts";
import { isObject, requestJson } from "../../check/subject.ts";
import { rules as errors } from "./errors.ts";
import { rules as exchange } from "./exchange.ts";
import { listOperations, rules as lists, replySchema } from "./lists.ts";
import { rules as response } from "./response.ts";
import { rules as streaming } from "./streaming.ts";

const create: Operation = {
  name: "POST /v1/chat/completions",
  method: "POST",
  path: /\/chat\/completions\/?$/,
  schemas: {
    response: replySchema,
    event: "/chat-completions/chunk.schema.json",
  },
  streams: (subject) => requestJson(subject)["stream"] === true,
  terminator: "[DONE]",
  isStreamError: (data) => isObject(data) && isObject(data["error"]),
};

export const chatCompletions: Interface = {
  name: "chat-completions",
  document: "chat-completions-and-images",
  operations: [create, ...listOperations],
  rules: [...response, ...streaming, ...lists, ...errors, ...exchange],
};
