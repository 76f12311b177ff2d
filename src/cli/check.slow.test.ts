/** `touchstone check` of recordings that hold more than they should. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { touchstoneHere } from "./here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-check-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = "sk-proj-0123456789abcdefABCDEF";

/** A HAR file as a browser exports it, with the key wherever it passed. */
function har(name: string, path: string, body: object): string {
  const headers = [
    { name: "Authorization", value: `Bearer ${key}` },
    { name: "Content-Type", value: "application/json" },
  ];
  const entry = {
    startedDateTime: "2026-01-01T00:00:00.000Z",
    request: {
      method: "POST",
      url: `https://h.example${path}`,
      headers,
      postData: { mimeType: "application/json", text: JSON.stringify(body) },
    },
    response: {
      status: 401,
      headers: headers.slice(1),
      content: { mimeType: "application/json", text: JSON.stringify({ error: `no ${key}` }) },
    },
  };
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ log: { version: "1.2", entries: [entry] } }));
  return file;
}

const cassetteOf = (name: string, exchanges: readonly object[], header: object = {}): string => {
  const file = join(folder, name);
  const lines = [{ touchstone: 1, ...header }, ...exchanges];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
};
const asked = (body: object, headers: readonly (readonly string[])[] = []): object => ({
  request: {
    method: "POST",
    target: "/v1/chat/completions",
    headers: [["authorization", "Bearer [redacted]"], ["content-type", "application/json"], ...headers],
    body: { text: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...body }) },
  },
  response: null,
});

test("many exchanges with many warnings each are counted whole and told in part, the same with any number of jobs", async () => {
  const tools = Array.from({ length: 120 }, () => ({ type: "function", function: { name: "f" }, extra: 1 }));
  const file = cassetteOf(
    "many.jsonl",
    Array.from({ length: 20 }, () => asked({ tools })),
  );
  const check = async (...args: string[]): Promise<string> => (await touchstoneHere(["check", file, ...args])).stdout;
  const alone = await check("--format", "json", "--jobs", "1");
  expect(await check("--format", "json", "--jobs", "2")).toBe(alone);
  const { findings, groups, summary, complete } = JSON.parse(alone);
  expect(complete).toBe(true);
  expect(summary).toEqual({ exchanges: 20, errors: 0, warnings: 2400, notes: 0, unjudged: 0 });
  expect(findings).toHaveLength(100);
  expect(groups).toMatchObject([{ pointer: "/tools/*/extra", count: 2400, exchanges: 20, first: [0, 1, 2] }]);
  expect((await check("--format", "ndjson")).trimEnd().split("\n")).toHaveLength(2401);
  const text = await check();
  expect(text).toContain("… and 117 more like it");
  expect(text).toContain("2400 in 20 exchanges  warning  request body at /tools/*/extra");
  expect(text.split("\n").length).toBeLessThan(60);
});

test("a recording is a gate: what is expected passes, in the recording it is expected of; what is stale fails", async () => {
  const bad = cassetteOf("bad.jsonl", [asked({ temperature: 5 }), asked({ temperature: 5 })]);
  const good = cassetteOf("good.jsonl", [asked({ temperature: 1 })]);
  const file = join(folder, "expectations.json");
  const clause = "chat-completions.request.temperature-range";
  const check = (entry: object, ...more: string[]): ReturnType<typeof touchstoneHere> => {
    writeFileSync(file, JSON.stringify({ expectations: [{ clause, ...entry }] }));
    return touchstoneHere(["check", "--expectations", file, ...more]);
  };
  const reason = "The client is old.";
  const passed = await check({ reason }, bad, good);
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("conforms but for 1 known failure")]);
  for (const cassette of [bad, bad.replace(".jsonl", "")])
    expect((await check({ reason, cassette }, bad, good)).code).toBe(0);
  for (const entry of [{ reason, cassette: good }, { reason: "..." }, { reason, expires: "2020-01-01" }])
    expect((await check(entry, bad, good)).code).toBe(1);
  const stale = await check({ reason }, good);
  expect([stale.code, stale.stdout]).toEqual([1, expect.stringContaining(`STALE ${clause} is a known failure`)]);
  const parts: string[] = [];
  for (const i of [1, 2]) {
    const shard = await check({ reason, cassette: bad }, bad, good, "--shard", `${i}/2`, "--format", "json");
    const part = join(folder, `part-${i}.json`);
    writeFileSync(part, shard.stdout);
    parts.push(part);
  }
  const merged = await touchstoneHere(["report", ...parts, "--format", "json"]);
  expect(merged.code).toBe(0);
  expect(merged.stdout).toBe((await check({ reason, cassette: bad }, bad, good, "--format", "json")).stdout);
});

test("a check in which nothing was judged is no success, unless that is allowed", async () => {
  const file = har("other.har", "/robots.txt", {});
  const { code, stderr } = await touchstoneHere(["check", file]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^touchstone: nothing was judged: 1 exchange/m)]);
  expect((await touchstoneHere(["check", file, "--allow-empty"])).code).toBe(0);
});

test("headers of a vendor without its preset are told once, and not where names are bound", async () => {
  const vendor = [asked({}, [["OpenAI-Organization", "o"]]), asked({}, [["anthropic-version", "x"]])];
  const file = cassetteOf("vendor.jsonl", vendor);
  const hint = /openai-organization \(.*exchange 0\) is a vendor's; --preset vendors/g;
  const { stderr } = await touchstoneHere(["check", file]);
  expect(stderr.match(hint)).toHaveLength(1);
  expect(stderr).not.toContain("anthropic-version");
  const bound = cassetteOf("bound.jsonl", vendor, { bindings: { names: { "partner-version": "anthropic-version" } } });
  for (const args of [
    ["check", file, "--preset", "vendors"],
    ["check", bound, cassetteOf("own.jsonl", [asked({})])],
  ])
    expect((await touchstoneHere(args)).stderr).not.toContain("vendors");
});

test("a missing key in all requests of an import is told once for the file, and is no finding", async () => {
  const from = (imported?: string) =>
    [0, 1].map(() => {
      const { request, ...rest } = asked({}) as { request: object };
      return { request: { ...request, headers: [["content-type", "application/json"]] }, ...rest, imported };
    });
  const told = /requests carry no key \(the first is exchange 0\)/g;
  const [first, second] = [cassetteOf("first.jsonl", from("HAR")), cassetteOf("second.jsonl", from("VCR"))];
  const { code, stderr } = await touchstoneHere(["check", first, second]);
  expect([code, stderr.match(told)?.length]).toEqual([0, 2]);
  expect(stderr).toContain(`${second}: requests carry no key`);
  for (const args of [
    ["check", cassetteOf("live.jsonl", from())],
    ["check", first, "--bind", "credentials=kept"],
  ]) {
    const judged = await touchstoneHere(args);
    expect([judged.code, judged.stderr.match(told)]).toEqual([1, null]);
  }
});

test("an explained error carries its explanation in JSON, as in text", async () => {
  const parts = [{ type: "thinking", thinking: [] }];
  const file = cassetteOf("known.jsonl", [asked({ messages: [{ role: "assistant", content: parts }] })]);
  const { stdout } = await touchstoneHere(["check", file, "--preset", "vendors", "--format", "json"]);
  const { findings, groups, clauses } = JSON.parse(stdout);
  const clause = "chat-completions.conversation.assistant-content-parts";
  for (const list of [findings, groups])
    expect(list.find((one: { clause: string }) => one.clause === clause).diverges).toMatch(
      /^differs from the document, as/,
    );
  expect(clauses.find((one: { id: string }) => one.id === clause).diverges).toMatch(/^differs from the document, as/);
});

test.each(["text", "json", "ndjson"])("a key in somebody's HAR file is not in the report: %s", async (format) => {
  const body = { messages: [{ role: "user", content: "hi" }], api_key: key, mine: `it is ${key}` };
  const known = har("known.har", "/v1/chat/completions", body);
  const unknown = har("unknown.har", `/bot${key}/x`, body);
  const { code, stdout, stderr } = await touchstoneHere(["check", known, unknown, "--format", format]);
  expect(code).toBe(1);
  expect(stdout + stderr).not.toContain(key);
  expect(stdout).toContain("/mine");
  if (format !== "ndjson") expect(stdout).toMatch(/2 exchanges|"exchanges": ?2/);
});

test("a key in a path that nobody knows is not in the report of it", async () => {
  const { code, stdout, stderr } = await touchstoneHere([
    "check",
    har("unknown.har", `/bot${key}/x`, {}),
    "--allow-empty",
  ]);
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain(key);
  expect(stdout).toContain("exchange");
});
