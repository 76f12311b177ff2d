/** What a run makes of a baseline in every part of it: requests without an answer, known failures, shards, folders, keys, clients. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ended, touchstoneHere } from "../cli/here.test-kit.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import type { Handler } from "../wire/listen.ts";
import {
  alone,
  chat,
  closeStanding,
  comparedIn,
  faultyUpstream,
  gatewayTo,
  google,
  inBoth,
  messages,
  standing,
  through,
} from "./baseline.test-kit.ts";
import {
  folder,
  json,
  recordedAnswers,
  recordings,
  resultsOf,
  serve,
  spoilt,
  touchstone,
  twoLines,
} from "./run.test-kit.ts";

const fixed = join(folder, "upstream");
let upstream: string;
let gateway: string;
afterAll(closeStanding);
beforeAll(async () => {
  upstream = await standing(faultyUpstream());
  gateway = await standing(gatewayTo(upstream));
  expect((await touchstone([upstream, "--out", fixed])).code).toBe(1);
});

test("a target that adds no failure of its own conforms", async () => {
  const url = await serve(through(upstream));
  const { code, stdout } = await touchstone([url, "--baseline", fixed]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nconforms but for \d failures that also fail upstream as far as tested\n/);
});

test("a failure in requests that the baseline was not sent is not shown there, and fails the run", async () => {
  const part = join(folder, "part");
  await touchstone([upstream, "--section", "chat-completions/streaming", "--out", part]);
  const { code, stdout } = await touchstone([gateway, "--baseline", part, "--interface", "chat-completions"]);
  expect(code).toBe(1);
  expect(stdout).toContain("  not shown upstream\n");
  expect(stdout).toContain("The baseline was not sent 2 of the 3 recordings\n");
});

test("a clause that fails upstream for other requests names those that fail here alone", async () => {
  const good = recordedAnswers();
  const broken = spoilt(chat, (body: object) => ({ ...body, object: "completion" }), good);
  const isTool = (body: Uint8Array): boolean => Buffer.from(body).toString().includes("tools");
  const some = await serve((request) => (isTool(request.body) ? broken(request) : good(request)));
  const all = await serve(broken);
  const { results, code } = await resultsOf(all, "--baseline", some);
  expect(results.clauses.find(({ id }) => id === inBoth)!.upstream).toEqual({
    outcome: "differs",
    onlyIn: ["chat-completions/response/text.json"],
  });
  expect(code).toBe(1);
  const { code: mild } = await resultsOf(some, "--baseline", all);
  expect(mild).toBe(0);
});

test("a request that the upstream does not answer either is inherited, unless it fails in another way", async () => {
  const good = recordedAnswers();
  const failing =
    (status: number, path: string): Handler =>
    (request) =>
      request.target.includes(path) ? json({ error: { message: "no" } }, status) : good(request);
  const url = await serve(failing(500, messages));
  const same = await resultsOf(await serve(failing(502, messages)), "--baseline", url);
  expect(comparedIn(same.results).incidents).toEqual([["messages/response/text.json", "fails"]]);
  expect(same.code).toBe(0);
  const other = await resultsOf(await serve(failing(409, messages)), "--baseline", url);
  expect(comparedIn(other.results).incidents).toEqual([["messages/response/text.json", "differs"]]);
  const own = await resultsOf(await serve(failing(500, google)), "--baseline", url);
  expect(comparedIn(own.results).incidents).toEqual([["generate-content/response/text.json", "passes"]]);
  expect(own.code).toBe(1);
  const { stdout } = await touchstone([await serve(failing(500, google)), "--baseline", url]);
  expect(stdout.replace(/\s+/g, " ")).toContain("(does not fail upstream)");
  expect(stdout).toContain("Fails upstream and not here: 1 recording not answered as recorded");
});

test("annotations of GitHub leave out what also fails upstream", async () => {
  const { stderr } = await touchstone([gateway, "--baseline", fixed], { GITHUB_ACTIONS: "true" });
  expect(stderr).toContain(`title=${alone}::`);
  expect(stderr).not.toContain(inBoth);
});

test("the folder keeps the baseline, and verify holds both", async () => {
  for (const [name, baseline] of [
    ["asked", upstream],
    ["read", fixed],
  ] as const) {
    const out = join(folder, `kept-${name}`);
    await touchstone([gateway, "--baseline", baseline, "--out", out]);
    expect(existsSync(join(out, "baseline", "exchanges.jsonl"))).toBe(true);
    const verify = (): Promise<Ended> => touchstoneHere(["verify", out, "--recordings", recordings]);
    const held = await verify();
    expect(held.stdout).toContain("HOLDS: ");
    expect(held.stdout).not.toContain("baseline");
    const results = join(out, "baseline", "results.json");
    const text = readFileSync(results, "utf8");
    writeFileSync(results, replaceText(text, `"verdict": "fail"`, `"verdict": "pass"`));
    const changed = await verify();
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain("baseline/results.json");
    rmSync(join(out, "baseline"), { recursive: true });
    const without = await verify();
    expect(without.code).toBe(0);
    expect(without.stdout).toContain("Not verified: what the baseline came to; it is not kept here");
  }
});

test("verify finds a verdict that is blamed on the upstream without reason", async () => {
  const out = join(folder, "blamed");
  await touchstone([gateway, "--baseline", fixed, "--out", out]);
  const file = join(out, "results.json");
  const results = JSON.parse(readFileSync(file, "utf8"));
  results.clauses.find(({ id }: { id: string }) => id === alone).upstream.outcome = "fails";
  writeFileSync(file, JSON.stringify(results));
  const { code, stdout } = await touchstoneHere(["verify", out, "--recordings", recordings]);
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`results.json.*${alone}.*upstream`));
});

test("shards that are merged stand beside their baseline as one run does", async () => {
  const whole = await resultsOf(gateway, "--baseline", upstream);
  for (const baseline of [upstream, fixed]) {
    const outs = [1, 2].map((i) => join(folder, `shard-${i}-${baseline === fixed ? "read" : "asked"}`));
    for (const [i, out] of outs.entries())
      await touchstone([gateway, "--baseline", baseline, "--shard", `${i + 1}/2`, "--out", out]);
    const { code, stdout } = await touchstoneHere(["report", ...outs, "--format", "json"]);
    expect(code).toBe(1);
    expect(comparedIn(JSON.parse(stdout))).toEqual(comparedIn(whole.results));
  }
});

test("known failures need no entry for what also fails upstream", async () => {
  const file = join(folder, "expectations.json");
  const { code } = await touchstone([gateway, "--baseline", fixed, "--expectations", file, "--update-expectations"]);
  expect(code).toBe(1);
  const { expectations } = JSON.parse(readFileSync(file, "utf8"));
  expect(expectations.map(({ clause }: { clause: string }) => clause)).toEqual([alone]);
  writeFileSync(file, JSON.stringify({ expectations: [{ clause: alone, reason: "the gateway has its own words" }] }));
  const excused = await touchstone([gateway, "--baseline", fixed, "--expectations", file]);
  expect(excused.code).toBe(0);
  expect(excused.stdout).toContain("conforms but for 1 known failure and 1 failure that also fails upstream");
});

test("a target file names the baseline, and that of the upstream its key and headers", async () => {
  const keys: (string | undefined)[] = [];
  const heard: (string | undefined)[] = [];
  const answers = recordedAnswers();
  const url = await serve((request) => {
    const of = (wanted: string) => request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
    keys.push(of("authorization"));
    heard.push(of("x-tenant"));
    return answers(request);
  });
  const env = { TOUCHSTONE_KEY: "sk-of-the-gateway", UPSTREAM_KEY: "sk-of-the-upstream" };
  const file = join(folder, "gateway.json");
  writeFileSync(
    join(folder, "upstream.json"),
    JSON.stringify({ url, keys: { "*": "$UPSTREAM_KEY" }, headers: { "X-Tenant": "up" } }),
  );
  writeFileSync(file, JSON.stringify({ url: gateway, baseline: "upstream.json", headers: { "X-Tenant": "gate" } }));
  const chosen = ["--interface", "chat-completions", "--format", "json"];
  const { stdout } = await touchstone([file, ...chosen], env);
  expect(JSON.parse(stdout).baseline.url).toBe(url);
  expect(new Set(keys)).toEqual(new Set(["Bearer sk-of-the-upstream"]));
  expect(new Set(heard)).toEqual(new Set(["up"]));
  keys.splice(0);
  heard.splice(0);
  await touchstone([file, "--baseline", url, ...chosen], env);
  expect(keys.join()).not.toContain("gateway");
  expect(new Set(heard)).toEqual(new Set([undefined]));
});

test("--for counts a client as no failure that is not served upstream for the same reasons", async () => {
  const args = ["--for", "openai-stream", "--interface", "chat-completions"];
  const cut: Handler = async (request) => {
    const reply = await recordedAnswers()(request);
    const text = Buffer.concat(reply.pieces.map(({ bytes }) => bytes)).toString();
    return text.startsWith("data:") ? { ...reply, pieces: [{ bytes: Buffer.from("data: {}\n\n") }] } : reply;
  };
  const url = await serve(cut);
  const plain = await touchstone([await serve(cut), ...args]);
  expect(plain.stdout).toContain("openai-stream 6.49.0: not served (predicted)");
  expect(plain.code).toBe(1);
  const { code, stdout } = await touchstone([await serve(cut), ...args, "--baseline", url]);
  expect(stdout).toContain("not served, as upstream (predicted)");
  expect(code).toBe(0);
});

test("--dry-run sends the upstream nothing, and says that it would", async () => {
  let requests = 0;
  const url = await serve(() => {
    requests++;
    return json({});
  });
  const { stdout } = await touchstone([gateway, "--baseline", url, "--dry-run"]);
  expect(stdout).toContain(`; the baseline ${url} is sent the same first; nothing was sent\n`);
  expect(requests).toBe(0);
});

test("an upstream that does not listen, or refuses everything, ends the run and says whose it is", async () => {
  const gone = await touchstone([gateway, "--baseline", "http://127.0.0.1:9"]);
  expect(gone.code).toBe(2);
  expect(twoLines(gone.stderr)[0]).toMatch(/^touchstone: baseline: .*127\.0\.0\.1:9/);
  const refusing = await serve(() => json({ error: { message: "no such key" } }, 403));
  const { code, stderr } = await touchstone([gateway, "--baseline", refusing]);
  expect(code).toBe(2);
  expect(twoLines(stderr)[0]).toContain("baseline");
});
