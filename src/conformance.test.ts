/** Holds what tests of `conformance()` are called, and how each of them ends. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ConformanceOptions, type ConformanceTarget, declareConformance, type TestRunner } from "./conformance.ts";
import { serve } from "./index.ts";
import { json, recordedAnswers, recordings } from "./run/run.test-kit.ts";
import { type Handler, listen } from "./wire/listen.ts";

class Skipped extends Error {}

/** Declares and runs tests as vitest does; how each of them ended, by its title behind those of its blocks. */
async function ended(target: ConformanceTarget, options?: ConformanceOptions): Promise<Record<string, string>> {
  const [before, after]: (() => Promise<void>)[][] = [[], []];
  const tests = new Map<string, () => Promise<string>>();
  let blocks: (() => void | Promise<void>)[] = [];
  const path: string[] = [];
  const block = (title: string, declare: () => void | Promise<void>): void =>
    void blocks.push(async () => {
      const outer = blocks;
      blocks = [];
      path.push(title);
      await declare();
      for (const inner of blocks) await inner();
      path.pop();
      blocks = outer;
    });
  const skip = (note = ""): never => {
    throw new Skipped(note);
  };
  const runner: TestRunner = {
    describe: Object.assign(block, { concurrent: block }),
    test: {
      concurrent: (title, _options, run) =>
        void tests.set([...path, title].join(" > "), () =>
          run({ skip, expect }).then(
            () => "passed",
            (error) => (error instanceof Skipped ? `skipped: ${error.message}` : (error as Error).stack!),
          ),
        ),
    },
    beforeAll: (run) => void before!.push(run),
    afterAll: (run) => void after!.push(run),
  };
  declareConformance(runner, target, options);
  for (const declare of blocks) await declare();
  try {
    for (const run of before!) await run();
    const outcomes: Record<string, string> = {};
    for (const [title, run] of tests) outcomes[title] = await run();
    return outcomes;
  } finally {
    for (const run of after!) await run();
  }
}

async function reference(broken: readonly string[] = []): Promise<string> {
  const server = await serve({ break: broken });
  onTestFinished(() => server.close());
  return server.url;
}

async function server(handler: Handler): Promise<string> {
  const { url, close } = await listen(handler);
  onTestFinished(close);
  return url;
}

test("a test a recording passes, and what the target lacks is skipped with the reason", async () => {
  const url = await reference();
  expect(await ended(url, { interfaces: ["images"], lacks: ["url", "edits"] })).toEqual({
    [`conformance of ${url} > images > generations > hd`]: "passed",
    [`conformance of ${url} > images > generations > one url`]: "passed",
    [`conformance of ${url} > images > generations > two base64`]: "passed",
    [`conformance of ${url} > images > generations > wide`]: "passed",
    [`conformance of ${url} > images > edits > low quality`]: "skipped: the target lacks edits",
    [`conformance of ${url} > images > edits > several images`]: "skipped: the target lacks edits",
    [`conformance of ${url} > images > edits > tall`]: "skipped: the target lacks edits",
    [`conformance of ${url} > images > edits > two base64`]: "skipped: the target lacks edits",
    [`conformance of ${url} > images > edits > with mask`]: "skipped: the target lacks edits",
    [`conformance of ${url} > images > variations > one`]: "passed",
    [`conformance of ${url} > images > variations > two urls`]: "skipped: the target lacks url",
    [`conformance of ${url} > images > credentials > missing key`]: "passed",
    [`conformance of ${url} > images > refusals > eleven`]: "passed",
    [`conformance of ${url} > images > refusals > gif variation`]: "passed",
  });
});

test("a failure is what was found in the answers to its recording, without frames of ours", async () => {
  const url = await reference(["messages.response.stop-reason-values"]);
  const scenario = ["messages/response/text", "messages/response/thinking"];
  const { "conformance > messages > whole replies > text": text, ...others } = await ended(() => url, { scenario });
  expect(text).toMatch(
    /^Error: messages\/response\/text\.json: 1 clause fails\n\nFAIL messages\.response\.stop-reason-values\n/,
  );
  expect(text).toContain(
    "messages/response/text.json, exchange 0: response body at /stop_reason\n    expected  one of",
  );
  expect(text).toContain(
    `touchstone run ${url} --clause messages.response.stop-reason-values --scenario messages/response/text`,
  );
  expect(text).not.toContain("    at ");
  expect(Object.values(others).join()).toContain("Error: messages/response/thinking.json: 1 clause fails");
});

test("a known failure is skipped with its reason, in this recording alone", async () => {
  const url = await reference(["messages.response.stop-reason-values"]);
  const folder = mkdtempSync(join(tmpdir(), "touchstone-conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const expectations = join(folder, "expectations.json");
  const entry = {
    clause: "messages.response.stop-reason-values",
    cassette: "messages/response/text",
    reason: "since May",
  };
  writeFileSync(expectations, JSON.stringify({ expectations: [entry] }));
  const scenario = ["messages/response/text", "messages/response/thinking"];
  const outcomes = await ended(() => url, { scenario, expectations });
  expect(outcomes["conformance > messages > whole replies > text"]).toBe("skipped: known failure: since May");
  expect(outcomes["conformance > messages > whole replies > thinking"]).toContain("1 clause fails");
});

test("a request that is refused fails, with what to say where the target does not offer it", async () => {
  const answer = recordedAnswers();
  const url = await server((request) =>
    Buffer.from(request.body).includes('"tools"') ? json({ error: { message: "no tools" } }, 501) : answer(request),
  );
  const outcomes = await ended(() => url, { recordings, interfaces: ["chat-completions"] });
  const { "conformance > chat-completions > tools > round trip": refused, ...others } = outcomes;
  expect(refused).toContain("Error: chat-completions/tools/round-trip.json: ");
  expect(refused).toContain("not answered as recorded");
  expect(refused).toContain("If the target does not offer it, say so: --lacks ");
  expect(new Set(Object.values(others))).toEqual(new Set(["passed"]));
});

test("an interface that the target does not have is skipped", async () => {
  const answer = recordedAnswers();
  const url = await server((request) =>
    request.target.startsWith("/v1/messages") ? json({ error: { message: "no such path" } }, 404) : answer(request),
  );
  const outcomes = await ended(() => url, { recordings, interfaces: ["chat-completions", "messages"] });
  expect(outcomes["conformance > messages > whole replies > text"]).toMatch(
    /^skipped: messages: the target has no operation of it: it answered POST \/v1\/messages with 404/,
  );
  expect(outcomes["conformance > chat-completions > whole replies > text"]).toBe("passed");
});

test("a test whose model did not do what it is about is skipped", async () => {
  const message = { role: "assistant", content: "Paris.", refusal: null };
  const url = await server(() =>
    json({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "m",
      choices: [{ index: 0, message, finish_reason: "stop", logprobs: null }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  );
  const scenario = ["chat-completions/response/token-bound", "chat-completions/response/text"];
  expect(await ended(() => url, { scenario })).toEqual({
    "conformance > chat-completions > whole replies > text": "passed",
    "conformance > chat-completions > whole replies > token bound":
      "skipped: no verdict: the model did not reach the token bound",
  });
});

test("groups of probes are tests where they are asked for", async () => {
  const url = await reference();
  const options = { interfaces: ["messages"], section: ["messages/auth"], probes: "cheap" } as const;
  const outcomes = await ended(() => url, options);
  expect(outcomes["conformance > messages > credentials > missing key"]).toBe("passed");
  const probed = Object.entries(outcomes).filter(([title]) => title.startsWith("conformance > messages > probes > "));
  expect(probed.length).toBeGreaterThan(0);
  expect(new Set(probed.map(([, outcome]) => outcome))).toEqual(new Set(["passed"]));
});

test("a fault in the options or the target is told once, with what to do", async () => {
  await expect(ended("http://127.0.0.1:9", { section: ["nowhere"] })).rejects.toThrow(
    /^--section nowhere: there is no such section\n/,
  );
  await expect(ended("http://127.0.0.1:9", { scenario: ["messages/response/text"] })).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:9 cannot be reached: .*\nStart the target/,
  );
  await expect(ended("http://127.0.0.1:9", { interfaces: ["messages"], section: ["images/edits"] })).rejects.toThrow(
    /^no recording and no probe fits these filters\n/,
  );
});
