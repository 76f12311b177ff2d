/** `touchstone run` as users meet it, against small servers on real sockets; as a process of its own where that shows. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import { home } from "../home.ts";
import type { RunResults } from "../verdict/run-results.ts";
import type { WireRequest } from "../wire/exchange.ts";
import type { Handler, Reply } from "../wire/listen.ts";
import {
  folder,
  json,
  open,
  recordedAnswers,
  resultsOf,
  serve,
  spoilt,
  touchstone,
  touchstoneProcess,
  twoLines,
} from "./run.test-kit.ts";

test("a server that answers as recorded conforms, with the values its own answers bind", async () => {
  const { code, stderr, results } = await resultsOf(await serve(recordedAnswers()));
  expect(stderr).toBe("");
  expect(results.incidents).toEqual([]);
  expect(results.findings.filter(({ level }) => level === "error")).toEqual([]);
  expect({ code, complete: results.complete, exchanges: results.summary.exchanges }).toEqual({
    code: 0,
    complete: true,
    exchanges: 8,
  });
});

const wrongServers: readonly {
  name: string;
  path: string;
  change: (body: never) => unknown;
  clause: RegExp;
  pointer: string;
  actual: string;
}[] = [
  {
    name: "chat-completions",
    path: "/v1/chat/completions",
    change: (body: { choices: { finish_reason: string }[] }) => void (body.choices[0]!.finish_reason = "finished"),
    clause: /^chat-completions\.response\./,
    pointer: "/choices/0/finish_reason",
    actual: `"finished"`,
  },
  {
    name: "images",
    path: "/v1/images/generations",
    change: (body: { created: unknown }) => void (body.created = "today"),
    clause: /^images\.response\./,
    pointer: "/created",
    actual: `"today"`,
  },
  {
    name: "messages",
    path: "/v1/messages",
    change: (body: { stop_reason: string }) => void (body.stop_reason = "finished"),
    clause: /^messages\.response\./,
    pointer: "/stop_reason",
    actual: `"finished"`,
  },
  {
    name: "generate-content",
    path: ":generateContent",
    change: (body: { candidates: { finishReason: string }[] }) => void (body.candidates[0]!.finishReason = "FINISHED"),
    clause: /^generate-content\.response\./,
    pointer: "/candidates/0/finishReason",
    actual: `"FINISHED"`,
  },
];

test("a server that answers wrongly fails with clause, place, expected and actual, whatever the interface", async () => {
  const wrong = wrongServers.reduce((good, { path, change }) => spoilt(path, change, good), recordedAnswers());
  const out = join(folder, "wrong");
  const { code, stdout } = await touchstone([await serve(wrong), "--out", out]);
  const results: RunResults = JSON.parse(readFileSync(join(out, "results.json"), "utf8"));
  const errors = results.findings.filter(({ level }) => level === "error");
  expect(code).toBe(1);
  for (const one of wrongServers) {
    const own = errors.filter(({ source }) => source?.startsWith(`${one.name}/`));
    expect(own.length).toBeGreaterThan(0);
    for (const { clause, pointer, actual, expected } of own) {
      expect(clause).toMatch(one.clause);
      expect({ pointer, actual }).toEqual({ pointer: one.pointer, actual: one.actual });
      expect(expected).not.toBe("");
    }
    const failing = results.clauses.filter(({ id, verdict }) => verdict === "fail" && id.startsWith(`${one.name}.`));
    expect(failing.map(({ id }) => id)).toEqual([...new Set(own.map(({ clause }) => clause))].sort());
    expect(stdout).toContain(`FAIL ${failing[0]!.id}`);
    expect(stdout).toContain(one.pointer);
    expect(stdout).toContain(`actual    ${one.actual}`);
  }
  expect(errors.every(({ source }) => wrongServers.some(({ name }) => source?.startsWith(`${name}/`)))).toBe(true);
  expect(stdout).toContain("curl -sS -i -X POST");
});

test("a good request that is refused fails the run, and --lacks leaves it out", async () => {
  const good = recordedAnswers();
  const noTools: Handler = (request) =>
    Buffer.from(request.body).includes("tool_choice")
      ? json({ error: { message: "no tools here" } }, 400)
      : good(request);
  const url = await serve(noTools);
  const refused = await resultsOf(url, "--interface", "chat-completions", "--section", "tools");
  expect(refused.code).toBe(1);
  expect(refused.results.incidents).toMatchObject([
    { source: "chat-completions/tools/round-trip.json", exchange: 0, kind: "refused", needs: ["tools"] },
  ]);
  const lacking = await resultsOf(url, "--interface", "chat-completions", "--lacks", "tools");
  expect(lacking.code).toBe(0);
  expect(lacking.results.clauses.filter(({ verdict }) => verdict === "skipped").length).toBeGreaterThan(0);
});

test("a target may refuse what no document describes: no verdict, and no failure", async () => {
  const grounding = join(home, "recordings", "generate-content", "grounding", "web-search.json");
  const from = join(folder, "undocumented");
  mkdirSync(join(from, "generate-content", "grounding"), { recursive: true });
  copyFileSync(grounding, join(from, "generate-content", "grounding", "web-search.json"));
  const refusing = (code: number, status: string) =>
    serve(() => json({ error: { code, message: "no", status, details: [] } }, code));
  const { code, stdout } = await touchstoneHere([
    "run",
    await refusing(400, "INVALID_ARGUMENT"),
    "--recordings",
    from,
    "--format",
    "json",
  ]);
  const results: RunResults = JSON.parse(stdout);
  expect({ code, incidents: results.incidents }).toEqual({ code: 0, incidents: [] });
  expect(results.clauses.find(({ id }) => id.endsWith("grounding.web-uri-type"))).toMatchObject({
    verdict: "no-verdict",
    needs: ["a tool that searches the web, which no document describes and the target refuses"],
  });
  const failing = await touchstoneHere([
    "run",
    await refusing(500, "INTERNAL"),
    "--recordings",
    from,
    "--format",
    "json",
  ]);
  expect(failing.code).toBe(1);
});

test("a stream that breaks off fails the run, and so does a body that cannot be decoded, whatever its status", async () => {
  const good = recordedAnswers();
  const url = await serve(async (request) => {
    if (request.target.includes("/images/"))
      return { status: 200, headers: [["content-encoding", "gzip"]], pieces: [{ bytes: Buffer.from("no gzip") }] };
    const reply = await good(request);
    return reply.headers.some(([, value]) => value === "text/event-stream") ? { ...reply, abort: true } : reply;
  });
  const sections = ["--section", "streaming,generations"];
  const { code, results } = await resultsOf(url, "--interface", "chat-completions,images", ...sections);
  expect(code).toBe(1);
  expect(results.incidents).toMatchObject([
    { source: "chat-completions/streaming/text.json", kind: "unanswered" },
    { source: "images/generations/one.json", kind: "unanswered", problem: expect.stringContaining("nobody can read") },
  ]);
});

test("a stream whose body stays open after its last event is answered, and warned of for clients that read on", async () => {
  const good = recordedAnswers();
  const url = await serve(async (request) => {
    const reply = await good(request);
    const never = async function* () {
      await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
    };
    return reply.headers.some(([, value]) => value === "text/event-stream") ? { ...reply, more: never() } : reply;
  });
  const { code, results } = await resultsOf(url, "--section", "streaming", "--timeout", "0.5");
  expect([code, results.incidents]).toEqual([0, []]);
  const clause = results.clauses.find(({ id }) => id === "chat-completions.streaming.body-ends");
  expect(clause).toMatchObject({ verdict: "warning" });
  // What was recorded long ago is not made now, which is warned of as well.
  const others = results.clauses.filter(({ id, verdict }) => verdict === "warning" && !id.includes(".plausible."));
  expect(others).toEqual([clause]);
});

test("requests reach a target under its path, with its key, names and models, without the recorder's bookkeeping", async () => {
  const seen: WireRequest[] = [];
  const good = recordedAnswers();
  const url = await serve((request) => {
    seen.push(request);
    return good({ ...request, target: request.target.replace("/gateway", "") });
  });
  const file = join(folder, "target.json");
  writeFileSync(
    file,
    JSON.stringify({
      url: `${url}/gateway/v1`,
      keys: { messages: "$MESSAGES_KEY" },
      bindings: { names: { "partner-version": "vendor-version" } },
      models: { messages: "messages-own" },
      headers: { "X-Tenant": "t" },
    }),
  );
  await touchstone([file, "--interface", "messages"], { MESSAGES_KEY: "messages-key" });
  const { target, headers, body } = seen.at(-1)!;
  const table = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  expect(target).toBe("/gateway/v1/messages");
  expect(table).toMatchObject({ "x-api-key": "messages-key", "vendor-version": "2023-06-01", "x-tenant": "t" });
  expect(Object.keys(table)).not.toContain("anthropic-version");
  expect(Object.keys(table)).not.toContain("x-stainless-lang");
  expect(table["content-length"]).toBe(String(body.length));
  expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({ model: "messages-own", max_tokens: 64 });
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

test("a run that loses its target exits 2 and leaves results that say they are incomplete", async () => {
  const good = recordedAnswers();
  let asked = 0;
  const url = await serve((request) => {
    // The probe and one recording are answered, then nobody listens any more.
    if (++asked === 2) void open.pop()!.close();
    return good(request);
  });
  const out = join(folder, "lost");
  const args = [url, "--interface", "images", "--concurrency", "1", "--out", out];
  const { code, stdout, stderr } = await touchstone(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/cannot be reached any more/);
  expect(JSON.parse(readFileSync(join(out, "results.json"), "utf8")).complete).toBe(false);
  expect(existsSync(join(out, "junit.xml"))).toBe(false);
});

test("--for makes a client the gate, of which nothing was shown where nothing was asked", async () => {
  const wrong = spoilt("/images/", (body: { data: unknown }) => void (body.data = null), recordedAnswers());
  const url = await serve(wrong);
  const fails = await touchstone([url, "--interface", "images,chat-completions"]);
  expect(fails.code).toBe(1);
  const gate = await touchstone([url, "--interface", "images,chat-completions", "--for", "anthropic"]);
  expect(gate.code).toBe(1);
  expect(gate.stdout).toMatch(/\nanthropic: not shown\n$/);
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

test.each([
  [["--interface", "nope"], /--interface nope: there is no such interface/],
  [["--section", "nope"], /no such section/],
  [["--clause", "nope"], /no such clause/],
  [["--scenario", "messages/response/txt"], /no such recording.*\nDid you mean messages\/response\/text\.json\?/],
  [["--scenario", "one"], /Did you mean images\/generations\/one\.json\?/],
  [["--scenario", "probes/messages/9999"], /no such group of probes/],
  [["--lacks", "nope"], /no such need/],
  [["--shard", "3/2"], /not I\/N/],
  [["--model", "chat-completions="], /names no model/],
  [["--header", "nope"], /not NAME: VALUE/],
  [["--key", "$NOT_SET_ANYWHERE"], /NOT_SET_ANYWHERE is not set/],
  [["--update-expectations"], /needs a file/],
  [["--max-requests", "0"], /whole number from 1/],
  [["--rate", "0"], /number from 0.01/],
  [["--retries", "99"], /whole number from 0 to 20/],
  [["--wait", "soon"], /number from 0 to 3600/],
  [["--for", "opnai"], /--for opnai: there is no such client\nDid you mean openai\?/],
  [["--nope"], /nope: no such option/],
  [["--clause"], /clause/],
])("bad usage %j is one line and what to do", async (args, message) => {
  const { code, stdout, stderr } = await touchstone(["http://127.0.0.1:1", ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(twoLines(stderr)).toHaveLength(2);
  expect(stderr).toMatch(message);
});

test.skipIf(process.platform !== "linux")("an --out that cannot be made is said, and does not hang", async () => {
  const url = await serve(recordedAnswers());
  const { code, stderr } = await touchstoneProcess([url, "--interface", "images", "--out", "/proc/no/folder"]);
  expect(code).toBe(2);
  expect(twoLines(stderr)).toEqual([
    expect.stringMatching(/^touchstone: --out \/proc\/no\/folder cannot be written: ENOENT/),
    "Choose another folder.",
  ]);
});

test.each([
  ["127.0.0.1:8080", /scheme/],
  ["http://user:pass@127.0.0.1/", /holds credentials/],
  ["nowhere.json", /cannot be read/],
])("target %s is refused with a remedy", async (target, message) => {
  const { code, stderr } = await touchstone([target]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test("what stays rate limited is no verdict, and the run incomplete with exit 2; it fails where something else fails", async () => {
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
  expect(text.stdout).toMatch(/INCOMPLETE: 2 requests were rate limited/);
  expect((await busy(true)).code).toBe(1);
});

test("--lacks is advised for what is not there or not supported, and not for what breaks or takes too long", async () => {
  const good = recordedAnswers();
  const advice = async (status: number, message: string): Promise<boolean> => {
    const url = await serve((request) =>
      Buffer.from(request.body).includes("tool_choice") ? json({ error: { message } }, status) : good(request),
    );
    const { stdout, code } = await touchstone([url, "--interface", "chat-completions", "--section", "tools,response"]);
    expect(code).toBe(1);
    return stdout.includes("--lacks tools");
  };
  expect(await advice(501, "")).toBe(true);
  expect(await advice(400, "tool_choice is not supported by this model")).toBe(true);
  expect(await advice(500, "oops")).toBe(false);
  expect(await advice(400, "tool_choice must be a string")).toBe(false);
});
