/** The command line itself: standard input, and what is said about arguments that do not fit. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { formatCassette } from "../cassette/write.ts";
import { home } from "../home.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { type Ended, touchstoneHere } from "./here.test-kit.ts";

/** As a process of its own. */
function touchstone(args: readonly string[], input = ""): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(home, "dist", "src", "cli.js"), ...args], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

test("check - judges what stands on standard input", async () => {
  const request = jsonRequest("/v1/messages", [], { model: "m", max_tokens: "many", messages: [] });
  const cassette = formatCassette({ header: {}, exchanges: [{ exchange: { request, response: jsonResponse({}) } }] });
  const { code, stdout } = await touchstone(["check", "-", "--format", "json"], cassette);
  const { findings } = JSON.parse(stdout) as { findings: { clause: string; source: string }[] };
  expect(code).toBe(1);
  expect(findings).toContainEqual(expect.objectContaining({ clause: "messages.request.max-tokens-type", source: "-" }));
});

test("check does not call conforming what held nothing to judge", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const other = { request: { method: "GET", url: "http://h/health" }, response: { status: 200 } };
  for (const entries of [[], [other]]) {
    const file = join(folder, `${entries.length}.har`);
    writeFileSync(file, JSON.stringify({ log: { entries } }));
    const { code, stdout } = await touchstoneHere(["check", file]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^nothing was judged: /m);
  }
});

test("without arguments it prints its help", async () => {
  const [alone, asked] = [await touchstone([]), await touchstone(["--help"])];
  expect(alone).toEqual(asked);
  expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining("touchstone run")]);
});

describe("two lines and exit code 2 for", () => {
  test.each([
    [["check"], "check needs <files..>"],
    [["check", "a.har", "--format", "yaml"], '--format "yaml" is none of "text", "json", "ndjson"'],
    [["check", "a.har", "--formt", "json"], "--formt: no such option or argument"],
    [["check", "a.har", "--jobs", "many"], "--jobs is not a count"],
    [["check", "a.har", "-z"], "there is no such option of one letter"],
    [["check", "a.har", "--format"], "--format needs a value"],
    [["convert", "x"], "convert needs --to"],
    [["run", "--model"], "--model needs a value"],
    [["run", "http://h", "--max-requests"], "--max-requests needs a value"],
    [["run", "--out", "a", "--out", "b"], "--out is given more than once"],
    [["serve", "--case", "stream/crlf", "--break", "x"], "--case and --break exclude each other"],
    [["init", "http://h", "--nope=1"], "--nope: no such option or argument"],
    [["client", "--list", "--case", "nope*"], "no case is called nope*"],
    [["run", "--expectations", "no.json"], "known failures no.json cannot be read: there is no such file"],
    [["run", "no.json"], "target no.json cannot be read: there is no such file"],
    [["run", "--preset", "no.json"], "preset no.json cannot be read: there is no such file"],
    [["report", "."], "results.json cannot be read: there is no such file"],
  ])("%j", async (args, complaint) => {
    expectTwoLines(await touchstoneHere(args), complaint);
  });

  test.each([
    [["rnu", "http://h"], "Did you mean run? "],
    [["run", "--interfce", "images"], "Did you mean --interface? "],
    [["check", "a.har", "--format", "jsn"], "Did you mean json? "],
    [["run", "--interface", "image"], "Did you mean images? "],
    [["run", "--section", "tool"], "Did you mean tools? "],
    [["run", "--clause", "stop-reason-requird"], "messages.response.stop-reason-required? "],
    [["run", "--lacks", "strucured-output"], "Did you mean structured-output? "],
    [["run", "--reading", "strict:X-NUL"], "Did you mean X-NULL? "],
    [["run", "--reading", "strct"], "Did you mean strict? "],
    [["run", "--preset", "vendor"], "Did you mean vendors? "],
    [["serve", "--break", "messages.response.stop-reason"], "Did you mean messages.response.stop-reason"],
    [["clauses", "--readings", "X-NULLL"], "Did you mean X-NULL? "],
  ])("%j, with the name that was meant", async (args, hint) => {
    const { code, stderr } = await touchstoneHere(args);
    expect([code, stderr.trim().split("\n").length]).toEqual([2, 2]);
    expect(stderr).toContain(hint);
  });

  test.each([
    [{ url: "http://h", expectation: "e.json" }, '"expectation": Did you mean expectations?'],
    [{ url: "http://h", limits: { max: 1, request: 2 } }, '"max"'],
    [
      { url: "http://h", limits: { request: 2 } },
      '"limits": it has an unknown member "request": Did you mean requests?',
    ],
    [{ url: "http://h", bindings: { name: {} } }, '"bindings": it has an unknown member "name": Did you mean names?'],
  ])("a target file with %j", async (content, complaint) => {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-cli-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "target.json");
    writeFileSync(file, JSON.stringify(content));
    const { code, stderr } = await touchstoneHere(["run", file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(complaint)]);
  });

  test("a command that is none, as a process", async () => {
    expectTwoLines(await touchstone(["judge"]), "there is no command judge");
  });

  function expectTwoLines({ code, stdout, stderr }: Ended, complaint: string): void {
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.split("\n")).toEqual([`touchstone: ${complaint}`, expect.stringMatching(/./), ""]);
  }
});
