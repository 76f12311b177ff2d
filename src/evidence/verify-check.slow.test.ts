/** The folder of a check holds as it is, and every change to it is told. */
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { touchstoneHere } from "../cli/here.test-kit.ts";
import { home } from "../home.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import type { Problem } from "./compare.ts";
import type { Manifest } from "./manifest.ts";
import { readManifest } from "./read-folder.ts";
import { verifyCheck } from "./verify-check.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-verify-check-"));
const whole = join(folder, "whole");
const broken = "messages.response.stop-reason-values";
const admitted = "messages.response.role-value";
const recordings = join(folder, "recordings");
const first = join(recordings, "b.json");

beforeAll(async () => {
  cpSync(join(home, "recordings", "messages", "tools"), recordings, { recursive: true });
  const text = readFileSync(join(home, "recordings", "messages", "response", "text.json"), "utf8");
  writeFileSync(
    first,
    replaceText(replaceText(text, '"end_turn"', '"finished"'), '"role": "assistant"', '"role": "robot"'),
  );
  const entry = { clause: admitted, cassette: first, reason: "It answers as somebody else." };
  writeFileSync(join(folder, "expectations.json"), JSON.stringify({ expectations: [entry] }));
  const args = [
    "--preset",
    "vendors",
    "--reading",
    "strict:X-NULL",
    "--expectations",
    join(folder, "expectations.json"),
  ];
  // An order of its own, which no sorting gives, and one of them given twice.
  const { code } = await touchstoneHere(["check", first, recordings, ...args, "--out", whole]);
  expect(code).toBe(1);
});
afterAll(() => rmSync(folder, { recursive: true }));

const digest = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
const inJson =
  // biome-ignore lint/suspicious/noExplicitAny: what a forger changes is no longer what its type says
    (change: (value: any) => void) =>
    (text: string): string => {
      const value = JSON.parse(text);
      change(value);
      return `${JSON.stringify(value, null, 2)}\n`;
    };
const inLines = (change: (lines: string[]) => readonly string[]) => (text: string) =>
  `${change(text.trimEnd().split("\n")).join("\n")}\n`;

async function problemsOf(at: string): Promise<readonly Problem[]> {
  const manifest = await readManifest(at);
  return (await verifyCheck(at, manifest, manifest.judging!)).problems;
}

/** The problems of a copy with one file changed, and a manifest that has its digest, as whoever changes it would see to. */
async function problemsWith(file: string, change: (text: string) => string): Promise<readonly Problem[]> {
  const copy = join(folder, "copy");
  rmSync(copy, { recursive: true, force: true });
  cpSync(whole, copy, { recursive: true });
  const before = readFileSync(join(copy, file), "utf8");
  writeFileSync(join(copy, file), change(before));
  expect(readFileSync(join(copy, file), "utf8")).not.toBe(before);
  if (file !== "manifest.json") {
    const path = join(copy, "manifest.json");
    const manifest: Manifest = JSON.parse(readFileSync(path, "utf8"));
    const files = { ...manifest.files, [file]: digest(join(copy, file)) };
    writeFileSync(path, JSON.stringify({ ...manifest, files }));
  }
  return problemsOf(copy);
}

test("the folder of a check verifies, in the order it was given, with its preset, readings and expectations", async () => {
  expect(await problemsOf(whole)).toEqual([]);
  const { code, stdout } = await touchstoneHere(["verify", whole]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^HOLDS: what the folder claims of \d+ recordings follows /),
  ]);
});

const [results, lines, manifest] = ["results.json", "exchanges.jsonl", "manifest.json"];
const isFirst = (line: string): boolean => line.includes(JSON.stringify(first));
const tampers: [name: string, file: string, change: (text: string) => string, told: Partial<Problem>][] = [
  [
    "a verdict flipped",
    results,
    inJson(({ clauses }) => {
      clauses.find(({ id }: { id: string }) => id === broken).verdict = "pass";
    }),
    { file: results, clause: broken },
  ],
  [
    "a finding deleted",
    results,
    inJson((all) => {
      all.findings = all.findings.filter(({ clause }: { clause: string }) => clause !== broken);
    }),
    { file: results, clause: broken, source: first, exchange: 0 },
  ],
  ["an answer mended", lines, (text) => replaceText(text, "finished", "end_turn"), { file: results, clause: broken }],
  [
    "an exchange deleted",
    lines,
    inLines((all) => all.filter((line) => !isFirst(line))),
    { file: results, clause: broken },
  ],
  [
    "an exchange repeated",
    lines,
    inLines((all) => all.flatMap((line) => (isFirst(line) ? [line, line] : [line]))),
    { file: lines, source: first, exchange: 0, what: "it is there twice" },
  ],
  [
    "an exchange counted on",
    lines,
    inLines((all) => all.map((line) => (isFirst(line) ? replaceText(line, '"exchange":0', '"exchange":1') : line))),
    { file: lines, source: first, exchange: 0, what: "it is missing" },
  ],
  [
    "an exchange moved",
    lines,
    inLines(([head, ...rest]) => [head!, ...rest.reverse()]),
    { file: lines, what: expect.stringContaining("moved") as never },
  ],
  [
    "a recording of nobody's",
    manifest,
    inJson(({ judging }) => {
      judging.sources = judging.sources.filter(({ name }: { name: string }) => name !== first);
    }),
    { file: lines, source: first, what: expect.stringContaining("not judged") as never },
  ],
  ["another preset", manifest, inJson(({ judging }) => void (judging.preset = null)), { file: results }],
  [
    "a preset that leads out of the folder",
    manifest,
    inJson(({ judging }) => void (judging.preset = "../../package")),
    { file: manifest, what: expect.stringContaining("there is no preset") as never },
  ],
  [
    "a day on which an expectation had not expired",
    manifest,
    inJson(({ judging }) => void (judging.today = "2024-01-01")),
    { file: manifest, what: expect.stringContaining("judging.today is 2024-01-01, but the manifest says") as never },
  ],
  [
    "names that are no object",
    manifest,
    inJson(({ judging }) => void (judging.preset = { names: 4 })),
    { file: manifest, what: expect.stringContaining("its preset has names") as never },
  ],
  [
    "a model class of a recording that is no list",
    manifest,
    inJson(({ judging }) => void (judging.sources[0].bindings = { models: { reasoning: "((" } })),
    { file: manifest, what: expect.stringContaining("its bindings have names") as never },
  ],
  [
    "names in the first line that no recording had",
    lines,
    (text) => replaceText(text, '"bindings":{', '"bindings":{"credentials":"kept",'),
    { file: lines, what: "line 1 is not the first line that a run writes" },
  ],
  [
    "blanks in a line",
    lines,
    (text) => replaceText(text, '"asked":{', '"asked": {'),
    { file: lines, what: expect.stringContaining("is not written as") as never },
  ],
  [
    "an expectation slipped in",
    results,
    inJson(({ expectations }) => void expectations.entries.push({ clause: broken, reason: "So it is." })),
    { file: results, clause: broken },
  ],
  ["a summary rewritten", "summary.md", (text) => `${text}\nIt conforms.\n`, { file: "summary.md" }],
  [
    "the page rewritten",
    "report.html",
    (text) => replaceText(text, "<title>", "<title>Good: "),
    { file: "report.html" },
  ],
];
test.each(tampers)("%s is told", async (_name, file, change, told) => {
  expect(await problemsWith(file, change)).toContainEqual(expect.objectContaining(told));
});
