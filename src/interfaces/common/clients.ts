/** Variables that clients of chat completions and of images read: both interfaces share them. */
import type { ClientSettings } from "../../check/interface.ts";

export const chatClient: ClientSettings = {
  service: "https://api.openai.com",
  hosts: [
    "*.openai.azure.com",
    "api.cerebras.ai",
    "api.deepseek.com",
    "api.fireworks.ai",
    "api.groq.com",
    "api.mistral.ai",
    "api.moonshot.ai",
    "api.perplexity.ai",
    "api.together.ai",
    "api.together.xyz",
    "api.x.ai",
    "api.z.ai",
    "dashscope-intl.aliyuncs.com",
    "dashscope.aliyuncs.com",
    "integrate.api.nvidia.com",
    "models.github.ai",
    "openrouter.ai",
    "router.huggingface.co",
  ],
  version: "/v1",
  // The official SDKs and the Vercel AI SDK; older SDKs, LangChain and LiteLLM; Open WebUI.
  baseUrls: { OPENAI_BASE_URL: "/v1", OPENAI_API_BASE: "/v1", OPENAI_API_BASE_URL: "/v1" },
  keys: ["OPENAI_API_KEY"],
  conflicting: ["OPENAI_API_TYPE"],
};
