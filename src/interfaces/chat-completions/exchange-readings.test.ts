/** Each reading that concerns request and reply, lists or errors has a level by default and a strict one. */
import { expect, test } from "vitest";
import { call, choice, completion, usage } from "./examples/response.ts";
import {
  calls,
  end,
  first,
  json,
  list,
  logged,
  loud,
  type ReadingCase,
  reply,
  said,
  text,
  weather,
} from "./readings.test-kit.ts";
import { judged, outcomesOf, streamed, whole } from "./response.test-kit.ts";

const cases: readonly ReadingCase[] = [
  [
    "C-N-COUNT",
    "a choice too few",
    whole({ n: 3 }, completion([text, choice({ content: "Hi." }, "stop", { index: 1 })])),
    "exchange.choice-count",
    "error",
    "error",
  ],
  [
    "C-TIER",
    "null though asked",
    reply({ service_tier: null }, { service_tier: "flex" }),
    "exchange.service-tier-present",
    "warning",
    "error",
  ],
  [
    "C-TIER",
    "absent though asked",
    reply({}, { service_tier: "flex" }),
    "exchange.service-tier-present",
    "error",
    "error",
  ],
  [
    "C-TIER",
    "absent from a stream",
    streamed({ service_tier: "flex" }, [first, end, "[DONE]"]),
    "exchange.service-tier-present",
    "silent",
    "error",
  ],
  [
    "C-TIER",
    "auto as the tier used",
    reply({ service_tier: "auto" }, { service_tier: "auto" }),
    "exchange.service-tier-used",
    "silent",
    "error",
  ],
  [
    "C-LOGPROBS-NULL",
    "both null",
    logged({ content: null, refusal: null }),
    "exchange.logprobs-given",
    "error",
    "error",
  ],
  ["C-AUDIO-PRESENT", "a refusal instead", said({ refusal: "No." }, loud), "exchange.audio-present", "silent", "error"],
  ["C-AUDIO-PRESENT", "text instead", said({ content: "Hi." }, loud), "exchange.audio-present", "error", "error"],
  [
    "C-TOOL-NAME-DECLARED",
    "an undeclared tool",
    said({ tool_calls: [call("c", "launch", "")] }, weather, "tool_calls"),
    "exchange.tool-name-declared",
    "warning",
    "error",
  ],
  [
    "C-TOOL-NAME-DECLARED",
    "no tools at all",
    said(calls, {}, "tool_calls"),
    "exchange.no-tools-no-calls",
    "error",
    "error",
  ],
  [
    "C-LIST",
    "an extra member of another type",
    whole({}, list({ seed: "7" })),
    "lists.entry-member-types",
    "silent",
    "error",
  ],
  [
    "C-PARALLEL",
    "two calls at once",
    said(
      { tool_calls: [call("c", "get_weather", ""), call("d", "get_weather", "")] },
      { ...weather, parallel_tool_calls: false },
      "tool_calls",
    ),
    "exchange.parallel-tool-calls",
    "warning",
    "error",
  ],
  [
    "C-MAX-N",
    "the sum beyond the bound",
    whole({ n: 2, max_tokens: 3 }, completion([text, choice({ content: "Hi." }, "stop", { index: 1 })])),
    "exchange.token-bound",
    "silent",
    "error",
  ],
  [
    "C-OLD-MAX",
    "reasoning beyond max_tokens",
    whole(
      { max_tokens: 3 },
      completion([text], { usage: { ...usage, completion_tokens_details: { reasoning_tokens: 2 } } }),
    ),
    "exchange.token-bound",
    "warning",
    "error",
  ],
  [
    "C-OLD-MAX",
    "visible tokens beyond max_tokens",
    whole(
      { max_tokens: 1 },
      completion([text], { usage: { ...usage, completion_tokens_details: { reasoning_tokens: 2 } } }),
    ),
    "exchange.token-bound",
    "error",
    "error",
  ],
  [
    "C-JSON-MODE",
    "JSON that is no object",
    said({ content: "[]" }, json),
    "exchange.json-mode-object",
    "silent",
    "error",
  ],
  ["C-JSON-MODE", "JSON cut short", said({ content: "[" }, json, "length"), "exchange.json-mode", "silent", "silent"],
  ["C-ERRORS", "any error body", whole({}, "No.", 503), "errors.no-error-in-success", "silent", "silent"],
  [
    "C-ERRORS",
    "an error under a status of 300",
    whole({}, { error: "No." }, 302),
    "errors.failure-status",
    "warning",
    "warning",
  ],
];

test.each(cases)("%s, %s", (_reading, _what, exchange, clause, byDefault, strict) => {
  expect(outcomesOf(exchange, clause)).toEqual([byDefault, strict]);
});

test("whether chunks name the tier is no verdict, and says what would decide it", () => {
  const exchange = streamed({ service_tier: "flex" }, [first, end, "[DONE]"]);
  expect(judged(exchange).undecided.map(({ clause }) => clause)).toEqual([
    "chat-completions.exchange.service-tier-present",
  ]);
});
