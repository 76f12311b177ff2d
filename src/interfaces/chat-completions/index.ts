/** The chat-completions interface: its operation and the rules of its sections. */
import type { Interface, Operation } from "../../check/interface.ts";
import { requestJson } from "../../check/subject.ts";
import { rules as auth } from "./auth.ts";
import { rules as conversation } from "./conversation.ts";
import { rules as request } from "./request.ts";
import { rules as tools } from "./tools.ts";

const create: Operation = {
  name: "POST /v1/chat/completions",
  method: "POST",
  path: /\/chat\/completions\/?$/,
  schemas: {
    request: "/chat-completions/request.schema.json",
  },
  streams: (subject) => requestJson(subject)["stream"] === true,
  terminator: "[DONE]",
};

export const chatCompletions: Interface = {
  name: "chat-completions",
  document: "chat-completions-and-images",
  operations: [create],
  rules: [...auth, ...request, ...conversation, ...tools],
};
