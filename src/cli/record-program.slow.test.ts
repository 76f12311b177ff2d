/** `touchstone record -- COMMAND` with official SDKs, a gate, and programs that fail. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { home } from "../home.ts";
import { serve } from "../index.ts";
import { key, linesOf, start, until } from "../record/recorder.test-kit.ts";

interface Kept {
  readonly request: { readonly target: string };
  readonly response: { readonly status: number };
}

const moduleAt = (path: string): string => JSON.stringify(pathToFileURL(join(home, "node_modules", path)).href);

/** Asks by four SDKs, each with the environment alone. */
const agent = `
  const { default: OpenAI } = await import(${moduleAt("openai/index.mjs")});
  const { default: Anthropic } = await import(${moduleAt("@anthropic-ai/sdk/index.mjs")});
  const { GoogleGenAI } = await import(${moduleAt("@google/genai/dist/node/index.mjs")});
  const { createAnthropic } = await import(${moduleAt("@ai-sdk/anthropic/dist/index.mjs")});
  const { generateText } = await import(${moduleAt("ai/dist/index.mjs")});
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const messages = [{ role: "user", content: "Hello" }];
  await new OpenAI().chat.completions.create({ model: "m", messages });
  await new Anthropic().messages.create({ model: "m", max_tokens: 20, messages });
  await new GoogleGenAI({}).models.generateContent({ model: "m", contents: "Hello" });
  await generateText({ model: createAnthropic()("m"), prompt: "Hello" });
  console.log("done");
  process.exitCode = 5;`;

const keys = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, GEMINI_API_KEY: key };
const node = (script: string): string[] => ["--", process.execPath, "--input-type=module", "-e", script];

async function reference(...broken: string[]): Promise<string> {
  const { url, close } = await serve({ break: broken });
  onTestFinished(close);
  return url;
}

test("official SDKs find the recorder by themselves; their output, keys and exit code stay the program's own", async () => {
  const { said, ended, cassette } = start([await reference(), ...node(agent)], undefined, undefined, keys);
  expect(await ended).toBe(5);
  expect(said.stdout).toBe("done\n");
  expect(said.stderr).toMatch(/^Recording to .*\n/);
  expect(said.stderr).toMatch(/conforms: 4 exchanges, 0 errors/);
  const exchanges = linesOf(cassette) as unknown as Kept[];
  expect(exchanges.map(({ request }) => request.target)).toEqual([
    "/v1/chat/completions",
    "/v1/messages",
    "/v1beta/models/m:generateContent",
    // The Vercel AI SDK leaves out the version, which its base URL is to hold.
    "/v1/messages",
  ]);
  expect(exchanges.map(({ response }) => response.status)).toEqual([200, 200, 200, 200]);
  expect(readFileSync(cassette, "utf8") + said.stderr).not.toContain(key);
});

test("--gate is red for errors of the traffic, and leaves a failure of the program", async () => {
  const url = await reference("chat-completions.response.finish-reason-values");
  const ask = `
    await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer test-key" },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] }),
    });`;
  const red = start([url, "--gate", ...node(ask)]);
  const green = start([url, "--gate", ...node("process.exitCode = 7")]);
  const empty = start([url, "--gate", ...node("")]);
  expect(await red.ended).toBe(1);
  expect(red.said.stderr).toContain("chat-completions.response.finish-reason-values");
  expect(red.said.stdout).toBe("");
  expect(await green.ended).toBe(7);
  expect(await empty.ended).toBe(2);
});

test("a program that cannot be started leaves nothing", async () => {
  const { said, ended, cassette } = start(["http://127.0.0.1:9", "--", "/no/such/program", "--key", key]);
  expect(await ended).toBe(2);
  expect(said.stderr).toMatch(
    /^Recording to .*\ntouchstone: cannot start \/no\/such\/program: there is no such program\n.*\n$/,
  );
  expect(existsSync(cassette)).toBe(false);
});

test("a program that will not end is killed at the second signal", async () => {
  const script = `process.on("SIGINT", () => console.log("told")); process.on("SIGTERM", () => {}); console.log("ready"); setInterval(() => {}, 1000);`;
  const { child, said, ended } = start(["http://127.0.0.1:9", ...node(script)]);
  await until(() => said.stdout.includes("ready"));
  child.kill("SIGINT");
  await until(() => said.stdout.includes("told"));
  child.kill("SIGINT");
  expect(await ended).toBe(137);
});

test("the folder of a session names the program and none of its arguments", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ask = "await (await fetch(process.env.OPENAI_BASE_URL + '/models')).text()";
  const { ended, said } = start([await reference(), ...node(ask), "--", "--password", "maplewindow"], folder);
  expect(await ended, said.stderr).toBe(0);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((text) => text.includes("maplewindow"))).toEqual([]);
  const { command } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  expect(command.slice(-2)).toEqual(["--", process.execPath]);
});

test("--open opens the live page in the browser of the user", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-browser-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [browser, seen] = [join(folder, "browser"), join(folder, "seen")];
  writeFileSync(browser, `#!/bin/sh\ncp "\${1#file://}" "${seen}.part" && mv "${seen}.part" "${seen}"\n`, {
    mode: 0o700,
  });
  const script = `
    import { existsSync, readFileSync } from "node:fs";
    while (!existsSync(${JSON.stringify(seen)})) await new Promise((resolve) => setTimeout(resolve, 20));
    const [url] = /http:[^"]+/.exec(readFileSync(${JSON.stringify(seen)}, "utf8"));
    console.log((await fetch(url)).status);`;
  const { said, ended } = start(["http://127.0.0.1:9", "--open", ...node(script)], undefined, undefined, {
    BROWSER: browser,
  });
  expect(await ended, said.stderr).toBe(0);
  expect(said.stdout).toBe("200\n");
  expect(said.stderr).toContain("\nlive page: http://127.0.0.1:");
});

test("a signal that ends the program gives the exit code that shells give, and a closed input changes nothing", async () => {
  const ends = (script: string) => start(["http://127.0.0.1:9", "--", "sh", "-c", script]).ended;
  expect(await Promise.all([ends("kill -9 $$"), ends("kill -SEGV $$"), ends("exec <&-; exit 4")])).toEqual([
    137, 139, 4,
  ]);
});

test("a recorder that is killed takes its program with it", async () => {
  const script = `process.on("SIGTERM", () => {}); console.log("pid " + process.pid); setInterval(() => {}, 1000);`;
  const { child, said, ended } = start(["http://127.0.0.1:9", ...node(script)]);
  await until(() => /pid \d+\n/.test(said.stdout));
  const pid = Number(/pid (\d+)/.exec(said.stdout)![1]);
  child.kill("SIGKILL");
  await ended;
  const runs = (): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  await until(() => !runs());
});

/** Types into a terminal of its own what a list of lines says: what to wait for, and what to type then. */
const terminal = `
import fcntl, json, os, pty, select, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
said = b""
for wanted, typed in json.loads(sys.argv[1]) + [[None, ""]]:
    while wanted is None or wanted.encode() not in said:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            piece = b""
        if not piece:
            break
        said += piece
    if typed.startswith("size "):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(typed[5:]), 0, 0))
    elif typed:
        os.write(fd, typed.encode())
sys.stdout.buffer.write(said)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`;
const hasPty = spawnSync("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode"]).status === 0;

/** Runs a command in a terminal. @param dialogue what to wait for, and what to type then */
async function inTerminal(dialogue: readonly (readonly [string, string])[], command: readonly string[]) {
  const child = spawn("python3", ["-c", terminal, JSON.stringify(dialogue), ...command]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.on("data", (bytes) => (text += bytes));
  child.stderr.on("data", (bytes) => (text += bytes));
  const [code] = await once(child, "close");
  return { code: code as number | null, text };
}

test.runIf(hasPty)("the program has the terminal: its size, its keys, and Ctrl+C as it likes", async () => {
  const script = `
    process.on("SIGINT", () => console.log("interrupted"));
    process.stdout.on("resize", () => console.log("columns " + process.stdout.columns));
    process.stdin.on("data", (bytes) => {
      console.log("read " + String(bytes).trim());
      if (String(bytes).startsWith("bye")) process.exit(6);
    });
    console.log("terminal " + process.stdin.isTTY + " " + process.stdout.isTTY);`;
  const folder = mkdtempSync(join(tmpdir(), "touchstone-terminal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const cli = [process.execPath, join(home, "dist", "src", "cli.js")];
  const command = [...cli, "record", "http://127.0.0.1:9", "--out", join(folder, "s.jsonl"), ...node(script)];
  const dialogue = [
    ["terminal true true", "size 123"],
    ["columns 123", "\u0003"],
    ["interrupted", "hello\n"],
    ["read hello", "bye\n"],
  ] as const;
  const { code, text } = await inTerminal(dialogue, command);
  expect(code, text).toBe(6);
  expect(text).toContain("0 exchanges are kept in");
});

test.runIf(hasPty && spawnSync("bash", ["--version"]).status === 0)(
  "Ctrl+Z stops the program and the recorder, and fg goes on with both",
  async () => {
    const script = `
      process.stdin.on("data", (bytes) => (console.log("read " + String(bytes).trim()), process.exit(7)));
      console.log("re" + "ady");`;
    const folder = mkdtempSync(join(tmpdir(), "touchstone-terminal-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "program.mjs");
    writeFileSync(file, script);
    const line = `${process.execPath} ${join(home, "dist", "src", "cli.js")} record http://127.0.0.1:9 --out ${join(folder, "s.jsonl")} -- ${process.execPath} ${file}`;
    const dialogue = [
      ["$", `${line}\n`],
      ["ready", "\u001a"],
      ["Stopped", "fg\n"],
      ["fg\r\n", "hello\n"],
      ["are kept in", "exit $?\n"],
    ] as const;
    const { code, text } = await inTerminal(dialogue, ["env", "PS1=$ ", "bash", "--norc", "--noediting", "-i"]);
    expect(code, text).toBe(7);
  },
);
