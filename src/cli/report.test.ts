/** Holds what `touchstone report` writes into a folder to what it prints. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { results } from "../report/results.test-kit.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-report-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("--out holds results and every report of them, each as --format prints it", async () => {
  const file = join(folder, "given.json");
  writeFileSync(file, JSON.stringify(results));
  const out = join(folder, "out");
  const ended = await touchstoneHere(["report", file, "--out", out]);
  expect(ended).toMatchObject({ code: 1, stderr: "" });
  const formats = {
    "gl-code-quality-report.json": "gitlab",
    "junit.xml": "junit",
    "report.html": "html",
    "results.json": "json",
    "results.sarif": "sarif",
    "summary.md": "markdown",
  };
  expect(readdirSync(out).sort()).toEqual(expect.arrayContaining(Object.keys(formats)));
  for (const [name, format] of Object.entries(formats)) {
    const { stdout } = await touchstoneHere(["report", join(out, "results.json"), "--format", format]);
    const written = readFileSync(join(out, name), "utf8");
    // What is printed has control characters as JSON escapes them.
    if (format === "json") expect(JSON.parse(written)).toEqual(JSON.parse(stdout));
    else expect(written, name).toBe(stdout);
  }
});
