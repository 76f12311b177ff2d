/** Holds what becomes of settings: lost ones are told, and fair conversions are not accused. */
import { expect, test } from "vitest";
import { config, ofRequest } from "./compare.test-kit.ts";

type Row = Parameters<typeof ofRequest>;

const parts = (marks: number) =>
  Array.from({ length: marks }, (_, i) => ({ type: "text", text: `${i}`, cache_control: { type: "ephemeral" } }));
/** No document has marks for caches in chat; services do. */
const marked = (marks: number) => ({ messages: [{ role: "user", content: parts(marks) }] });

const rows: readonly (readonly [...Row, string])[] = [
  // Temperatures of another range.
  ["cc", "sampling.temperature", { temperature: 0.7 }, { temperature: 0.7 }, false, "kept"],
  ["cm", "sampling.temperature", { temperature: 0.7 }, { temperature: 0.7 }, false, "kept"],
  ["cm", "sampling.temperature", { temperature: 0.7 }, { temperature: 0.35 }, false, "kept, converted"],
  ["cm", "sampling.temperature", { temperature: 0.7 }, { temperature: 0.35 }, true, "changed"],
  ["cm", "sampling.temperature", { temperature: 1.6 }, { temperature: 1 }, false, "kept, converted"],
  ["cm", "sampling.temperature", { temperature: 1.6 }, { temperature: 1 }, true, "kept, converted"],
  ["mc", "sampling.temperature", { temperature: 0.4 }, { temperature: 0.8 }, false, "kept, converted"],
  ["cm", "sampling.temperature", { temperature: 0.7 }, { temperature: 0.5 }, false, "changed"],
  ["cm", "sampling.temperature", { temperature: 0.7 }, {}, false, "dropped"],
  ["cg", "sampling.temperature", { temperature: 0.7 }, config({ temperature: 0.7 }), false, "kept"],
  // Defaults say nothing.
  ["cm", "sampling.temperature", { temperature: 1 }, {}, false, "kept, converted"],
  ["cm", "sampling.temperature", { temperature: 1 }, {}, true, "dropped"],
  ["cg", "sampling.temperature", { temperature: 1 }, {}, false, "dropped"],
  ["mc", "sampling.temperature", {}, { temperature: 1 }, false, "kept, converted"],
  ["mc", "sampling.temperature", {}, { temperature: 0.2 }, false, "invented"],
  ["mc", "sampling.temperature", { temperature: 0 }, {}, false, "dropped"],
  ["cm", "choices", { n: 1 }, {}, false, "kept, converted"],
  ["cg", "choices", { n: 1 }, {}, false, "kept, converted"],
  ["cg", "choices", { n: 2 }, config({ candidateCount: 2 }), false, "kept"],
  ["cm", "choices", { n: 2 }, {}, false, "no-counterpart"],
  ["cg", "choices", { n: 2 }, {}, false, "dropped"],
  [
    "cc",
    "penalties",
    { presence_penalty: 0, frequency_penalty: 0.5 },
    { frequency_penalty: 0.5 },
    false,
    "kept, converted",
  ],
  ["cc", "penalties", { presence_penalty: 0.1, frequency_penalty: 0.5 }, { frequency_penalty: 0.5 }, false, "changed"],
  ["cg", "penalties", { presence_penalty: 0.1 }, config({ presencePenalty: 0.1 }), false, "kept"],
  ["cm", "penalties", { presence_penalty: 0.1 }, {}, false, "no-counterpart"],
  [
    "cg",
    "log-probabilities",
    { logprobs: true, top_logprobs: 2 },
    config({ responseLogprobs: true, logprobs: 2 }),
    false,
    "kept",
  ],
  [
    "cg",
    "log-probabilities",
    { logprobs: true, top_logprobs: 2 },
    config({ responseLogprobs: true }),
    false,
    "changed",
  ],
  ["cm", "log-probabilities", { logprobs: false }, {}, false, "kept, converted"],
  ["cc", "service-tier", { service_tier: "auto" }, {}, false, "kept, converted"],
  ["cm", "service-tier", { service_tier: "flex" }, {}, false, "no-counterpart"],
  // Null is as good as absent.
  ["cm", "seed", { seed: null }, {}, false, "nothing"],
  ["cg", "seed", { seed: 7 }, config({ seed: 7 }), false, "kept"],
  ["cg", "seed", { seed: 7 }, {}, false, "dropped"],
  ["gc", "seed", config({ seed: 7 }), { seed: "7" }, false, "changed"],
  // Bounds on tokens.
  ["cm", "limits.max-tokens", { max_completion_tokens: 90 }, { max_tokens: 90 }, false, "kept"],
  ["cc", "limits.max-tokens", { max_tokens: 90 }, { max_completion_tokens: 90 }, false, "kept"],
  ["cm", "limits.max-tokens", {}, { max_tokens: 4096 }, false, "kept, converted"],
  ["gc", "limits.max-tokens", {}, { max_tokens: 4096 }, false, "invented"],
  ["mc", "limits.max-tokens", { max_tokens: 90 }, { max_tokens: 900 }, false, "changed"],
  ["mc", "limits.max-tokens", { max_tokens: 90 }, {}, false, "dropped"],
  [
    "cm",
    "limits.max-tokens",
    { max_tokens: 90, reasoning_effort: "low" },
    { max_tokens: 2048, thinking: { type: "enabled", budget_tokens: 1024 } },
    false,
    "kept, converted",
  ],
  // Stop sequences.
  ["cm", "stop.sequences", { stop: "END" }, { stop_sequences: ["END"] }, false, "kept"],
  ["cm", "stop.sequences", { stop: "END" }, { stop_sequences: "END" }, false, "changed"],
  ["mm", "stop.sequences", { stop_sequences: "END" }, { stop_sequences: "END" }, false, "kept"],
  ["mc", "stop.sequences", { stop_sequences: ["END"] }, { stop: "END" }, false, "kept"],
  ["cg", "stop.sequences", { stop: "END" }, config({ stopSequences: "END" }), false, "kept"],
  ["mc", "cache-control", marked(2), marked(2), false, "kept, converted"],
  ["mc", "cache-control", marked(2), marked(1), false, "no-counterpart"],
  ["mc", "cache-control", marked(2), {}, false, "no-counterpart"],
  ["mc", "cache-control", {}, marked(1), false, "invented"],
  ["mc", "stop.sequences", { stop_sequences: ["b", "a"] }, { stop: ["a", "b"] }, false, "kept"],
  [
    "mc",
    "stop.sequences",
    { stop_sequences: ["1", "2", "3", "4", "5"] },
    { stop: ["1", "2", "3", "4"] },
    false,
    "kept, converted",
  ],
  [
    "mc",
    "stop.sequences",
    { stop_sequences: ["1", "2", "3", "4", "5"] },
    { stop: ["1", "2", "3", "4"] },
    true,
    "changed",
  ],
  ["mc", "stop.sequences", { stop_sequences: ["1", "2"] }, { stop: ["1"] }, false, "changed"],
  ["mc", "stop.sequences", { stop_sequences: ["1"] }, {}, false, "dropped"],
  // Who the user is.
  ["cm", "user", { user: "u-1" }, { metadata: { user_id: "u-1" } }, false, "kept"],
  ["cm", "user", { user: "u".repeat(300) }, { metadata: { user_id: "u".repeat(256) } }, false, "kept, converted"],
  ["cm", "user", { user: "u-1" }, {}, false, "dropped"],
  ["cg", "user", { user: "u-1" }, {}, false, "no-counterpart"],
  // Names that the document of the upstream does not have.
  ["mc", "sampling.top-k", { top_k: 4 }, {}, false, "no-counterpart"],
  ["mc", "sampling.top-k", { top_k: 4 }, { top_k: 4 }, false, "kept, converted"],
  ["mc", "sampling.top-k", { top_k: 4 }, { top_k: 4 }, true, "no-counterpart"],
  ["mc", "sampling.top-k", { top_k: 4 }, { top_k: 8 }, false, "changed"],
  ["cm", "metadata", { metadata: { topic: "rain" } }, { metadata: { user_id: "rain" } }, false, "no-counterpart"],
  // Streams.
  ["cm", "stream", { stream: true }, { stream: true }, false, "kept"],
  ["cg", "stream", { stream: true }, { stream: true }, false, "kept"],
  ["cm", "stream", { stream: true }, {}, false, "changed"],
  ["cm", "stream", {}, { stream: true }, false, "kept, converted"],
  [
    "cm",
    "stream.usage",
    { stream: true, stream_options: { include_usage: true } },
    { stream: true },
    false,
    "kept, converted",
  ],
  ["cc", "stream.usage", { stream: true, stream_options: { include_usage: true } }, { stream: true }, false, "dropped"],
  ["mc", "stream.usage", { stream: true }, { stream: true, stream_options: { include_usage: true } }, false, "nothing"],
  // Other kinds of output.
  [
    "cg",
    "modalities",
    { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } },
    config({
      responseModalities: ["AUDIO"],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } },
    }),
    false,
    "kept, converted",
  ],
  [
    "cg",
    "modalities",
    { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } },
    config({ responseModalities: ["AUDIO"] }),
    false,
    "changed",
  ],
  [
    "cm",
    "modalities",
    { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } },
    {},
    false,
    "no-counterpart",
  ],
  ["cm", "modalities", { modalities: ["text"] }, {}, false, "nothing"],
  [
    "gc",
    "modalities",
    config({ speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } } }),
    {},
    false,
    "kept, converted",
  ],
];

test.each(rows)("%s, %s: %j arrives as %j, strict %j: %s", (route, fact, asked, arrived, strict, outcome) => {
  expect(ofRequest(route, fact, asked, arrived, strict)).toBe(outcome);
});
