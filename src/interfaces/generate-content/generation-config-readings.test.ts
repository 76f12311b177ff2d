/** Each reading that concerns the generation config has a level by default and a strict one. */
import { expect, test } from "vitest";
import { ask, candidate, config, levelsOf, type ReadingCase, reply, schemaOf, top } from "./readings.test-kit.ts";

const cases: readonly ReadingCase[] = [
  [
    "G-ALIAS",
    "validated through",
    ask({ generation_config: { top_k: "1" } }),
    "generation-config.top-k-type",
    "error",
    "error",
  ],
  [
    "G-JSON",
    "a schema without MIME type",
    ask(config({ responseSchema: { type: "OBJECT" } })),
    "generation-config.schema-needs-mime-type",
    "warning",
    "error",
  ],
  [
    "G-JSON",
    "no JSON",
    ask(schemaOf({ type: "OBJECT" }), reply([candidate({}, "no")])),
    "generation-config.json-output",
    "error",
    "error",
  ],
  [
    "G-JSON",
    "cut off",
    ask(schemaOf({ type: "OBJECT" }), reply([candidate({ finishReason: "MAX_TOKENS" }, "{")])),
    "generation-config.json-output",
    "off",
    "off",
  ],
  [
    "G-JSON",
    "another shape",
    ask(schemaOf({ type: "OBJECT" }), reply([candidate({}, "[]")])),
    "generation-config.schema-output",
    "warning",
    "error",
  ],
  [
    "G-CAND-COUNT",
    "more",
    ask(config({ candidateCount: 1 }), reply([candidate(), candidate({ index: 1 })])),
    "generation-config.candidate-count-kept",
    "error",
    "error",
  ],
  [
    "G-CAND-COUNT",
    "fewer",
    ask(config({ candidateCount: 2 }), reply([candidate()])),
    "generation-config.candidate-count-kept",
    "warning",
    "error",
  ],
  [
    "G-LOGPROBS",
    "logprobs alone",
    ask(config({ logprobs: 2 })),
    "generation-config.logprobs-needs-response-logprobs",
    "warning",
    "error",
  ],
  [
    "G-LOGPROBS",
    "more",
    ask(config({ logprobs: 1, responseLogprobs: true }), reply([candidate(top(2))])),
    "generation-config.logprobs-count",
    "error",
    "error",
  ],
  [
    "G-LOGPROBS",
    "fewer",
    ask(config({ logprobs: 3, responseLogprobs: true }), reply([candidate(top(2))])),
    "generation-config.logprobs-count",
    "off",
    "error",
  ],
  [
    "G-LOGPROBS",
    "none",
    ask(config({ responseLogprobs: true }), reply([candidate()])),
    "generation-config.logprobs-reported",
    "note",
    "error",
  ],
  ["G-NO-RANGE", "topP above 1", ask(config({ topP: 2 })), "generation-config.top-p-range", "off", "warning"],
  [
    "G-INT64",
    "a request's numeric text",
    ask(config({ topK: "12" })),
    "generation-config.top-k-type",
    "error",
    "error",
  ],
  [
    "G-SPEECH",
    "both",
    ask(config({ speechConfig: { voiceConfig: {}, multiSpeakerVoiceConfig: {} } })),
    "generation-config.one-voice-config",
    "warning",
    "error",
  ],
  [
    "X-INCLUSIVE",
    "an end of the range",
    ask(config({ temperature: 2 })),
    "generation-config.temperature-range",
    "off",
    "off",
  ],
];

test.each(cases)("%s, %s", (...one) => {
  expect(levelsOf(one)).toEqual([one[4], one[5]]);
});
