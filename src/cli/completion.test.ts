/** The completions that a shell is offered when somebody presses Tab. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { replaceText } from "../replace-text.test-kit.ts";
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

/** Completes a line of `touchstone` in a shell: the script to source it, and the commands that show what is offered. */
const inShells = {
  bash: `source <(touchstone completion bash)
COMP_WORDS=(touchstone LINE); COMP_CWORD=2; _touchstone; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `compdef() { }; _describe() { print -l -- "\${(@P)2}" }; _files() { print files }
source <(touchstone completion zsh)
words=(touchstone LINE); CURRENT=3; _touchstone`,
  fish: "touchstone completion fish | source; complete -C 'touchstone LINE'",
} as const;
const isInstalled = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

/** Puts a program into a folder that prints what `touchstone` prints to a shell that asks for its script and for this line. */
async function writeProgram(folder: string, shell: string, line: string): Promise<void> {
  const request = [completionRequest, "touchstone", ...line.split(" ")];
  const script = await touchstoneHere(["completion", shell]);
  writeFileSync(join(folder, "script"), script.stdout);
  writeFileSync(join(folder, "offered"), (await touchstoneHere(request, { SHELL: shell })).stdout);
  const program = `#!/bin/sh
IFS='|'
case "$SHELL|$*" in
"/bin/sh|completion|${shell}") cat "${folder}/script" ;;
"${shell}|${request.join("|")}") cat "${folder}/offered" ;;
*) echo "not $SHELL|$*" >&2; exit 2 ;;
esac
`;
  writeFileSync(join(folder, "touchstone"), program, { mode: 0o755 });
}

describe.each(Object.entries(inShells))("the script for %s", (shell, script) => {
  test.skipIf(!isInstalled(shell)).each([
    ["clauses messages.streaming.message-stop-l", /^messages\.streaming\.message-stop-last\n$/],
    ["check --foll", shell === "bash" ? /^--follow\n$/ : /^--follow\b/m],
    ["prove --inter", shell === "bash" ? /^--interface\n$/ : /^--interface\b/m],
  ])("completes %j", async (line, expected) => {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-completion-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await writeProgram(folder, shell, line);
    const env = { ...process.env, HOME: folder, SHELL: "/bin/sh", PATH: `${folder}:${process.env["PATH"]}` };
    const args = shell === "zsh" ? ["-f", "-c"] : ["-c"];
    expect(execFileSync(shell, [...args, replaceText(script, "LINE", line)], { env, encoding: "utf8" })).toMatch(
      expected,
    );
  });
});

test("a shell without a script is one line, and $SHELL is the default", async () => {
  expect(await touchstoneHere(["completion", "csh"])).toMatchObject({ code: 2, stdout: "" });
  expect((await touchstoneHere(["completion"], { SHELL: "/usr/bin/fish" })).stdout).toContain("complete -c touchstone");
  expect((await touchstoneHere(["completion"], { SHELL: "/bin/sh" })).stdout).toContain("complete -o default");
});
