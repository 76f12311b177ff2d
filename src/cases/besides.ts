/** Answers what clients ask beside the matter, such as which models there are. */
import { jsonReply } from "../reference/answer.ts";
import type { WireRequest } from "../wire/exchange.ts";
import type { Reply } from "../wire/listen.ts";
import { pathOf } from "../wire/target.ts";

const model = {
  id: "case-model",
  object: "model",
  type: "model",
  display_name: "Case model",
  created: 1_700_000_000,
  created_at: "2026-01-01T00:00:00Z",
  owned_by: "touchstone",
};

const generateModel = {
  name: "models/case-model",
  displayName: "Case model",
  inputTokenLimit: 100_000,
  outputTokenLimit: 10_000,
  supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
};

/** A plausible reply; undefined for what nobody knows. */
export function besides({ method, target }: WireRequest): Reply | undefined {
  const path = pathOf(target);
  if (method === "GET" && /^\/v1beta\/models$/.test(path)) return jsonReply(200, { models: [generateModel] });
  if (method === "GET" && /^\/v1beta\/models\/[^/]+$/.test(path)) return jsonReply(200, generateModel);
  if (method === "GET" && /\/models$/.test(path))
    return jsonReply(200, { object: "list", data: [model], has_more: false, first_id: model.id, last_id: model.id });
  if (method === "GET" && /\/models\/[^/]+$/.test(path)) return jsonReply(200, model);
  if (/\/messages\/count_tokens$/.test(path)) return jsonReply(200, { input_tokens: 12 });
  if (/:countTokens$/.test(path)) return jsonReply(200, { totalTokens: 12 });
  return undefined;
}
