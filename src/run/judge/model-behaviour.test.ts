/** A clause that needs the model's help gets no verdict without it: the request is sent again, a few times. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chatCompletions } from "../../interfaces/chat-completions/index.ts";
import { generateContent } from "../../interfaces/generate-content/index.ts";
import { messages } from "../../interfaces/messages/index.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import type { WireResponse } from "../../wire/exchange.ts";
import type { Handler } from "../../wire/listen.ts";
import { json, recordedAnswers, recordings, resultsOf, serve } from "../run.test-kit.ts";
import { deedsOf } from "./model-behaviour.ts";

const plain = JSON.parse(readFileSync(join(recordings, "chat-completions/response/text.json"), "utf8")).exchanges[0]
  .response.body.json;

/** Answers text where a tool was to be called, the first `times`. */
function shy(times: number): { readonly handler: Handler; readonly asked: () => number } {
  const good = recordedAnswers();
  let asked = 0;
  const handler: Handler = (request) => {
    const text = Buffer.from(request.body).toString();
    if (!text.includes("tool_choice") || text.includes(`"role":"tool"`)) return good(request);
    return ++asked <= times ? json(plain) : good(request);
  };
  return { handler, asked: () => asked };
}

const askTools = async (handler: Handler, ...args: string[]): Promise<{ code: number | null; results: RunResults }> =>
  resultsOf(await serve(handler), "--interface", "chat-completions", "--shrink", "0", ...args);

test("a model that calls the tool when asked once more shows all that the scenario was to show", async () => {
  const { handler, asked } = shy(2);
  const { results } = await askTools(handler);
  expect(results.clauses.filter(({ needs }) => needs?.some((need) => need.startsWith("the model")))).toEqual([]);
  // Once before the run, then until it calls.
  expect(asked()).toBeLessThanOrEqual(4);
  const { clauses } = results;
  expect(clauses.find(({ id }) => id === "chat-completions.response.tool-call-id-required")?.verdict).toBe("pass");
});

test("a model that never calls the tool leaves no verdict, which says so, and fails nothing but the rule that demands a call", async () => {
  const { handler, asked } = shy(Number.POSITIVE_INFINITY);
  const { results } = await askTools(handler);
  const open = results.clauses.filter(({ needs }) => needs?.includes("the model did not call the tool"));
  expect(open.length).toBeGreaterThan(0);
  expect(new Set(open.map(({ verdict }) => verdict))).toEqual(new Set(["no-verdict"]));
  expect(results.incidents).toEqual([]);
  const failing = results.clauses.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  expect(failing).toEqual(["chat-completions.exchange.tool-choice-required"]);
  expect(asked()).toBeLessThanOrEqual(4);
  const once = shy(Number.POSITIVE_INFINITY);
  await askTools(once.handler, "--retries", "0");
  expect(once.asked()).toBeLessThan(asked());
});

test.each([
  [chatCompletions, "call the tool", { choices: [{ message: { tool_calls: [{}] } }] }],
  [chatCompletions, "call the tool", { choices: [{ message: { function_call: { name: "f" } } }] }],
  [messages, "call the tool", { content: [{ type: "tool_use", input: {} }] }],
  [generateContent, "call the tool", { candidates: [{ content: { parts: [{ functionCall: { name: "f" } }] } }] }],
  [messages, "meet the stop sequence", { stop_reason: "stop_sequence" }],
  [chatCompletions, "reach the token bound", { choices: [{ finish_reason: "length" }] }],
  [generateContent, "reach the token bound", { candidates: [{ finishReason: "MAX_TOKENS" }] }],
  [
    chatCompletions,
    undefined,
    { choices: [{ message: { tool_calls: [], content: "tool_use" }, finish_reason: "stop" }] },
  ],
] as const)("of $0.name: that a model did $1 is seen in a whole reply and in a stream", (of, deed, reply) => {
  const said = (text: string): WireResponse => ({ status: 200, headers: [], body: Buffer.from(text) });
  const expected = deed === undefined ? [] : [deed];
  expect([...deedsOf(said(JSON.stringify(reply)), of.replies!.actions!)]).toEqual(expected);
  expect([
    ...deedsOf(said(`data: {}\n\ndata: ${JSON.stringify(reply)}\n\ndata: [DONE]\n\n`), of.replies!.actions!),
  ]).toEqual(expected);
});
