/** Holds that `--out` writes over nothing that touchstone did not write, and that nobody else may read what it writes. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { shippedClauses } from "../interfaces/clause-data.ts";
import { UserError } from "../user-error.ts";
import { openFolder } from "./folder.ts";
import { refuseForeignReports } from "./ownership.ts";
import { unchecked } from "./recordings.ts";
import { resultsFolder } from "./reports.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-ownership-"));
afterAll(() => rmSync(folder, { recursive: true }));

const finish = (out: string) =>
  openFolder(out, unchecked, "all", resultsFolder).close(
    { ...unchecked, complete: true },
    {},
    { ...shippedClauses, clauses: [], interfaces: [] },
    {},
    {
      command: ["touchstone"],
      started: "2026-01-01T00:00:00.000Z",
      evidence: "all",
    },
  );

const filled = (name: string, files: Record<string, string>): string => {
  const out = join(folder, name);
  mkdirSync(out);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(out, file), text);
  return out;
};

const body = `body-${"0".repeat(16)}.json`;
test.each([
  ["an extension's manifest", "manifest.json", { "manifest.json": '{"manifest_version":3,"name":"x"}' }],
  ["results of others", "results.json", { "results.json": '{"total":3}' }],
  ["a summary", "summary.md", { "summary.md": "# Mine" }],
  ["a report of another runner", "junit.xml", { "junit.xml": "<testsuites/>" }],
  ["a page", "report.html", { "report.html": "<html></html>" }],
  ["exchanges", "exchanges.jsonl", { "exchanges.jsonl": "{}" }],
  ["what only looks like ours by its name", body, { [body]: "{}" }],
  ["a file that would be in the way", "results.json.part", { "results.json.part": "mine" }],
])("a folder with %s is refused, and stays as it is", (name, file, files) => {
  const out = filled(name, files);
  expect(() => openFolder(out, unchecked, "all", resultsFolder)).toThrow(
    new UserError(
      `--out ${out} would write over ${file}, which touchstone did not write`,
      "Choose another folder, or move the file away.",
    ),
  );
  for (const [own, text] of Object.entries(files)) expect(readFileSync(join(out, own), "utf8")).toBe(text);
  expect(readdirSync(out)).toEqual(Object.keys(files));
});

test("a link is none of ours, and what it leads to stays", () => {
  const out = filled("link", {});
  const other = join(folder, "other.json");
  writeFileSync(other, '{\n  "complete": true,');
  symlinkSync(other, join(out, "results.json"));
  expect(() => openFolder(out, unchecked, "all", resultsFolder)).toThrow(/would write over results\.json/);
  expect(readFileSync(other, "utf8")).toBe('{\n  "complete": true,');
});

test("a folder of an earlier run is written anew, whether that ended or was killed, and other files stay", () => {
  const out = filled("again", { "notes.txt": "mine" });
  finish(out);
  finish(out);
  openFolder(out, unchecked, "all", resultsFolder);
  finish(out);
  expect(existsSync(join(out, "manifest.json"))).toBe(true);
  expect(readFileSync(join(out, "notes.txt"), "utf8")).toBe("mine");
});

test("a file that was put into the folder of a run since is refused", () => {
  const out = filled("since", {});
  finish(out);
  rmSync(join(out, "summary.md"));
  writeFileSync(join(out, body), "{}");
  expect(() => openFolder(out, unchecked, "all", resultsFolder)).toThrow(/would write over body-/);
});

test("reports are written where none are, or where the first of them is ours", () => {
  const refuse = (out: string) => refuseForeignReports(out, ["diff.json", "diff.md"], /^\{\s*"changes": \[/);
  expect(() => refuse(filled("empty", {}))).not.toThrow();
  expect(() => refuse(filled("ours", { "diff.json": '{\n  "changes": [', "diff.md": "#" }))).not.toThrow();
  expect(() => refuse(filled("theirs", { "diff.json": "[]" }))).toThrow(/would write over diff\.json/);
  expect(() => refuse(filled("half", { "diff.md": "# Mine" }))).toThrow(/would write over diff\.md/);
});

test.skipIf(process.platform === "win32")("folders are 0700 and files 0600", () => {
  const out = join(folder, "new", "deep");
  finish(out);
  const mode = (path: string): number => statSync(path).mode & 0o777;
  expect([mode(join(folder, "new")), mode(out)]).toEqual([0o700, 0o700]);
  expect(readdirSync(out).map((name) => mode(join(out, name)))).toEqual(readdirSync(out).map(() => 0o600));
});
