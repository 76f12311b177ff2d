/** Values of the right type that cannot be right warn, and are errors under a strict reading; what only looks odd passes. */
import { describe, expect, test } from "vitest";
import type { Exchange } from "../wire/exchange.ts";
import { call, choice, completion, entry, tool, usage } from "./chat-completions/examples/response.ts";
import { chunk } from "./chat-completions/examples/stream.ts";
import { judged, outcomesOf, streamed, whole } from "./chat-completions/response.test-kit.ts";
import { ask, candidate, catalogue, config, levelOf, reply } from "./generate-content/readings.test-kit.ts";

const text = choice({ content: "Hello there!" });
const counted = (more: object): Exchange => whole({}, completion([text], { usage: { ...usage, ...more } }));
const logged = (content: string, entries: readonly object[], asked: object = {}): Exchange =>
  whole(
    { logprobs: true, top_logprobs: 2, ...asked },
    completion([choice({ content }, "stop", { logprobs: { content: entries, refusal: null } })]),
  );
const calling = (...ids: string[]): Exchange =>
  whole(
    { tools: [tool("get_weather")] },
    completion([choice({ tool_calls: ids.map((id) => call(id, "get_weather", "Oslo")) }, "tool_calls")]),
  );
const december = Date.UTC(2024, 11, 31, 23, 59) / 1000;
const sent = (created: number, more: Partial<Exchange>, date?: string): Exchange => {
  const exchange = whole({}, completion([text], { created }));
  const headers = [...exchange.response!.headers, ...(date ? [["Date", date] as const] : [])];
  return { ...exchange, started: december * 1000, response: { ...exchange.response!, headers }, ...more };
};
const cut = (asked: object, total: number): Exchange =>
  whole(
    asked,
    completion([choice({ content: "Once" }, "length")], {
      usage: { prompt_tokens: total - 1, completion_tokens: 1, total_tokens: total },
    }),
  );
const pieces = (...calls: object[]): Exchange =>
  streamed({ tools: [tool("get_weather")] }, [
    chunk({ role: "assistant", content: null }),
    ...calls.map((one) => chunk({ tool_calls: [one] })),
    chunk({}, "tool_calls"),
    "[DONE]",
  ]);
const opening = { type: "function", function: { name: "get_weather", arguments: "" } };

describe("cannot be right", () => {
  test.each<[string, string, Exchange]>([
    ["a negative count", "tokens-not-negative", counted({ prompt_tokens: -1, total_tokens: 3 })],
    [
      "more cached than prompt tokens",
      "prompt-details-within-prompt",
      counted({ prompt_tokens_details: { cached_tokens: 10 } }),
    ],
    [
      "more reasoning than completion tokens",
      "completion-details-within-completion",
      counted({ completion_tokens_details: { reasoning_tokens: 5 } }),
    ],
    [
      "more log probabilities than completion tokens",
      "logprobs-counted",
      logged(
        "a b c d e",
        ["a", " b", " c", " d", " e"].map((one) => entry(one, -0.1)),
      ),
    ],
    ["a probability above one", "logprob-not-above-zero", logged("Hi", [entry("Hi", 0.5)])],
    ["tokens of another text", "logprobs-spell-content", logged("Hello", [entry("Good", -0.1), entry("bye", -0.1)])],
    ["a token too few", "logprobs-spell-content", logged("Hello there", [entry("Hello", -0.1)])],
    ["a creation two days ago", "created-near-exchange", sent(december - 2 * 86_400, {})],
    ["no id", "id-not-empty", whole({}, completion([text], { id: "" }))],
    ["a call without id", "tool-call-id-not-empty", calling("")],
    ["two calls of one id", "tool-call-id-distinct", calling("call_1", "call_1")],
    ["cut short for no reason", "length-without-bound", cut({}, 20)],
  ])("%s", (_what, clause, exchange) => {
    expect(outcomesOf(exchange, `plausible.${clause}`)).toEqual(["warning", "error"]);
  });
});

describe("passes", () => {
  test.each<[string, string, Exchange]>([
    [
      "as many cached as prompt tokens",
      "prompt-details-within-prompt",
      counted({ prompt_tokens_details: { cached_tokens: 9 } }),
    ],
    ["a logarithm that rounding put above zero", "logprob-not-above-zero", logged("Hi", [entry("Hi", 1e-7)])],
    [
      "tokens of an end and a stop sequence behind the text",
      "logprobs-spell-content",
      logged("Hello", [entry("Hello", -0.1), entry(" END", -0.1), entry("<|end|>", -0.1)], { stop: "END" }),
    ],
    [
      "a token that is half a character, without bytes",
      "logprobs-spell-content",
      logged(
        "é",
        ["\ufffd", "\ufffd"].map((one) => ({ token: one, logprob: -1, bytes: null, top_logprobs: [] })),
      ),
    ],
    [
      "a creation time where the recorder's clock is wrong",
      "created-near-exchange",
      sent(december + 9e6, {}, new Date((december + 9e6) * 1000).toUTCString()),
    ],
    [
      "a creation time of what was imported under a time of its own",
      "created-near-exchange",
      sent(december - 9e6, { imported: "HAR" }),
    ],
    ["a time in milliseconds, which another clause finds", "created-near-exchange", sent(december * 1000, {})],
    [
      "a first chunk that has no choices yet",
      "id-not-empty",
      streamed({}, [
        { ...chunk({}), id: "", choices: [] },
        chunk({ role: "assistant", content: "Hi" }),
        chunk({}, "stop"),
        "[DONE]",
      ]),
    ],
    [
      "an id that only the first piece of a call carries",
      "tool-call-id-not-empty",
      pieces({ index: 0, id: "call_1", ...opening }, { index: 0, id: "", function: { arguments: "{}" } }),
    ],
    [
      "pieces of a call that repeat its id, without index",
      "tool-call-id-distinct",
      pieces({ id: "call_1", ...opening }, { id: "call_1", function: { arguments: "{}" } }),
    ],
    ["a cut at the bound that was asked for", "length-without-bound", cut({ max_tokens: 1 }, 20)],
    ["a cut under a bound by another name", "length-without-bound", cut({ num_predict: 1 }, 20)],
    ["a cut where a model's own bound may be", "length-without-bound", cut({}, 4096)],
  ])("%s", (_what, clause, exchange) => {
    expect(outcomesOf(exchange, `plausible.${clause}`)[0]).toBe("silent");
  });
});

test("a creation time is judged where the exchange has a clock", () => {
  const index = catalogue.indexOf("chat-completions.plausible.created-near-exchange");
  const exercised = (exchange: Exchange) => judged(exchange).exercised[index];
  expect(exercised(sent(december, {}))).toBe(1);
  expect(exercised(sent(december, { imported: "HAR" }))).toBe(0);
});

test("counts of a generated reply are held against each other", () => {
  const counts = { promptTokenCount: 4, candidatesTokenCount: 2, totalTokenCount: 6 };
  const level = (more: object): string =>
    levelOf(
      ask({}, reply([candidate()], { usageMetadata: { ...counts, ...more } })),
      "plausible.details-within-counts",
      { strict: new Set(), openEnums: false },
    );
  expect(level({ cachedContentTokenCount: 4 })).toBe("off");
  expect(level({ cachedContentTokenCount: 5 })).toBe("warning");
  expect(level({ promptTokensDetails: [{ modality: "AUDIO", tokenCount: 5 }] })).toBe("warning");
  // Thoughts are counted beside the candidates.
  expect(level({ thoughtsTokenCount: 50, totalTokenCount: 56 })).toBe("off");
  const short = (asked: Record<string, unknown>): string =>
    levelOf(ask(asked, reply([candidate({ finishReason: "MAX_TOKENS" })])), "plausible.length-without-bound", {
      strict: new Set(),
      openEnums: false,
    });
  expect(short({})).toBe("warning");
  expect(short(config({ maxOutputTokens: 1 }))).toBe("off");
});
