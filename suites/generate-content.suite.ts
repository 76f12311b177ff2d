/** The suite of generate-content: a test for each recording, in a block for each section. */
import { suiteOf } from "../src/run/send/suite.ts";

export const generateContent = suiteOf("generate-content", {
  content: "roles and parts of a conversation",
  "generation-config": "generation config",
  safety: "safety settings",
  response: "whole replies",
  streaming: "streamed replies",
  tools: "tools",
  grounding: "grounding",
  auth: "credentials",
  errors: "refusals",
  laws: "cross-request checks",
});
