/** Whole runs against small servers: what is not offered, expected failures, shards, rate limits. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Handler, Reply } from "../wire/listen.ts";
import {
  folder,
  json,
  recordedAnswers,
  resultsOf,
  serve,
  spoilt,
  touchstone,
  touchstoneProcess,
} from "./run.test-kit.ts";

test("refusals of what is not offered at all fail nothing, and the last line names it; --lacks leaves it out", async () => {
  const good = recordedAnswers();
  const noTools: Handler = (request) =>
    request.target.endsWith("/chat/completions") && Buffer.from(request.body).includes("tool_choice")
      ? json({ error: { message: "no tools here" } }, 400)
      : good(request);
  const url = await serve(noTools);
  const refused = await resultsOf(url, "--interface", "chat-completions");
  expect(refused.code).toBe(0);
  const explainedBy = "chat-completions/tools";
  expect(refused.results.incidents).toMatchObject([
    { source: `${explainedBy}/round-trip.json`, exchange: 0, kind: "refused", explainedBy },
  ]);
  expect(refused.results.incidents[0]!.needs).toContain("tools");
  const { stdout } = await touchstone([url, "--interface", "chat-completions"]);
  expect(stdout).toContain("conforms as far as offered; not offered: tools");
  const alone = await touchstone([url, "--interface", "chat-completions", "--section", "tools"]);
  expect([alone.code, alone.stdout]).toEqual([2, expect.stringContaining("INCOMPLETE: every request was refused")]);
  const lacking = await resultsOf(url, "--interface", "chat-completions", "--lacks", "tools");
  expect(lacking.code).toBe(0);
  expect(lacking.results.clauses.filter(({ verdict }) => verdict === "skipped").length).toBeGreaterThan(0);
});

test("expected failures do not fail the run; stale ones do; --update-expectations rewrites and keeps reasons", async () => {
  const url = await serve(
    spoilt("/v1/images/generations", (body: { created: unknown }) => void (body.created = "today")),
  );
  const file = join(folder, "expectations.json");
  const args = [url, "--interface", "images", "--expectations", file];
  const created = await touchstone([...args, "--update-expectations"]);
  expect(created.code).toBe(1);
  expect(created.stdout).toContain("no reason images.response.created-type: its entry excuses nothing until");
  const written = JSON.parse(readFileSync(file, "utf8"));
  expect(written.expectations.map(({ clause }: { clause: string }) => clause)).toEqual([
    "images.response.created-type",
  ]);
  written.expectations[0].reason = "known since spring";
  written.expectations.push({ clause: "images.response.data-present", reason: "long gone" });
  writeFileSync(file, JSON.stringify({ $schema: "s", "x-owner": "us", ...written }, null, 4));
  const stale = await touchstone(args);
  expect(stale.code).toBe(1);
  expect(stale.stdout).toContain("STALE images.response.data-present");
  expect((await touchstone([...args, "--update-expectations"])).code).toBe(0);
  const entry = { clause: "images.response.created-type", reason: "known since spring" };
  const kept = { $schema: "s", "x-owner": "us", expectations: [entry] };
  expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(kept, null, 4)}\n`);
  const inPlace = { ...entry, cassette: "images/generations/one.json" };
  const short = { ...entry, cassette: "images/generations/one" };
  writeFileSync(file, JSON.stringify({ expectations: [inPlace] }));
  const chosen = ["--clause", entry.clause];
  expect((await touchstone([...args, ...chosen])).code).toBe(0);
  // A recording is called as --scenario calls it, and goes on to be called so.
  writeFileSync(file, JSON.stringify({ expectations: [short] }));
  expect((await touchstone([...args, ...chosen, "--update-expectations"])).code).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8")).expectations).toEqual([short]);
  writeFileSync(file, JSON.stringify({ expectations: [short, inPlace] }));
  expect((await touchstone([...args, ...chosen])).stderr).toContain("two entries are about");
  const elsewhere = { ...inPlace, cassette: "messages/response/text.json" };
  writeFileSync(file, JSON.stringify({ expectations: [elsewhere] }));
  const other = await touchstone([...args, ...chosen, "--update-expectations"]);
  expect(other.code).toBe(1);
  expect(other.stdout).toContain(`unobserved 1 entry, of which nothing was seen: ${entry.clause} in messages/`);
  expect(JSON.parse(readFileSync(file, "utf8")).expectations).toMatchObject([
    elsewhere,
    { ...inPlace, reason: expect.stringContaining("say here why") },
  ]);
  writeFileSync(file, JSON.stringify({ expectations: [{ clause: "images.response.created-type" }] }));
  const refused = await touchstone(args);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("gives no reason");
  expect(refused.stderr).toContain(`"cassette": `);
});

test("two shards ask every recording once, and --max-requests and --dry-run bound what is sent", async () => {
  const url = await serve(recordedAnswers());
  const sources = async (...args: string[]): Promise<string[]> =>
    (await resultsOf(url, "--interface", "images,messages", ...args)).results.plan.cassettes.map(
      ({ source }) => source,
    );
  const halves = [await sources("--shard", "1/2"), await sources("--shard", "2/2")];
  const { results } = await resultsOf(url, "--interface", "chat-completions", "--max-requests", "3");
  expect(results.summary.exchanges).toBeLessThanOrEqual(3);
  const dry = await touchstone([
    "--dry-run",
    "--reading",
    "strict",
    "--interface",
    "images,messages",
    "http://127.0.0.1:1",
  ]);
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toContain("images/generations/one.json  1 request");
  const all = [...dry.stdout.matchAll(/^ *(\S+\.json) {2}\d+ request/gm)].map(([, source]) => source);
  expect(halves.every((half) => half.length > 0)).toBe(true);
  expect(halves.flat().sort()).toEqual(all.sort());
});

test("it works from a folder with a vitest configuration of its own, whatever that says", async () => {
  const project = mkdtempSync(join(folder, "project-"));
  writeFileSync(join(project, "vitest.config.mjs"), "throw new Error('not yours to read');\n");
  writeFileSync(join(project, "package.json"), "{}");
  const args = [await serve(recordedAnswers()), "--interface", "images"];
  const { code, stdout, stderr } = await touchstoneProcess(args, project);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("conforms as far as tested");
});

test("a request that stays rate limited is no verdict, and the run is incomplete with exit 2; it fails if something else fails", async () => {
  const good = recordedAnswers();
  const busy = async (wrong: boolean) => {
    const handler = wrong ? spoilt("/v1/messages", (body: { role: string }) => void (body.role = "robot")) : good;
    const limited: Reply = { ...json({ error: { message: "slow down" } }, 429), headers: [["retry-after", "0"]] };
    const url = await serve((request) => (request.target.includes("/images/") ? limited : handler(request)));
    const { code, results } = await resultsOf(url, "--interface", "images,messages", "--retries", "2");
    const text = await touchstone([url, "--interface", "images,messages", "--retries", "0"]);
    return { code, results, text };
  };
  const { code, results, text } = await busy(false);
  expect([code, text.code, results.complete]).toEqual([2, 2, true]);
  expect(new Set(results.incidents.map(({ kind }) => kind))).toEqual(new Set(["rate-limited"]));
  expect(results.findings.filter(({ source }) => source?.startsWith("images/"))).toEqual([]);
  const needs = results.clauses.filter(
    ({ id, verdict }) => id.startsWith("images.response.") && verdict !== "untested",
  );
  expect(needs.length).toBeGreaterThan(0);
  for (const clause of needs)
    expect(clause).toMatchObject({ verdict: "no-verdict", needs: [expect.stringMatching(/^rate limited/)] });
  expect(text.stdout).toMatch(/INCOMPLETE: 1 request was rate limited/);
  expect((await busy(true)).code).toBe(1);
});

test("a refused feature is not offered, and a broken one fails, whatever the message says", async () => {
  const good = recordedAnswers();
  const toldOf = async (status: number, message: string): Promise<unknown[]> => {
    const url = await serve((request) =>
      Buffer.from(request.body).includes("tool_choice") ? json({ error: { message } }, status) : good(request),
    );
    const { stdout, code } = await touchstone([url, "--interface", "chat-completions", "--section", "tools,response"]);
    return [code, stdout.includes("not offered: tools"), stdout.includes("--lacks tools")];
  };
  expect(await toldOf(501, "")).toEqual([0, true, false]);
  expect(await toldOf(400, "tool_choice must be a string")).toEqual([0, true, false]);
  expect(await toldOf(500, "oops")).toEqual([1, false, false]);
});
