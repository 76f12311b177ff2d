/** The recordings that are edited, and what their documents say of them. */
import type { Oracle } from "./edits-of-places.test-kit.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** The four documents, as far as the recordings of `everyKind` need it. */
export const documents: Oracle = {
  listed:
    words(`type object role finish_reason stop_reason finishReason category probability modality threshold mode size quality
    style detail tool_choice response_format responseMimeType mimeType media_type service_tier blocked alt status`),
  maps: words("metadata input args response parameters input_schema responseSchema schema source"),
  open: /^\/(?:error|content_block|delta)\/type$|^\/size$/,
};

/** Recordings that hold whole answers, streams, failures, forms and tools of every interface. */
export const everyKind: readonly string[] = [
  "chat-completions/errors/temperature-too-high",
  "chat-completions/response/log-probabilities",
  "chat-completions/response/text",
  "chat-completions/streaming/two-tool-calls",
  "chat-completions/streaming/usage",
  "chat-completions/tools/two-calls",
  "generate-content/errors/temperature-too-high",
  "generate-content/generation-config/json",
  "generate-content/response/text",
  "generate-content/streaming/function-call",
  "generate-content/streaming/text",
  "generate-content/tools/round-trip",
  "images/edits/with-mask",
  "images/errors/eleven",
  "images/generations/two-base64",
  "messages/content/document",
  "messages/errors/temperature-too-high",
  "messages/response/text",
  "messages/streaming/text",
  "messages/streaming/thinking",
  "messages/tools/round-trip",
  "messages/tools/two-calls",
];
