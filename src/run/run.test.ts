/** `touchstone run` as users meet it, against small servers on real sockets; as a process of its own where that shows. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import { home } from "../home.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import type { RunResults } from "../verdict/run-results.ts";
import type { WireRequest } from "../wire/exchange.ts";
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
  const { code, stdout } = await touchstone([await serve(wrong), "--out", out, "--verbose"]);
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
  expect(stdout).toMatch(/curl -sS -i .*\/v1\/chat\/completions' \\\n/);
});

test("a target that takes tools and refuses what follows a call fails", async () => {
  const good = recordedAnswers();
  const url = await serve((request) =>
    Buffer.from(request.body).includes('"role":"tool"')
      ? json({ error: { message: "not supported" } }, 400)
      : good(request),
  );
  const { code, stdout } = await touchstone([url, "--interface", "chat-completions"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("DOES NOT CONFORM: 1 request not answered as recorded")]);
  expect(stdout).toContain("--lacks tools");
});

test("a target may refuse what no document describes: no verdict, and no failure", async () => {
  const grounding = join(home, "recordings", "generate-content", "grounding", "web-search.json");
  const from = join(folder, "undocumented");
  mkdirSync(join(from, "generate-content", "grounding"), { recursive: true });
  copyFileSync(grounding, join(from, "generate-content", "grounding", "web-search.json"));
  const refusing = (code: number, status: string) =>
    serve(({ target }) =>
      target.includes(":generateContent")
        ? json({ error: { code, message: "no", status, details: [] } }, code)
        : json({ error: { code: 404, message: "not found", status: "NOT_FOUND", details: [] } }, 404),
    );
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

test("a probe that is never answered is a warning in what is kept, and fails nothing", async () => {
  const message = {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: "end_turn", stop_sequence: null },
    ...{ content: [{ type: "text", text: "Hi." }], usage: { input_tokens: 1, output_tokens: 1 } },
  };
  const never = new Promise<never>(() => {});
  const url = await serve(({ body }) => (/"top_k":"/.test(Buffer.from(body).toString()) ? never : json(message, 200)));
  const out = join(folder, "silent");
  const args = ["--clause", "messages.request.top-k-type", "--timeout", "0.5", "--out", out];
  const { code, stdout } = await touchstoneHere(["run", url, ...args]);
  expect(stdout).toMatch(/NEVER ANSWERED 1 request was never answered/);
  expect(code).toBe(0);
  expect(readFileSync(join(out, "junit.xml"), "utf8")).toContain("warning: 1 request was never answered");
  const verified = await touchstoneHere(["verify", out]);
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining("HOLDS")]);
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
  // A reply that was recorded long ago is not made now, which is warned of as well.
  const others = results.clauses.filter(({ id, verdict }) => verdict === "warning" && !id.includes(".plausible."));
  expect(others).toEqual([clause]);
});

test("requests reach a target under its path, with its key, names and models, without the recorder's bookkeeping", async () => {
  const seen: WireRequest[] = [];
  const good = recordedAnswers();
  const url = await serve((request) => {
    seen.push(request);
    return good({ ...request, target: replaceText(request.target, "/gateway", "") });
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
  const { target, headers, body } = seen.findLast((request) => !request.target.includes("no-such"))!;
  const table = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  expect(target).toBe("/gateway/v1/messages");
  expect(table).toMatchObject({ "x-api-key": "messages-key", "vendor-version": "2023-06-01", "x-tenant": "t" });
  expect(Object.keys(table)).not.toContain("anthropic-version");
  expect(Object.keys(table)).not.toContain("x-stainless-lang");
  expect(table["content-length"]).toBe(String(body.length));
  expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({ model: "messages-own", max_tokens: 64 });
});

test("a run that loses its target exits 2 with a report of what was seen and what was in flight", async () => {
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
  expect(code).toBe(2);
  expect(stdout).toMatch(/INCOMPLETE: the target could not be reached any more; in flight: \S+ #\d\n/);
  expect(stderr).toMatch(/cannot be reached any more \(in flight: \S+ #\d\)/);
  const left: RunResults = JSON.parse(readFileSync(join(out, "results.json"), "utf8"));
  expect([left.complete, left.lost?.inFlight]).toEqual([false, [{ source: expect.any(String), exchange: 0 }]]);
  expect(existsSync(join(out, "junit.xml"))).toBe(false);
});

test("--for makes a client the gate, of which nothing was shown where nothing was asked", async () => {
  const wrong = spoilt("/images/", (body: { data: unknown }) => void (body.data = null), recordedAnswers());
  const url = await serve(wrong);
  const fails = await touchstone([url, "--interface", "images,chat-completions"]);
  expect(fails.code).toBe(1);
  const gate = await touchstone([url, "--interface", "images,chat-completions", "--for", "anthropic"]);
  expect(gate.code).toBe(2);
  expect(gate.stdout).toMatch(
    /\nanthropic [\d.]+: not shown \(predicted\): messages\/text: not asked; messages\/streaming: not asked\n$/,
  );
});

test.each([
  [["--interface", "nope"], /--interface nope: there is no such interface/],
  [["--section", "nope"], /no such section/],
  [["--clause", "nope"], /no such clause/],
  [["--scenario", "messages/response/txt"], /no such recording.*\nDid you mean messages\/response\/text\.json\?/],
  [["--scenario", "one"], /Did you mean images\/generations\/one\.json\?/],
  [["--scenario", "probes/messages/9999"], /no such group of probes/],
  [["--lacks", "nope"], /no such feature/],
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

describe("a target file with half a surrogate pair", () => {
  const half = "a\ud800b";
  const file = join(folder, "half.json");
  const run = async (more: object) => {
    writeFileSync(file, JSON.stringify({ url: await serve(recordedAnswers()), ...more }));
    return touchstone([file, "--interface", "generate-content,messages", "--no-probes", "--max-requests", "9"]);
  };

  test.each([{ models: { "*": half } }, { bindings: { models: { [half]: [half] } } }, { name: half }])(
    "is asked: %j",
    async (more) => expect(await run(more)).toMatchObject({ stderr: expect.not.stringContaining("internal failure") }),
  );

  test.each([
    { headers: { "X-A": half } },
    { headers: { [half]: "x" } },
    { headers: { "X-A": "日本" } },
    { bindings: { names: { "partner-version": half } } },
  ])("is refused where it cannot be sent: %j", async (more) => {
    const { code, stderr } = await run(more);
    expect([code, twoLines(stderr)]).toEqual([
      2,
      [expect.stringMatching(/cannot be sent: invalid/), expect.stringContaining("names of headers are ASCII")],
    ]);
  });
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
