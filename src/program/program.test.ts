/** Programs of users as real processes: their environment, their output, and the end of all their processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { home } from "../home.ts";
import { interfaces } from "../interfaces/index.ts";
import { clientEnvironment, fillPlaceholders } from "./client-environment.ts";
import { startProgram } from "./program.ts";

const node = (script: string): string[] => [process.execPath, "-e", script];

/** Shell code that starts a daemon (`sleep` in a new session, without a parent) and prints its process id. */
const daemon = "setsid sh -c 'sleep 600 & echo $!' &";

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A killed process stays a zombie until its parent has read its end.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a program reads the addresses and the key that its SDKs look for", async () => {
  const target = { baseUrls: "http://127.0.0.1:4400/", key: "test-key" };
  const script = "console.log(JSON.stringify(process.env))";
  const env = [
    { ANTHROPIC_AUTH_TOKEN: "mine", OWN: "before" },
    clientEnvironment(interfaces, target),
    { OWN: "after" },
  ];
  const program = await startProgram(node(script), { stdio: "capture", env });
  const { exitCode, stdout } = await program.ended;
  expect(exitCode).toBe(0);
  const read = JSON.parse(stdout.bytes.toString());
  expect(read).toMatchObject({
    OPENAI_BASE_URL: "http://127.0.0.1:4400/v1",
    OPENAI_API_BASE: "http://127.0.0.1:4400/v1",
    OPENAI_API_KEY: "test-key",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:4400",
    ANTHROPIC_API_KEY: "test-key",
    GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:4400",
    GEMINI_API_KEY: "test-key",
    OWN: "after",
    PATH: process.env["PATH"],
  });
  expect(read).not.toHaveProperty("ANTHROPIC_AUTH_TOKEN");
});

test("addresses by interface leave the others, and keys, as they are", () => {
  const variables = clientEnvironment(interfaces, { baseUrls: { messages: "http://127.0.0.1:1" } }, {});
  expect(Object.keys(variables).sort()).toEqual(["ANTHROPIC_API_BASE", "ANTHROPIC_API_URL", "ANTHROPIC_BASE_URL"]);
});

test("a program reaches the recorder without the proxy of a company", () => {
  const company = { HTTPS_PROXY: "http://proxy:8080", no_proxy: "intra.test localhost" };
  expect(clientEnvironment([], { baseUrls: "http://127.0.0.1:1" }, company)).toEqual({
    NO_PROXY: "intra.test,localhost,127.0.0.1,::1",
    no_proxy: "intra.test,localhost,127.0.0.1,::1",
  });
  expect(clientEnvironment([], { baseUrls: "http://127.0.0.1:1" }, { no_proxy: "x" })).toEqual({});
});

test("placeholders are filled in, and other braces stay", () => {
  expect(
    fillPlaceholders(["--url={base_url}/v1", '{"model":{prompt}}', "{other}"], { base_url: "U", prompt: "{base_url}" }),
  ).toEqual(["--url=U/v1", '{"model":{base_url}}', "{other}"]);
});

test("output is read to its end, and its beginning kept", async () => {
  const script = "process.stdout.write('a'.repeat(3e6)); console.error('oops'); process.exitCode = 7";
  const program = await startProgram(node(script), { stdio: "capture", maxOutput: 10 });
  const { exitCode, signal, stdout, stderr } = await program.ended;
  expect({ exitCode, signal }).toEqual({ exitCode: 7, signal: null });
  expect(stdout).toEqual({ bytes: Buffer.from("a".repeat(10)), cut: 3e6 - 10 });
  expect(stderr.bytes.toString()).toBe("oops\n");
});

test("a program that cannot be started is the user's to mend", async () => {
  const missing = startProgram(["/no/such/program"], { stdio: "capture" });
  await expect(missing).rejects.toThrow("cannot start /no/such/program: there is no such program");
  await expect(startProgram([], { stdio: "capture" })).rejects.toThrow("no program is named");
  const file = join(newFolder(), "text");
  writeFileSync(file, "");
  await expect(startProgram([file], { stdio: "capture" })).rejects.toThrow("it is not executable");
  await expect(startProgram(["sh", "\0"], { stdio: "capture" })).rejects.toHaveProperty("remedy");
});

test("a signal reaches the program and what it started, and tells how it ended", async () => {
  const program = await startProgram(["sh", "-c", "trap 'echo heard; exit 3' TERM; sleep 600 & wait"], {
    stdio: "capture",
  });
  await expect
    .poll(() => readFileSync(`/proc/${program.pid}/status`, "latin1"))
    .toMatch(/SigCgt:\s+\w*[4-7c-f]\w{3}$/m);
  program.signal("SIGTERM");
  const { exitCode, stdout } = await program.ended;
  expect(exitCode).toBe(3);
  expect(stdout.bytes.toString()).toBe("heard\n");
  const killed = await startProgram(["sleep", "600"], { stdio: "capture" });
  killed.signal("SIGKILL");
  expect(await killed.ended).toMatchObject({ exitCode: 137, signal: "SIGKILL" });
  killed.signal("SIGTERM");
});

test("a daemon ends with its program", async () => {
  const program = await startProgram(["sh", "-c", `${daemon} wait; sleep 0.1`], { stdio: "capture" });
  const { stdout } = await program.ended;
  const pid = Number(stdout.bytes.toString());
  expect(pid).toBeGreaterThan(1);
  expect(isAlive(pid)).toBe(false);
});

test("a program that ignores every signal is killed in the end", async () => {
  const script = "trap '' TERM INT HUP; (trap '' TERM; sleep 600) & echo ready; sleep 600; sleep 600";
  const program = await startProgram(["sh", "-c", script], { stdio: "capture" });
  // SIGTERM is the 15th bit of the mask.
  await expect
    .poll(() => readFileSync(`/proc/${program.pid}/status`, "latin1"))
    .toMatch(/SigIgn:\s+\w*[4-7c-f]\w{3}$/m);
  await program.end(50);
  expect(await program.ended).toMatchObject({ exitCode: 137 });
});

test("a killed touchstone leaves no program and no daemon behind", async () => {
  const folder = newFolder();
  const module = pathToFileURL(join(home, "dist", "src", "program", "program.js")).href;
  const script = `
    const { startProgram } = await import(${JSON.stringify(module)});
    const shell = ${JSON.stringify(`${daemon} echo $$; wait; sleep 600`)};
    await startProgram(["sh", "-c", shell], { stdio: "inherit", cwd: ${JSON.stringify(folder)} });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (bytes) => (printed += bytes));
  await expect.poll(() => printed.trim().split("\n").length).toBe(2);
  const pids = printed.trim().split("\n").map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
});

/** Returns the signal that ended a program. A separate process supervises it, and receives SIGTERM this many times before the program runs. */
async function endedBy(argv: readonly string[], signals: number): Promise<string> {
  const folder = pathToFileURL(join(home, "dist", "src", "program", "/")).href;
  const script = `
    const [{ startProgram }, { supervise }] = await Promise.all(["program.js", "supervise.js"].map((file) => import(${JSON.stringify(folder)} + file)));
    const start = () => {
      for (let i = 0; i < ${signals}; i++) process.emit("SIGTERM", "SIGTERM");
      return startProgram(${JSON.stringify(argv)}, { stdio: "capture" });
    };
    console.log((await supervise(start, false)).signal);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (bytes) => (printed += bytes));
  await once(child, "close");
  return printed.trim();
}

test("a signal that arrives before the program runs is forwarded", async () => {
  expect(await endedBy(node("setTimeout(() => {}, 60_000)"), 1)).toBe("SIGTERM");
});

test("two signals before the program runs end it, although it ignores the first", async () => {
  const ignores = `process.on("SIGTERM", () => {}); setTimeout(() => {}, 60_000);`;
  expect(await endedBy(node(ignores), 2)).toMatch(/^SIG(?:TERM|KILL)$/);
});
