/** Holds the action of GitHub to its form, and its script to passing inputs as they are. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { action, runAction } from "../dev/action.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { reservePort } from "../wire/reserve-port.test-kit.ts";
import { withoutProgress } from "./here.test-kit.ts";

const { inputs, outputs, runs } = action;

test("it is a composite action whose inputs reach its script through the environment alone", () => {
  expect(runs.using).toBe("composite");
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(["url", "target", "expectations", "args"]));
  for (const [name, input] of Object.entries(inputs)) {
    expect(input.description, name).toBeTruthy();
    expect(typeof input.default, name).toBe("string");
  }
  const used = [JSON.stringify(runs), JSON.stringify(outputs)].join().matchAll(/inputs\.([\w-]+)/g);
  expect([...new Set([...used].map(([, name]) => name))].sort()).toEqual(Object.keys(inputs).sort());
  for (const step of runs.steps) {
    expect(Number("run" in step) + Number("uses" in step)).toBe(1);
    if (step.run === undefined) continue;
    expect(step.shell).toBe("bash");
    expect(step.run).not.toMatch(/\$\{\{/);
  }
  for (const { uses } of runs.steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+(\/[\w-]+)+@[\da-f]{40}$/);
  const script = runs.steps.findIndex(({ id }) => id === "run");
  for (const after of runs.steps.slice(script + 1)) expect(after.if).toContain("always()");
  // Two jobs of a matrix, and two steps of a job, upload under names of their own.
  const upload = runs.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
  expect(upload?.with?.["name"]).toMatch(/github\.job.*strategy\.job-index.*github\.action/);
});

/** Runs the script in a folder of its own. */
function act(given: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), "touchstone-action-"));
  const outputFile = `${cwd}.outputs`;
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  onTestFinished(() => rmSync(outputFile, { force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const { status, stdout, stderr } = runAction(given, cwd, { GITHUB_OUTPUT: outputFile, GITHUB_WORKSPACE: cwd });
  const lines = existsSync(outputFile) ? readFileSync(outputFile, "utf8").trim().split("\n") : [];
  const told = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
  return { cwd, status, stdout, stderr, told };
}

test("arguments are passed one a line, none of them read by a shell, and the exit code is that of the run", () => {
  const hostile = '$(touch made) `touch made`; touch made "';
  const asked = act({ args: `--interface\nimages\n--no-probes\n--header\nX-Odd: ${hostile}\n`, out: "kept here" });
  expect({ status: asked.status, stderr: withoutProgress(asked.stderr) }).toEqual({ status: 0, stderr: "" });
  expect(asked.stdout).toContain("conforms as far as tested");
  expect(readdirSync(asked.cwd).sort()).toEqual(["kept here", "kept here-badge.svg", "kept here.sarif"]);
  expect(readdirSync(join(asked.cwd, "kept here"))).toContain("results.json");
  const planned = act({ url: `http://127.0.0.1:1/${hostile}`, args: `--dry-run\n--interface\n${hostile}` });
  expect(planned).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("$(touch made) `touch made`; touch made"),
  });
  expect(readdirSync(planned.cwd)).toEqual([]);
  expect(act({ url: "http://127.0.0.1:1", target: "touchstone.json" })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("both url and target"),
  });
});

/** A server of chat completions that answers every request alike. */
const pythonServer = `
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

REPLY = {
    "id": "chatcmpl-1", "object": "chat.completion", "created": 1735689600, "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi.", "refusal": None}, "logprobs": None, "finish_reason": "FINISH"}],
    "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
}

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.dumps(REPLY).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
`;

test("a project without package.json starts its server, and learns verdict, counts and files of the run", async () => {
  const port = await reservePort();
  const target = { url: `http://127.0.0.1:${port}`, lacks: ["keys"] };
  const given = {
    start: `python3 server.py ${port}`,
    target: "touchstone.json",
    interface: "chat-completions",
    args: "--no-probes\n--scenario\nchat-completions/request/sampling",
  };
  const files = { "touchstone.json": JSON.stringify(target), "server.py": replaceText(pythonServer, "FINISH", "done") };
  const { cwd, status, told } = act(given, files);
  expect(status).toBe(1);
  expect(told).toMatchObject({ verdict: "fails", report: join(cwd, "touchstone-results", "report.html") });
  expect(Number(told["failed"])).toBeGreaterThan(0);
  expect(Number(told["passed"])).toBeGreaterThan(0);
  expect(readFileSync(told["badge"]!, "utf8")).toContain("<svg");
  const { runs } = JSON.parse(readFileSync(told["sarif"]!, "utf8"));
  expect(runs[0].results[0].locations[0].physicalLocation.artifactLocation).toEqual({ uri: "touchstone.json" });
  expect(act({ ...given, "fail-on": "never" }, files)).toMatchObject({ status: 0, told: { verdict: "fails" } });
});

test("a server that does not start is told with what it printed, and a wrong level is refused", async () => {
  const port = await reservePort();
  const given = { url: `http://127.0.0.1:${port}`, start: "echo no such model >&2; exit 3", wait: "1" };
  const { status, stderr, told } = act(given);
  expect(status).toBe(2);
  expect(told).toMatchObject({ verdict: "incomplete", failed: "0", badge: "", sarif: "" });
  expect(stderr).toContain("no such model");
  expect(act({ "fail-on": "all" })).toMatchObject({ status: 2, stderr: expect.stringContaining("fail-on all") });
});

/** A package whose program says whether it sees a key, and whose install script keeps what it sees. */
function spyPackage(folder: string): string {
  const kept = join(folder, "kept");
  const program = `#!/usr/bin/env node
    const { appendFileSync } = require("node:fs");
    appendFileSync(${JSON.stringify(kept)}, process.argv[2] + " " + (process.env.TOUCHSTONE_KEY ?? "none") + " " + (process.env.KEY ?? "none") + "\\n");`;
  const manifest = {
    name: "touchstone",
    version: "1.0.0",
    bin: "program.js",
    scripts: { install: `echo "install $TOUCHSTONE_KEY$KEY" >>${kept}` },
  };
  mkdirSync(join(folder, "package"));
  writeFileSync(join(folder, "package", "program.js"), program, { mode: 0o755 });
  writeFileSync(join(folder, "package", "package.json"), JSON.stringify(manifest));
  execFileSync("tar", ["-czf", join(folder, "spy.tgz"), "-C", folder, "package"]);
  return join(folder, "spy.tgz");
}

test("the key reaches the run alone: no install script runs, and the server does not see it", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-action-spy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const kept = join(folder, "kept");
  const start = `echo "server ${"$"}{TOUCHSTONE_KEY:-none} ${"$"}{KEY:-none}" >>${kept}.server`;
  const given = { package: spyPackage(folder), key: "the-key-of-the-target", start, wait: "1" };
  const { status, stderr } = runAction(given, folder, {
    GITHUB_OUTPUT: join(folder, "out"),
    TOUCHSTONE_KEY: "another",
  });
  expect(status, stderr).toBe(0);
  expect(readFileSync(kept, "utf8")).toBe("run the-key-of-the-target none\n");
  expect(readFileSync(`${kept}.server`, "utf8")).toBe("server none none\n");
});

test.runIf(spawnSync("jq", ["--version"]).status === 0)(
  "only a comment of the bot is edited, whoever else wrote one that begins like it",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-action-comment-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "summary.md"), "It conforms.");
    const step = runs.steps.find(({ env }) => env?.["MARK"] !== undefined)!;
    /** How the comments are changed. @param authors who wrote comments that begin with the mark */
    const changed = (authors: readonly string[]): string => {
      const comments = authors.map((login, id) => ({ id, user: { login }, body: "<!-- touchstone x -->\nmine" }));
      writeFileSync(join(folder, "comments.json"), JSON.stringify(comments));
      // It answers as the program of GitHub does, and keeps what it is asked to change.
      writeFileSync(
        join(folder, "gh"),
        `#!/bin/sh
      case "$*" in
        *--jq*) for last; do :; done; jq -r "$last" comments.json ;;
        *) echo "$3 $4" >>changes ;;
      esac`,
        { mode: 0o755 },
      );
      rmSync(join(folder, "changes"), { force: true });
      const env = {
        PATH: `${folder}:${process.env["PATH"]}`,
        MARK: "touchstone x",
        SUMMARY: join(folder, "summary.md"),
        GITHUB_REPOSITORY: "o/r",
        PULL_REQUEST: "7",
      };
      execFileSync("bash", ["-c", step.run!], { cwd: folder, env });
      return readFileSync(join(folder, "changes"), "utf8");
    };
    expect(changed(["mallory", "github-actions[bot]"])).toBe("PATCH repos/o/r/issues/comments/1\n");
    expect(changed(["mallory"])).toBe("POST repos/o/r/issues/7/comments\n");
  },
);
