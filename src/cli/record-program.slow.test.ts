/** `touchstone record -- COMMAND` with official SDKs, a gate, and programs that fail. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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
  expect(await red.ended).toBe(1);
  expect(red.said.stderr).toContain("chat-completions.response.finish-reason-values");
  expect(red.said.stdout).toBe("");
  expect(await green.ended).toBe(7);
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
