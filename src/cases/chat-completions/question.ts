/** Asks for a chat completion without a library. */
import type { Assignment } from "../client-under-test.ts";
import { offeredTools } from "../question-tools.ts";

export function question({ key, model, prompt, stream, tools, wants }: Assignment) {
  return {
    path: "/v1/chat/completions",
    headers: { authorization: `Bearer ${key}` },
    body: {
      model,
      messages: [{ role: "user", content: prompt }],
      ...(stream && { stream }),
      ...(tools && { tools: offeredTools.map((tool) => ({ type: "function", function: tool })) }),
      ...(wants === "usage" && { stream_options: { include_usage: true } }),
      ...(wants === "choices" && { n: 2 }),
    },
  };
}
