/** A run ends where a bound on its time, its tokens or its costs is reached, and says how far it came. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { interfaceNamed } from "../check/interface.ts";
import { interfaces } from "../interfaces/index.ts";
import { usageOf } from "../interfaces/usage.ts";
import type { Handler } from "../wire/listen.ts";
import { folder, json, recordedAnswers, serve, touchstone, twoLines } from "./run.test-kit.ts";
import { pricesFrom } from "./send/usage-meter.ts";

/** Answers as recorded, each JSON answer with a million tokens in and two out; counts what comes. */
async function charging(): Promise<{ url: string; asked: () => number }> {
  const good = recordedAnswers();
  let asked = 0;
  const handler: Handler = async (request) => {
    asked++;
    const reply = await good(request);
    const text = Buffer.concat(reply.pieces.map(({ bytes }) => bytes)).toString();
    if (text.startsWith("data:")) return reply;
    return json(
      { ...JSON.parse(text), usage: { prompt_tokens: 1_000_000, completion_tokens: 2_000_000 } },
      reply.status,
    );
  };
  return { url: await serve(handler), asked: () => asked };
}
const alone = ["--interface", "chat-completions", "--concurrency", "1", "--retries", "0"];

test.each([
  [["--max-tokens", "3000000"], /bound on tokens, 3000000 of 3000000 used/],
  [["--max-cost", "5", "--price", "1/2.5"], /bound on costs, 6 of 5 spent/],
])("with %j nothing is asked after the answer that reaches it", async (bound, why) => {
  const { url, asked } = await charging();
  const out = join(folder, "bounded");
  const { code, stdout, stderr } = await touchstone([url, ...alone, ...bound, "--out", out]);
  expect({ code, stdout, asked: asked() }).toEqual({ code: 2, stdout: "", asked: 1 });
  expect(twoLines(stderr)[0]).toMatch(/^touchstone: stopped after 0 of \d recordings and groups of probes: /);
  expect(stderr).toMatch(why);
  expect(twoLines(stderr)[1]).toContain(`${out} holds the exchanges so far`);
  expect(JSON.parse(readFileSync(join(out, "results.json"), "utf8")).complete).toBe(false);
});

test("a run that stays below its bounds ends as ever, and tells what its answers used", async () => {
  const { url } = await charging();
  const { stdout, stderr } = await touchstone([url, ...alone, "--max-cost", "1000", "--price", "*=1/2.5"]);
  expect(stderr).toBe("");
  expect(stdout).toMatch(
    /Used, as the answers count: \d000000 tokens in, \d+000000 out, which cost \d+ by the prices given; 1 answer with success does not say\./,
  );
});

test("a run that time is up for ends though an answer never comes", async () => {
  const good = recordedAnswers();
  let asked = 0;
  const url = await serve((request) => (++asked < 3 ? good(request) : new Promise(() => {})));
  const { code, stderr } = await touchstone([url, ...alone, "--max-time", "1"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^touchstone: stopped after \d+ of \d recordings and groups of probes: bound on time, 1 s/);
  const silent = await serve(() => new Promise(() => {}));
  expect((await touchstone([silent, ...alone, "--max-time", "0.2"])).stderr).toMatch(/stopped after 0 of \d/);
});

test("bounds that nobody could keep are refused", async () => {
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await touchstone(["http://127.0.0.1:1", ...args]);
    expect({ code, lines: twoLines(stderr).length }).toEqual({ code: 2, lines: 2 });
    return stderr;
  };
  expect(await refused("--max-cost", "1")).toMatch(/--max-cost needs to know what chat-completions costs/);
  expect(await refused("--max-cost", "1", "--price", "3")).toMatch(/--price 3 is not INPUT\/OUTPUT/);
  expect(await refused("--max-tokens", "9", "--shrink", "5")).toMatch(/what --shrink asks is not counted/);
  expect(
    pricesFrom(["3/15", "images=5/40/0.04"], { messages: { input: 1, output: 2 } }, ["images", "messages"]),
  ).toEqual({
    "*": { input: 3, output: 15 },
    images: { input: 5, output: 40, image: 0.04 },
    messages: { input: 1, output: 2 },
  });
  expect(await refused("--price", "image=1/2")).toMatch(/a price for image, which is no interface/);
});

test.each([
  ["chat-completions", [{ usage: null }, { usage: { prompt_tokens: 3, completion_tokens: 4 } }], [3, 4, 0]],
  [
    "messages",
    [
      { type: "message_start", message: { usage: { input_tokens: 3, cache_read_input_tokens: 5, output_tokens: 1 } } },
      { type: "message_delta", usage: { output_tokens: 9 } },
    ],
    [8, 9, 0],
  ],
  [
    "generate-content",
    [
      { usageMetadata: { promptTokenCount: 2 } },
      { usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 7, thoughtsTokenCount: 1 } },
    ],
    [2, 8, 0],
  ],
  ["images", [{ data: [{ url: "a" }, { url: "b" }] }], [0, 0, 2]],
  ["images", [{ data: [{ b64_json: "a" }], usage: { input_tokens: 1, output_tokens: 2 } }], [1, 2, 0]],
])("a reply of %s counts what it used", (of, values, [input, output, images]) => {
  expect(usageOf(interfaceNamed(interfaces, of), values)).toEqual({ input, output, images });
  expect(usageOf(interfaceNamed(interfaces, of), [{}, null, "text"])).toBeUndefined();
});
