/** `touchstone record` as users meet it, for its tests: a process of its own, between clients and upstreams on real sockets. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { home } from "../home.ts";

export const key = "sk-test-4f9c2ab81d3e77";
export async function upstream(answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
  const server = http.createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface Session {
  readonly child: ChildProcess;
  readonly url: string;
  readonly out: string;
  stdout(): string;
  stderr(): string;
  /** Sends the signal and resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * @param within a shell command that runs first, in the same process
 * @param variables of its environment
 */
export function start(args: readonly string[], out?: string, within?: string, variables?: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-record-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const cassette = out ?? join(folder, "session.jsonl");
  const command = [process.execPath, join(home, "dist", "src", "cli.js"), "record", "--out", cassette, ...args];
  const [program, ...rest] = within ? ["sh", "-c", `${within}; exec "$@"`, "sh", ...command] : command;
  const child = spawn(program!, rest, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", ...variables },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (bytes) => (said.stdout += bytes));
  child.stderr.on("data", (bytes) => (said.stderr += bytes));
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { child, cassette, said, ended };
}

export const record = (...args: string[]): Promise<Session> => recordWithin(undefined, ...args);

export async function recordWithin(within: string | undefined, ...args: string[]): Promise<Session> {
  const { child, cassette, said, ended } = start(args, undefined, within);
  await until(() => said.stdout.includes("\n") || child.exitCode !== null);
  const url = /^listening on (http:\/\/\S+)\n/.exec(said.stdout)?.[1];
  if (!url) throw new Error(`it did not listen: ${said.stderr}`);
  return {
    child,
    url,
    out: cassette,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    end(signal = "SIGINT") {
      child.kill(signal);
      return ended;
    },
  };
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

export const chat = (more: object = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
  body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...more }),
});

export const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: Math.floor(Date.now() / 1000),
  model: "m",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "hello", refusal: null },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

export const completes = (_: IncomingMessage, res: ServerResponse): void => {
  res.setHeader("content-type", "application/json");
  res.end(JSON.stringify(completion));
};

export const linesOf = (out: string): { request: never; response: never; aborted?: string }[] =>
  readFileSync(out, "utf8")
    .split("\n")
    .slice(1, -1)
    .map((line) => JSON.parse(line));
