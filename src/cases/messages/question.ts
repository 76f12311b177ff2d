/** Asks for a message without a library. */
import type { Assignment } from "../client-under-test.ts";
import { offeredTools } from "../question-tools.ts";

export function question({ key, model, prompt, stream, tools, wants }: Assignment) {
  const begun = wants === "prefill" ? [{ role: "assistant", content: "Well" }] : [];
  return {
    path: "/v1/messages",
    headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
    body: {
      model,
      max_tokens: 4096,
      messages: [{ role: "user", content: prompt }, ...begun],
      ...(stream && { stream }),
      ...(tools && {
        tools: offeredTools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
      }),
    },
  };
}
