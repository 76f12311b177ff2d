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

describe("two lines and exit code 2 for", () => {
  test.each([
    [[], "no command given"],
    [["check"], "check: nothing is given to work on"],
    [["check", "a.har", "--format", "yaml"], '--format "yaml" is none of "text", "json", "ndjson"'],
    [["check", "a.har", "--formt", "json"], "formt: no such option or argument"],
    [["check", "a.har", "--jobs", "many"], "--jobs is not a count"],
    [["run", "--expectations", "no.json"], "expectations no.json cannot be read: there is no such file"],
    [["run", "no.json"], "target no.json cannot be read: there is no such file"],
    [["run", "--preset", "no.json"], "preset no.json cannot be read: there is no such file"],
    [["report", "."], "results.json cannot be read: there is no such file"],
  ])("%j", async (args, complaint) => {
    expectTwoLines(await touchstoneHere(args), complaint);
  });

  test("a command that is none, as a process", async () => {
    expectTwoLines(await touchstone(["judge"]), "there is no command judge");
  });

  function expectTwoLines({ code, stdout, stderr }: Ended, complaint: string): void {
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.split("\n")).toEqual([`touchstone: ${complaint}`, expect.stringMatching(/./), ""]);
  }
});
