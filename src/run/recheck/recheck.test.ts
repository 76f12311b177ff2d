/** Failures are sent again on real sockets: with ever smaller requests, or until they pass. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { touchstoneHere } from "../../cli/here.test-kit.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import type { Handler } from "../../wire/listen.ts";
import { folder, json, recordings, serve } from "../run.test-kit.ts";
import { run } from "../run.ts";
import { firstFailures, maxRechecks } from "./recheck.ts";

const clause = "chat-completions.response.object-value";
const source = "chat-completions/response/text.json";
const sample = JSON.parse(readFileSync(join(recordings, source), "utf8"));
const { json: question } = sample.exchanges[0].request.body;
const { json: answer } = sample.exchanges[0].response.body;

/** The sample whose request has these members besides its own. */
function recordingsWith(name: string, members: object): string {
  const own = join(folder, name);
  mkdirSync(join(own, "chat-completions", "response"), { recursive: true });
  const [{ request, ...rest }] = sample.exchanges;
  const exchanges = [{ ...rest, request: { ...request, body: { json: { ...question, ...members } } } }];
  writeFileSync(join(own, source), JSON.stringify({ ...sample, exchanges }));
  return own;
}

/** Answers wrongly where `isWrong` says so of the body; counts what comes. */
async function serving(
  isWrong: (body: Record<string, unknown>, count: number) => boolean,
): Promise<{ url: string; bodies: object[] }> {
  const bodies: object[] = [];
  const handler: Handler = ({ body }) => {
    const asked = JSON.parse(Buffer.from(body).toString());
    bodies.push(asked);
    return json({ ...answer, ...(isWrong(asked, bodies.length) && { object: "nothing" }) });
  };
  return { url: await serve(handler), bodies };
}

const others = Object.fromEntries(
  Array.from({ length: 40 - Object.keys(question).length - 1 }, (_, i) => [`x_${i}`, { i }]),
);

test("three members that matter are shown of a request with forty", async () => {
  const { url, bodies } = await serving((body) => body["temperature"] === 0.5);
  const own = recordingsWith("forty", { ...others, temperature: 0.5 });
  const { again, clauses, summary } = await run(url, { recordings: own, shrink: "free", clause: [clause] });
  expect(clauses).toEqual([{ id: clause, verdict: "fail", exercised: 1, failed: 1 }]);
  // A recheck is no evidence.
  expect(summary.exchanges).toBe(1);
  expect(again).toMatchObject([{ clause, source, exchange: 0, asked: 2, failed: 2 }]);
  const { curl, bytes, from, requests } = again![0]!.smallest!;
  const { messages } = question;
  const body = /--data-binary '(.*)'$/s.exec(curl)![1]!;
  expect(Object.keys(JSON.parse(body)).sort()).toEqual(["messages", "model", "temperature"]);
  expect(JSON.parse(body).messages.length).toBeLessThanOrEqual(messages.length);
  expect({ bytes: Buffer.byteLength(body), isSmaller: bytes < from }).toEqual({ bytes, isSmaller: true });
  // A first question, the recording, the same again, and those that were tried.
  expect(bodies).toHaveLength(3 + requests);
  expect(requests).toBeLessThan(40);
  const sent = (wanted: string): boolean => bodies.some((one) => JSON.stringify(one) === wanted);
  expect(sent(body)).toBe(true);
  // Without a model or messages a request breaks rules of its own.
  expect(bodies.every((one) => "model" in one && "messages" in one)).toBe(true);
});

test("no more requests are spent on a failure than --shrink says, and none by default on what may cost", async () => {
  const { url, bodies } = await serving((body) => "temperature" in body);
  const own = recordingsWith("few", { ...others, temperature: 0.5 });
  const few = await run(url, { recordings: own, shrink: 4, clause: [clause] });
  expect(few.again![0]!.smallest!.requests).toBe(3);
  expect(bodies).toHaveLength(2 + 4);
  expect((await run(url, { recordings: own, clause: [clause] })).again).toBeUndefined();
  expect(maxRechecks({ shrink: "free" }, "http://[::1]:80/v1")).toBe(40);
  expect(maxRechecks({ shrink: "free" }, undefined)).toBe(40);
  expect(maxRechecks({ shrink: "free" }, "https://api.example.com")).toBe(0);
  expect(maxRechecks({ shrink: "free", maxRequests: 9 }, "http://127.0.0.1")).toBe(0);
  expect(maxRechecks({ shrink: 7 }, "https://api.example.com")).toBe(7);
});

test("the smallest request that is refused alike is found", async () => {
  const { url } = await serving(() => false);
  const own = recordingsWith("refused", { ...others, temperature: 0.5 });
  let count = 0;
  const refusing = await serve(({ body }) => {
    const asked = JSON.parse(Buffer.from(body).toString());
    // The first question is answered.
    return ++count > 1 && "temperature" in asked ? json({ error: { message: "no" } }, 500) : json(answer);
  });
  const { again, incidents } = await run(refusing, { recordings: own, shrink: "free" });
  expect(incidents).toMatchObject([{ kind: "server-error", source, exchange: 0 }]);
  expect(again).toMatchObject([{ problem: incidents[0]!.problem, source, exchange: 0, asked: 2, failed: 2 }]);
  const body = /--data-binary '(.*)'$/s.exec(again![0]!.smallest!.curl)![1]!;
  expect(Object.keys(JSON.parse(body)).sort()).toEqual(["messages", "model", "temperature"]);
  expect((await run(url, { recordings: own, shrink: "free" })).again).toBeUndefined();
});

test("a smaller request that is refused for another reason is no smaller form of the failure", async () => {
  const own = recordingsWith("reasons", { ...others, temperature: 0.5, seed: 7 });
  let count = 0;
  const refusing = await serve(({ body }) => {
    const asked = JSON.parse(Buffer.from(body).toString());
    if (++count === 1 || !("temperature" in asked)) return json(answer);
    const message = "seed" in asked ? `no such backend (request ${count})` : "a seed is missing";
    return json({ error: { message } }, 500);
  });
  const { again } = await run(refusing, { recordings: own, shrink: "free" });
  const body = /--data-binary '(.*)'$/s.exec(again![0]!.smallest!.curl)![1]!;
  expect(Object.keys(JSON.parse(body)).sort()).toEqual(["messages", "model", "seed", "temperature"]);
});

test("a failure that comes and goes still fails, and is told as flaky", async () => {
  // The first request is the first question.
  const { url } = await serving((_body, count) => count === 2);
  const own = recordingsWith("flaky", {});
  const args = ["run", url, "--recordings", own, "--clause", clause, "--verbose"];
  const { code, stdout } = await touchstoneHere(args);
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`FAIL ${clause}\\n.*flaky: passed when asked again \\(1 of 2\\)`, "s"));
  expect(stdout).not.toContain("minimal reproducer");
});

test("a folder with what was asked again verifies, and says that this part does not follow from it", async () => {
  const { url } = await serving((body) => "temperature" in body);
  const own = recordingsWith("kept", { ...others, temperature: 0.5 });
  const out = join(folder, "out-again");
  const ran = await touchstoneHere(["run", url, "--recordings", own, "--out", out, "--verbose"]);
  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(/minimal reproducer \(\d+ of \d+ bytes, found with \d+ requests\):\n +curl /);
  const results: RunResults = JSON.parse(readFileSync(join(out, "results.json"), "utf8"));
  expect(firstFailures(results).map((one) => one.clause)).toEqual(results.again!.map((one) => one.clause));
  for (const name of ["summary.md", "junit.xml"])
    expect(readFileSync(join(out, name), "utf8")).toContain("minimal reproducer");
  const verified = await touchstoneHere(["verify", out, "--recordings", own]);
  expect(verified.stdout).toContain("HOLDS");
  expect(verified.stdout).toContain(`Not verified: ${results.again!.length} failure`);
});
