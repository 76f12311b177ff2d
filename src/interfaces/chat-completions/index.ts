/** The chat-completions interface: its operations and the rules of its sections. */
import type { Interface } from "../../check/interface.ts";

export const chatCompletions: Interface = {
  name: "chat-completions",
  document: "chat-completions-and-images",
  operations: [],
  rules: [],
};
