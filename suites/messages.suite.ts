/** The suite of messages: a test for each recording, in a block for each section. */
import { suiteOf } from "../src/run/send/suite.ts";

export const messages = suiteOf("messages", {
  request: "options of a request",
  content: "pictures, documents and caching",
  response: "whole replies",
  streaming: "streamed replies",
  tools: "tools",
  auth: "credentials",
  errors: "refusals",
  laws: "cross-request checks",
});
