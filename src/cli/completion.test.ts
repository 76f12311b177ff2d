/** The completions that a shell is offered when somebody presses Tab. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { home } from "../home.ts";
import { completionRequest } from "./completion.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const offered = async (...line: string[]): Promise<string[]> =>
  (await touchstoneHere([completionRequest, "touchstone", ...line])).stdout.split("\n").slice(0, -1);

test("commands first, then a command's options, and choices of an option", async () => {
  expect(await offered("")).toEqual(expect.arrayContaining(["run", "record", "clauses", "completion"]));
  expect(await offered("check", "--f")).toEqual(expect.arrayContaining(["--format", "--follow"]));
  expect(await offered("check", "--format", "")).toEqual(["text", "json", "ndjson"]);
});

test.each([
  [["serve", "--break", "messages.streaming.message-stop-l"], ["messages.streaming.message-stop-last"]],
  [["prove", "--clause", "messages.streaming.message-stop-l"], ["messages.streaming.message-stop-last"]],
  [["clauses", "messages.streaming.message-stop-l"], ["messages.streaming.message-stop-last"]],
  [["run", "--interface", "im"], ["images"]],
  [["check", ""], []],
  [["run", "targ"], []],
])("for %j, %j; where nothing is offered, shells offer files", async (line, expected) => {
  expect(await offered(...line)).toEqual(expected);
});

const bash = spawnSync("bash", ["-c", "((BASH_VERSINFO[0] >= 4))"]).status === 0;

test.skipIf(!bash)("the script completes a clause in bash", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-completion-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(home, "dist", "src", "cli.js")}" "$@"\n`;
  writeFileSync(join(folder, "touchstone"), program, { mode: 0o755 });
  const script = `source <(touchstone completion)
COMP_WORDS=(touchstone clauses messages.streaming.message-stop-l); COMP_CWORD=2
_touchstone_yargs_completions; echo "\${COMPREPLY[@]}"`;
  const env = { ...process.env, SHELL: "/bin/bash", ZSH_NAME: "", PATH: `${folder}:${process.env["PATH"]}` };
  expect(execFileSync("bash", ["-c", script], { env, encoding: "utf8" })).toBe(
    "messages.streaming.message-stop-last\n",
  );
});
