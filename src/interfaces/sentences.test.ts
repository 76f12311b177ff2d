/** A finding says the demand of the sentence, what came, and the place that is wrong. */
import { describe, expect, test } from "vitest";
import type { Finding } from "../check/clause.ts";
import { streamed as chunks, judged, whole } from "./chat-completions/response.test-kit.ts";
import type { Data } from "./messages/examples/parts.ts";
import { ended, started, textBlock } from "./messages/examples/parts.ts";
import { asked, judgementOf, replied, streamed } from "./messages/judge.test-kit.ts";

const found = (findings: readonly Finding[], clause: string) =>
  findings
    .filter((finding) => finding.clause === clause)
    .map(({ pointer, expected, actual }) => [pointer, expected, actual]);

test.each([
  [{ top_p: -1 }, "top-p-range", "/top_p", "more than 0", "-1"],
  [{ top_p: 0 }, "top-p-range", "/top_p", "more than 0", "0"],
  [{ top_p: 2 }, "top-p-range", "/top_p", "less than 1", "2"],
  [{ max_tokens: 0 }, "max-tokens-range", "/max_tokens", "more than 1", "0"],
  [{ max_tokens: 1 }, "max-tokens-range", "/max_tokens", "more than 1", "1"],
  [{ temperature: -1 }, "temperature-range", "/temperature", "at least 0", "-1"],
])("a bound is said as its sentence says it: %j", (body: Data, clause, ...said) => {
  const { findings } = judgementOf(asked(body));
  expect(found(findings, `messages.request.${clause}`)).toEqual([said]);
});

describe("where no stop sequence was asked for, the stop reason is wrong, whatever stands beside it", () => {
  test.each([[null], ["END"]])("%j", (stop_sequence) => {
    const { findings } = judgementOf(replied({}, { stop_reason: "stop_sequence", stop_sequence }));
    expect(findings.filter(({ level }) => level === "error")).toMatchObject([
      { clause: "messages.response.stop-sequence-requested", pointer: "/stop_reason", actual: '"stop_sequence"' },
    ]);
  });
  test("one that was not asked for is wrong itself", () => {
    const reply = { stop_reason: "stop_sequence", stop_sequence: "OTHER" };
    const { findings } = judgementOf(replied({ stop_sequences: ["END"] }, reply));
    expect(found(findings, "messages.response.stop-sequence-requested")).toEqual([
      ["/stop_sequence", 'one of "END"', '"OTHER"'],
    ]);
  });
});

test("our own words stand without quotes", () => {
  const { findings } = judgementOf(streamed(started, ...textBlock(0, "Hi"), ...ended("end_turn").slice(0, 1)));
  for (const { actual } of findings) expect(actual).not.toMatch(/^"(?:no |the |an? )/);
  const reply = whole({}, {});
  const body = Buffer.from(`{"id":1,"id":2}`);
  const { findings: others } = judged({ ...reply, response: { ...reply.response!, body } });
  const twice = others.find(({ clause }) => clause.endsWith("duplicate-keys"));
  expect(twice?.actual).toBe("the member again");
});

const choice = (index: number) => ({ index, delta: { role: "assistant", content: "a" }, finish_reason: null });
const chunk = (...choices: object[]) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "chat-1",
  choices,
});

test("a chunk of one choice too many is wrong in its index, a whole reply in its count", () => {
  const stream = judged(chunks({}, [chunk(choice(0)), chunk(choice(7)), "data: [DONE]\n\n"])).findings;
  expect(found(stream, "chat-completions.exchange.choice-count")).toEqual([
    ["/choices/0/index", "0, the index of the only choice", "7"],
  ]);
  const message = { role: "assistant", content: "a", refusal: null };
  const choices = [0, 1].map((index) => ({ index, message, finish_reason: "stop", logprobs: null }));
  const reply = { id: "c", object: "chat.completion", created: 1, model: "chat-1", choices };
  expect(found(judged(whole({}, reply)).findings, "chat-completions.exchange.choice-count")).toEqual([
    ["/choices", "1 choice", "2 choices"],
  ]);
});
