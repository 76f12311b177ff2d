/** Variables that clients of chat completions and of images read: both interfaces share them. */
import type { ClientSettings } from "../../check/interface.ts";

export const chatClient: ClientSettings = {
  service: "https://api.openai.com",
  version: "/v1",
  // The official SDKs and the Vercel AI SDK; older SDKs, LangChain and LiteLLM; Open WebUI.
  baseUrls: { OPENAI_BASE_URL: "/v1", OPENAI_API_BASE: "/v1", OPENAI_API_BASE_URL: "/v1" },
  keys: ["OPENAI_API_KEY"],
  conflicting: ["OPENAI_API_TYPE"],
};
