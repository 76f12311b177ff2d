/** `touchstone run` for tests, against small servers that answer as the sample recordings do. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Ended, touchstoneHere, withoutProgress } from "../cli/here.test-kit.ts";
import { home } from "../home.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { type Handler, type Listening, listen, type Reply } from "../wire/listen.ts";

export const recordings = join(home, "src", "run", "samples");
export const folder = mkdtempSync(join(tmpdir(), "touchstone-run-"));
export const open: Listening[] = [];

/** Closes the servers of a test that has finished. */
export async function closeServers(): Promise<void> {
  for (const server of open.splice(0)) await server.close();
}

export const touchstone = (args: readonly string[], env?: Record<string, string>): Promise<Ended> =>
  touchstoneHere(["run", "--recordings", recordings, ...args], env);

/** The same as a process of its own. */
export function touchstoneProcess(args: readonly string[], cwd = folder): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(home, "dist", "src", "cli.js"), "run", "--recordings", recordings, ...args],
      { cwd, env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 1 << 26, timeout: 170_000, killSignal: "SIGKILL" },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr: withoutProgress(stderr) }),
    );
  });
}

export async function serve(handler: Handler): Promise<string> {
  const server = await listen(handler);
  open.push(server);
  onTestFinished(closeServers);
  return server.url;
}

export const json = (body: unknown, status = 200): Reply => ({
  status,
  headers: [["content-type", "application/json"]],
  pieces: [{ bytes: Buffer.from(JSON.stringify(body)) }],
});

/** Answers every request as the sample recordings do, tool call ids apart. */
export function recordedAnswers(): Handler {
  const answers = new Map<string, Reply>();
  const read = (source: string): void => {
    const { exchanges } = JSON.parse(readFileSync(join(recordings, `${source}.json`), "utf8"));
    for (const { request, response } of exchanges) {
      const { body, status, headers } = response;
      const text = body.chunks
        ? body.chunks.map((chunk: [number, string]) => chunk[1]).join("")
        : JSON.stringify(body.json);
      answers.set(`${request.target.split("?")[0]} ${JSON.stringify(request.body.json)}`, {
        status,
        headers,
        pieces: [{ bytes: Buffer.from(text.replaceAll("call_recorded", "call_of_this_server")) }],
      });
    }
  };
  for (const source of [
    "chat-completions/response/text",
    "chat-completions/streaming/text",
    "chat-completions/tools/round-trip",
    "images/generations/one",
    "images/errors/eleven",
    "messages/response/text",
    "generate-content/response/text",
  ])
    read(source);
  return ({ target, body }) => {
    const said = Buffer.from(body).toString().replaceAll("call_of_this_server", "call_recorded");
    return answers.get(`${target.split("?")[0]} ${said}`) ?? json({ error: { message: `not recorded: ${said}` } }, 500);
  };
}

/** The same, with the JSON answers of one path spoilt. */
export function spoilt(path: string, change: (body: never) => unknown, good = recordedAnswers()): Handler {
  return async (request) => {
    const reply = await good(request);
    const text = Buffer.concat(reply.pieces.map(({ bytes }) => bytes)).toString();
    if (!request.target.includes(path) || reply.status !== 200 || text.startsWith("data:")) return reply;
    const body = JSON.parse(text);
    return json(change(body as never) ?? body);
  };
}

export async function resultsOf(url: string, ...args: string[]): Promise<Ended & { results: RunResults }> {
  const ended = await touchstone([url, "--format", "json", ...args]);
  return { ...ended, results: JSON.parse(ended.stdout) };
}

export const twoLines = (stderr: string): string[] => stderr.trimEnd().split("\n");
