/** Holds what `touchstone report` writes into a folder to what it prints. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { home } from "../home.ts";
import { green, results } from "../report/results.test-kit.ts";
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
    // JSON escapes the control characters in what is printed.
    if (format === "json") expect(JSON.parse(written)).toEqual(JSON.parse(stdout));
    else expect(written, name).toBe(stdout);
  }
});

/** A folder of a run that began then. */
function folderOf(name: string, content: object, started: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "results.json"), JSON.stringify(content));
  const manifest = { touchstone: "0.1.0", files: {}, documents: {}, command: [], started, evidence: "none" };
  writeFileSync(join(path, "manifest.json"), JSON.stringify(manifest));
  return path;
}

test("--for says what decides the exit code", async () => {
  const file = join(folder, "for.json");
  writeFileSync(file, JSON.stringify(results));
  const { stdout, code } = await touchstoneHere(["report", file, "--for", "openai-stream"]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/\nopenai-stream \S+: not shown \(predicted\): [^\n]+\n$/);
  const both = await touchstoneHere(["report", `a=${file}`, `b=${file}`, "--for", "openai-stream"]);
  expect(both.stdout).toMatch(/\na: openai-stream [^\n]+\nb: openai-stream [^\n]+\n$/);
  const json = await touchstoneHere(["report", file, "--for", "openai-stream", "--format", "json"]);
  expect(() => JSON.parse(json.stdout)).not.toThrow();
});

const old = folderOf("a=1", green, "2026-01-02T03:04:05.000Z");
const now = folderOf("now", results, "2026-02-02T03:04:05.000Z");

test("targets stand side by side under the names given, their dates or their addresses, and the worst sets the exit code", async () => {
  const namesIn = async (...args: string[]) => {
    const { stdout, code, stderr } = await touchstoneHere(["report", ...args, "--format", "json"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    return JSON.parse(stdout).columns.map(({ name }: { name: string }) => name);
  };
  expect(await namesIn(old, now)).toEqual(["2026-01-02", "2026-02-02"]);
  expect(await namesIn(`b=c=${old}`, join(now, "results.json"))).toEqual(["b=c", "http://127.0.0.1:8080"]);
  const named = folderOf(
    "named",
    { ...green, target: { ...green.target, name: "gateway" } },
    "2026-03-02T03:04:05.000Z",
  );
  expect(await namesIn(named, now)).toEqual(["gateway", "http://127.0.0.1:8080"]);
  expect(await touchstoneHere(["report", `a=${old}`, `b=${old}`])).toMatchObject({ code: 0, stderr: "" });
});

test("--out holds what is side by side in every format, as --format prints it", async () => {
  const given = [`a=${now}`, `b=${old}`];
  const out = join(folder, "both");
  const text = await touchstoneHere(["report", ...given, "--out", out]);
  expect(text).toMatchObject({ code: 1, stderr: "" });
  expect(text.stdout).toMatch(/^messages\/response +1 pass, /m);
  for (const [format, name] of Object.entries({ json: "side-by-side.json", markdown: "side-by-side.md" })) {
    const { stdout } = await touchstoneHere(["report", ...given, "--format", format]);
    expect(
      format === "json" ? JSON.parse(readFileSync(join(out, name), "utf8")) : readFileSync(join(out, name), "utf8"),
    ).toEqual(format === "json" ? JSON.parse(stdout) : stdout);
  }
});

test("shards that have one name make one column; whole runs of one name are refused", async () => {
  const shards = [1, 2].map((index) => {
    const path = join(folder, `${index}.json`);
    writeFileSync(path, JSON.stringify({ ...green, shard: { index, of: 2 } }));
    return `sharded=${path}`;
  });
  const other = `b=${now}`;
  const { stdout } = await touchstoneHere(["report", ...shards, other, "--format", "json"]);
  expect(JSON.parse(stdout).columns.map(({ name }: { name: string }) => name)).toEqual(["sharded", "b"]);
  const twice = await touchstoneHere(["report", other, other, `c=${old}`]);
  expect(twice).toMatchObject({ code: 2, stdout: "" });
  expect(twice.stderr).toContain("the results of b cannot be merged");
});

test("--badge prints the badge alone, or writes it into a file beside the report, and keeps the exit code", async () => {
  const [given, file] = [now, join(folder, "badge.svg")];
  const printed = await touchstoneHere(["report", `gate "way"=${given}`, "--badge"]);
  expect(printed).toMatchObject({ code: 1, stderr: "" });
  expect(printed.stdout).toMatch(/^<svg .*touchstone · gate &quot;way&quot; · messages: does not conform.*<\/svg>\n$/s);
  const written = await touchstoneHere(["report", given, "--badge", file]);
  expect(written.stdout).toContain("DOES NOT CONFORM");
  expect(readFileSync(file, "utf8")).toContain("<title>touchstone · messages: does not conform");
  const two = await touchstoneHere(["report", given, old, "--badge"]);
  expect(two).toMatchObject({ code: 2, stdout: "" });
  expect(two.stderr).toContain("--badge shows one run");
});

test("the folder of a whole check is told in every format, with the check's exit code", async () => {
  const checked = join(folder, "checked");
  const recording = join(home, "recordings", "messages", "response");
  expect(await touchstoneHere(["check", recording, "--out", checked])).toMatchObject({ code: 0 });
  const json = await touchstoneHere(["report", checked, "--format", "json"]);
  expect(JSON.parse(json.stdout)).toEqual(JSON.parse(readFileSync(join(checked, "results.json"), "utf8")));
  const page = await touchstoneHere(["report", checked, "--format", "html"]);
  expect(page).toMatchObject({ code: 0, stderr: "" });
  expect(page.stdout).toMatch(/^<!doctype html>/);
  const text = await touchstoneHere(["report", checked]);
  expect(text.stdout).toContain("conforms as far as tested");
});
