/** The suite of chat-completions: a test for each recording, in a block for each section. */
import { suiteOf } from "../src/run/send/suite.ts";

export const chatCompletions = suiteOf("chat-completions", {
  request: "options of a request",
  conversation: "roles and parts of a conversation",
  response: "whole replies",
  streaming: "streamed replies",
  tools: "tools",
  auth: "credentials",
  errors: "refusals",
  laws: "cross-request checks",
});
