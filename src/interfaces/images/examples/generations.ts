/** Good exchanges of POST /v1/images/generations. */
import type { Example } from "../../../check/example.ts";
import { created, example, generation, pictures, revised, unanswered, urls, usage } from "./parts.ts";

const prompt = "A red kite over the sea";

export const generations: readonly Example[] = [
  example("generation: a prompt alone", () => generation({ prompt })),
  example("generation: a prompt alone, dated", () => ({ ...generation({ prompt }), started: created * 1000 })),
  example("generation: every field of image-v2", () =>
    generation({ model: "image-v2", prompt, n: 2, size: "512x512", response_format: "url", user: "user-17" }, urls(2)),
  ),
  example("generation: nulls where the document permits them", () =>
    generation({ model: "image-v2", prompt, n: null, size: null, response_format: null, style: null }),
  ),
  example("generation: ten small pictures as base64", () =>
    generation({ prompt, n: 10, size: "256x256", response_format: "b64_json" }, pictures(10, 256, 256)),
  ),
  example("generation: base64 in the default size", () =>
    generation({ prompt, response_format: "b64_json" }, pictures(1, 1024, 1024)),
  ),
  example("generation: image-v3 with its defaults written out", () =>
    generation(
      {
        model: "image-v3",
        prompt,
        n: 1,
        quality: "standard",
        style: "vivid",
        size: "1024x1024",
        response_format: "url",
      },
      revised({ url: "https://images.example/kite.png" }),
    ),
  ),
  example("generation: image-v3 in high definition, upright", () =>
    generation(
      { model: "image-v3", prompt, quality: "hd", style: "natural", size: "1024x1792" },
      revised({ url: "https://images.example/kite.png" }),
    ),
  ),
  example("generation: image-v3, wide", () => generation({ model: "image-v3", prompt, size: "1792x1024" })),
  example("generation: image-multi with usage", () => generation({ model: "image-multi", prompt }, urls(1, { usage }))),
  example("generation: image-multi, wide, as base64", () =>
    generation(
      { model: "image-multi", prompt, quality: "high", size: "1536x1024", response_format: "b64_json", n: 2 },
      pictures(2, 1536, 1024, { usage }),
    ),
  ),
  example("generation: a model nobody mapped to a kind", () =>
    generation({ model: "my-model", prompt, response_format: "url", size: "64x64", quality: "draft" }),
  ),
];

const grinning = "\u{1F600}";

/** Prompts of exactly the longest length, in one-byte and in astral characters (two UTF-16 units each). */
export const prompts: readonly Example[] = (
  [
    ["image-v2", 1000],
    ["image-v3", 4000],
    ["image-multi", 32_000],
  ] as const
).flatMap(([model, limit]) => {
  const more = model === "image-multi" ? { usage } : {};
  return [
    example(`generation: a prompt of ${limit} letters for ${model}`, () =>
      generation({ model, prompt: "k".repeat(limit) }, urls(1, more)),
    ),
    unanswered(
      example(`generation: a prompt of ${limit} astral characters for ${model}`, () =>
        generation({ model, prompt: grinning.repeat(limit) }, urls(1, more)),
      ),
    ),
  ];
});
