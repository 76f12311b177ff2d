/** Asks for generated content without a library. */
import type { Assignment } from "../client-under-test.ts";
import { offeredTools } from "../question-tools.ts";

export function question({ key, model, prompt, stream, tools }: Assignment) {
  const verb = stream ? "streamGenerateContent?alt=sse" : "generateContent";
  return {
    path: `/v1beta/models/${model}:${verb}`,
    headers: { "x-goog-api-key": key },
    body: {
      contents: [{ role: "user", parts: [{ text: prompt }] }],
      ...(tools && { tools: [{ functionDeclarations: offeredTools }] }),
    },
  };
}
