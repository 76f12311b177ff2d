/** `run --out` leaves a folder that is whole or plainly incomplete, digests that hold, and every exchange with the request it stands for. */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, expect, test } from "vitest";
import { readCassette } from "../cassette/read.ts";
import type { Finding } from "../check/clause.ts";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import { home } from "../home.ts";
import { checkSources } from "../record/check-sources.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { json, recordedAnswers, recordings, serve, spoilt, touchstone } from "../run/run.test-kit.ts";
import type { RunResults } from "../verdict/run-results.ts";
import type { Reply } from "../wire/listen.ts";
import { maxKept, recordedOf } from "./evidence-line.ts";
import { openFolder } from "./folder.ts";
import { resultsFolder } from "./reports.ts";
import { createEvidenceStore } from "./spool.ts";
import { verifyFolder } from "./verify.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-folder-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (out: string, name: string): string => readFileSync(join(out, name), "utf8");
const resultsIn = (out: string): RunResults => JSON.parse(read(out, "results.json"));

const wrong = spoilt(
  "/v1/messages",
  (body: { stop_reason: string }) => void (body.stop_reason = "finished"),
  recordedAnswers(),
);

test("a folder holds every exchange, where findings say it stands, and check finds there what the run found", async () => {
  const out = join(folder, "all");
  await touchstone([await serve(wrong), "--out", out, "--key", "sk-canary-canary", "--header", "X-A: canary"]);
  const results = resultsIn(out);
  const { exchanges } = await readCassette(join(out, "exchanges.jsonl"));
  const places = exchanges.map(({ asked }) => `${asked!.source} ${asked!.exchange} ${asked!.part}`);
  expect(places.filter((place) => place.endsWith("scenario"))).toHaveLength(results.plan.exchanges);
  expect(places.filter((place) => place.endsWith("smoke test"))).toHaveLength(4);
  expect(places).toEqual([...new Set(places)].sort());

  const errors = results.findings.filter(({ level }) => level === "error");
  expect(errors.length).toBeGreaterThan(0);
  const found = (await checkSources([join(out, "exchanges.jsonl")], { side: "response" })).findings;
  const told = found.map(({ exchange, clause, pointer }) => {
    const { source, exchange: own, part } = exchanges[exchange]!.asked!;
    return part === "scenario" ? `${source} ${own} ${clause} ${pointer}` : undefined;
  });
  for (const { source, exchange, clause, pointer } of errors)
    expect(told).toContain(`${source} ${exchange} ${clause} ${pointer}`);

  const ajv = new Ajv2020({ strict: false });
  const manifest = JSON.parse(read(out, "manifest.json"));
  const schema = JSON.parse(readFileSync(join(home, "schemas", "formats", "manifest.schema.json"), "utf8"));
  expect(ajv.validate(schema, manifest), ajv.errorsText()).toBe(true);
  expect(Object.keys(manifest.files).sort()).toEqual(readdirSync(out).filter((name) => name !== "manifest.json"));
  for (const [name, digest] of Object.entries(manifest.files))
    expect(createHash("sha256").update(read(out, name)).digest("hex")).toBe(digest);
  expect(manifest.documents).toEqual(results.documents);
  expect((await verifyFolder(out, { recordings })).problems).toEqual([]);
  expect(manifest.command.slice(-4)).toEqual(["--key", "[redacted]", "--header", "X-A: [redacted]"]);
});

test("a request that was sent again is told, kept with how often, and verifies", async () => {
  const good = recordedAnswers();
  let asked = 0;
  const later: Reply = { ...json({}, 503), headers: [["retry-after", "0"]] };
  const url = await serve((request) => (++asked === 2 ? later : good(request)));
  const out = join(folder, "later");
  const { code, stdout } = await touchstone([url, "--interface", "images", "--out", out]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("1 request had to be sent more than once")]);
  const { exchanges } = await readCassette(join(out, "exchanges.jsonl"));
  expect(exchanges.map((one) => one.asked?.tries).filter((tries) => tries !== undefined)).toEqual([2]);
  expect((await verifyFolder(out, { recordings })).problems).toEqual([]);
});

test("a check leaves a folder as well, with what it judged, redacted, where its findings say it stands", async () => {
  const recording = join(folder, "recording.json");
  const sample = readFileSync(join(recordings, "messages", "response", "text.json"), "utf8");
  writeFileSync(
    recording,
    replaceText(replaceText(sample, '"end_turn"', '"finished"'), "[redacted]", "sk-ant-a-key-of-nobody-4711"),
  );
  expect(readFileSync(recording, "utf8")).toContain("4711");
  const out = join(folder, "checked");
  const check = (...args: string[]) => touchstoneHere(["check", ...args]);
  const { code, stdout } = await check(recording, "--out", out, "--format", "json");
  expect(code).toBe(1);
  const { findings } = JSON.parse(stdout);
  expect(findings.length).toBeGreaterThan(0);
  expect(JSON.parse(read(out, "results.json"))).toEqual(JSON.parse(stdout));
  expect(Object.keys(JSON.parse(read(out, "manifest.json")).files)).toHaveLength(5);
  const { exchanges } = await readCassette(join(out, "exchanges.jsonl"));
  expect(exchanges.map(({ asked }) => asked)).toEqual([{ source: recording, exchange: 0, part: "recording" }]);
  expect(read(out, "exchanges.jsonl")).not.toContain("4711");
  const again = JSON.parse((await check(join(out, "exchanges.jsonl"), "--format", "json")).stdout);
  const bare = (all: Finding[]) => all.map(({ source: _source, ...finding }) => finding);
  expect(bare(again.findings)).toEqual(bare(findings));
  expect(await check(recording, "--out", out, "--shard", "1/2")).toMatchObject({ code: 2 });
});

test("--evidence failing keeps the exchanges that results find fault with, and none keeps no file", async () => {
  const url = await serve(wrong);
  const failing = join(folder, "failing");
  await touchstone([url, "--out", failing, "--evidence", "failing"]);
  const { exchanges } = await readCassette(join(failing, "exchanges.jsonl"));
  const placesOf = (all: readonly { source: string; exchange: number }[]): string[] => [
    ...new Set(all.map(({ source, exchange }) => `${source} ${exchange}`)),
  ];
  expect(placesOf(exchanges.map(({ asked }) => asked!))).toEqual(placesOf(resultsIn(failing).findings));
  const verify = () => touchstoneHere(["verify", failing]);
  expect(await verify()).toMatchObject({ code: 2, stderr: expect.stringContaining("keeps failing exchanges only") });
  writeFileSync(join(failing, "summary.md"), "All is well.\n");
  expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringMatching(/^summary.md: .*\nDOES NOT HOLD/) });
  await touchstone([url, "--out", failing, "--evidence", "none"]);
  expect(await verify()).toMatchObject({ code: 2, stderr: expect.stringContaining("keeps no exchanges") });
  expect(existsSync(join(failing, "exchanges.jsonl"))).toBe(false);
  expect(JSON.parse(read(failing, "manifest.json")).evidence).toBe("none");
});

test("a killed run over an earlier one leaves no manifest, no exchanges, and incomplete results", async () => {
  const out = join(folder, "killed");
  await touchstone([await serve(recordedAnswers()), "--out", out]);
  const results = resultsIn(out);
  openFolder(out, { ...results, complete: false }, "all", resultsFolder);
  expect(existsSync(join(out, "manifest.json"))).toBe(false);
  expect(readdirSync(out).filter((name) => !name.endsWith(".unsorted"))).toEqual(["results.json"]);
  expect(resultsIn(out).complete).toBe(false);
});

test("a body that is too large is kept as its beginning, its digest, and how much is missing", async () => {
  const body = Buffer.alloc(maxKept + 5, "é");
  const asked = {
    source: "images/generations/large.json",
    exchange: 1,
    interface: "images",
    part: "scenario" as const,
    passed: {
      request: { method: "POST", target: "/v1/images/generations", headers: [], body: Buffer.alloc(0) },
      response: {
        status: 200,
        headers: [],
        body,
        chunks: [
          [1, 10],
          [2, body.length - 10],
        ] as const,
        redacted: ["/headers/x", "/body/3-9", `/body/${maxKept}-${maxKept + 2}`],
      },
    },
  };
  const store = createEvidenceStore(join(folder, "spool"));
  store.add(recordedOf(asked));
  store.add(recordedOf({ ...asked, exchange: 0 }));
  store.write(join(folder, "large.jsonl"), {}, ({ exchange }) => exchange === 1);
  store.remove();
  const { exchanges } = await readCassette(join(folder, "large.jsonl"));
  const { response } = exchanges[0]!.exchange;
  expect(exchanges).toHaveLength(1);
  expect(response!.body.length + response!.cut!).toBe(body.length);
  expect(Buffer.from(response!.body)).toEqual(body.subarray(0, response!.body.length));
  expect(response!.chunks).toEqual([
    [1, 10],
    [2, response!.body.length - 10],
  ]);
  expect(response!.redacted).toEqual(["/headers/x", "/body/3-9"]);
  expect(exchanges[0]!.asked!.whole).toEqual({ response: createHash("sha256").update(body).digest("hex") });
});

test("bodies above --max-evidence are cut, and verify says what cannot be judged again, and nothing against the rest", async () => {
  const out = join(folder, "bounded");
  const long = spoilt(
    "/v1/messages",
    (body: { content: { text?: string }[] }) => {
      for (const part of body.content) if (part.text !== undefined) part.text = "long ".repeat(20_000);
    },
    recordedAnswers(),
  );
  await touchstone([await serve(long), "--no-probes", "--max-evidence", "150K", "--out", out]);
  const { exchanges } = await readCassette(join(out, "exchanges.jsonl"));
  const cut = exchanges.filter(({ asked }) => asked!.whole);
  expect(cut.length).toBeGreaterThan(0);
  for (const { exchange } of cut) expect(exchange.response!.cut).toBeGreaterThan(0);
  expect(statSync(join(out, "exchanges.jsonl")).size).toBeLessThan((150 << 10) + exchanges.length * (16 << 10));
  const { problems, keptInPart } = await verifyFolder(out, { recordings });
  expect(problems).toEqual([]);
  expect(keptInPart).toContain("kept in part, too much to be judged again");
  expect(await touchstoneHere(["verify", out, "--recordings", recordings])).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^NOT SHOWN: [\s\S]*\nNot verified: \d+ exchanges? kept in part/),
  });
});
