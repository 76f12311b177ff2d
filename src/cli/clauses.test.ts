/** Finding clauses: by id, by words, by words that are spelt nearly right, and by what a run left untested. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { home } from "../home.ts";
import type { ClauseVerdict } from "../verdict/document.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { emptyPlan, settings } from "../verdict/settings.test-kit.ts";
import { touchstoneHere } from "./here.test-kit.ts";

test("an exact id is explained, though other ids and sentences hold it, too", async () => {
  const { code, stdout } = await touchstoneHere(["clauses", "chat-completions.request.n-type"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^chat-completions\.request\.n-type\n[\s\S]*\n {2}example {3}/);
});

test("words are found in ids, sentences and headings, whatever their case, and each hit says where its document has it", async () => {
  const { code, stdout } = await touchstoneHere(["clauses", "Temperature", "between", "--interface", "messages"]);
  const lines = stdout.trimEnd().split("\n");
  expect(code).toBe(0);
  expect(lines.length).toBeGreaterThan(1);
  for (const [at, line] of lines.entries())
    expect(line).toMatch(at % 2 === 0 ? /^messages\.\S+ {2}\[(must|should|may)\] {2}\S/ : /^ {4}\S.*, \S/);
  const { stdout: byHeading } = await touchstoneHere(["clauses", lines[1]!.trim().split(/, |; /)[1]!]);
  expect(byHeading).toContain(lines[0]);
});

test("hits as JSON are clauses as the list has them", async () => {
  const listed = async (...words: string[]): Promise<unknown[]> =>
    JSON.parse((await touchstoneHere(["clauses", ...words, "--format", "json"])).stdout);
  const hits = await listed("temperature range");
  const all = await listed();
  expect(hits.length).toBeGreaterThan(0);
  expect(hits.length).toBeLessThan(all.length);
  for (const hit of hits) expect(all).toContainEqual(hit);
});

test.each([
  [["temprature"], "Did you mean temperature?"],
  [["chat-completions.request.n-tpye"], "Did you mean chat-completions.request.n-type?"],
  [["temprature", "range"], "Did you mean temperature range?"],
  [["xyzzyplugh"], "touchstone clauses lists them all."],
])("no hit for %j: two lines and exit code 2", async (words, remedy) => {
  const { code, stdout, stderr } = await touchstoneHere(["clauses", ...words]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toBe(`touchstone: there is no clause ${words.join(" ")}, and none that says so\n${remedy}\n`);
});

/** A results.json that holds these verdicts. */
function resultsFile(clauses: readonly ClauseVerdict[]): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-clauses-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const none = { findings: [], groups: [], unjudged: [], incidents: [], reproduce: [] };
  const results: RunResults = {
    ...none,
    complete: true,
    summary: { exchanges: 1, errors: 0, warnings: 0, notes: 0, unjudged: 0 },
    target: { kind: "reference", url: null, bindings: {} },
    plan: { ...emptyPlan, exchanges: 1 },
    shard: null,
    options: settings,
    clauses,
    expectations: null,
    versions: { touchstone: "0.1.0", node: "20.19.0" },
    documents: {},
  };
  const file = join(folder, "results.json");
  writeFileSync(file, JSON.stringify(results));
  return file;
}

test("clauses that a run left untested are told apart: another answer would show them, or no run asks for them", async () => {
  const untested = { verdict: "untested", exercised: 0, failed: 0 } as const;
  const file = resultsFile([
    { id: "chat-completions.lists.object-value", ...untested },
    { id: "chat-completions.response.id-type", verdict: "pass", exercised: 1, failed: 0 },
    { id: "chat-completions.streaming.usage-type", ...untested },
  ]);
  const { code, stdout } = await touchstoneHere(["clauses", "--untested", file]);
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "1 untested, since no answer showed them",
    expect.stringMatching(/^ {2}chat-completions\.streaming\.usage-type {2}\S/),
    "1 untested, since the document shows no operation that returns such a list",
    expect.stringMatching(/^ {2}chat-completions\.lists\.object-value {2}\S/),
    "",
  ]);
  const { stdout: one } = await touchstoneHere(["clauses", "chat-completions.lists.object-value"]);
  expect(one).toContain("\n  unasked   no run has a target show it: the document shows no operation");
});

test("--readings lists what the documents leave open, narrowed by words, as text and as JSON", async () => {
  const all = await touchstoneHere(["clauses", "--readings"]);
  const ids = Object.keys(JSON.parse(readFileSync(join(home, "schemas", "readings.json"), "utf8")));
  for (const id of ids) expect(all.stdout).toContain(`${id}  `);
  expect(all.code).toBe(0);
  const one = await touchstoneHere(["clauses", "--readings", "x-null"]);
  expect(one.stdout).toMatch(/^X-NULL {2}.*\n {4}by default: .*\n {4}strict: /);
  const asJson = await touchstoneHere(["clauses", "--readings", "--format", "json"]);
  expect(Object.keys(JSON.parse(asJson.stdout))).toEqual(ids);
});
