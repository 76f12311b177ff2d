/** `touchstone client --once` with programs that go through all cases, fall over, or ask what they like. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { home } from "../../../home.ts";
import type { ClientDocument } from "../../document.ts";

/** Asks one question, and gives back the text. */
const ask = `
const base = process.env.OPENAI_BASE_URL;
async function ask(model, stream = true, prompt = "Hello") {
  const answer = await fetch(base + "/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY, "content-type": "application/json" },
    body: JSON.stringify({ model, stream, messages: [{ role: "user", content: prompt }] }),
    signal: AbortSignal.timeout(20_000),
  });
  if (!answer.ok) throw new Error("status " + answer.status);
  if (!stream) return (await answer.json()).choices[0].message.content;
  let text = "";
  for (const event of (await answer.text()).split("\\n\\n"))
    if (event.startsWith("data: {")) text += JSON.parse(event.slice(6)).choices[0]?.delta.content ?? "";
  return text;
}`;

/** Goes through the cases that the server lists. @param before what it does with each case first */
const loop = (before = "", print = "console.log(JSON.stringify(report))"): string => `${ask}
const cases = await (await fetch(base.replace(/\\/v1$/, "/cases"))).json();
for (const one of cases) {
  if (one.interface !== "chat-completions") continue;
  ${before}
  const report = await ask(one.model, one.stream, one.prompt).then(
    (text) => ({ case: one.case, text }),
    ({ name, message }) => ({ case: one.case, error: { name, message } }),
  );
  ${print};
}`;

/** Asks over and over, and prints the answers. */
const agent = (print: string): string => `${ask}
for (let i = 0; ; i++) {
  const said = await ask("gpt-5", true, "turn " + i).catch((error) => "failed: " + error);
  ${print};
  await new Promise((resolve) => setTimeout(resolve, 50));
}`;

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-once-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a command to its end. */
async function touchstone(command: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), command, ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (bytes) => (said.stdout += bytes));
  child.stderr.on("data", (bytes) => (said.stderr += bytes));
  const [code] = await once(child, "close");
  return { code: code as number, ...said };
}

const few = ["plain", "stream/lf", "stream/crlf", "failure/400", "cut/end-in-text"];
const selected = few.flatMap((id) => ["--case", id]);

/** The outcomes of a program, by case. */
async function outcomes(script: string, ...args: readonly string[]): Promise<Record<string, string>> {
  const file = join(folderOfTest(), "program.mjs");
  writeFileSync(file, script);
  const ended = await touchstone("client", ...args, "--format", "json", "--", process.execPath, file);
  expect(ended.stderr).not.toContain("touchstone:");
  const { cases, complete, options } = JSON.parse(ended.stdout) as ClientDocument;
  expect([complete, options.interfaces]).toEqual([true, ["chat-completions"]]);
  return Object.fromEntries(cases.map((one) => [one.case, one.outcome]));
}

const right = {
  plain: "works",
  "stream/lf": "works",
  "stream/crlf": "crashes",
  "failure/400": "error",
  "cut/end-in-text": "silent",
};

test("one process goes through the cases by name, and its folder verifies", async () => {
  const out = join(folderOfTest(), "out");
  expect(await outcomes(loop(), "--once", ...selected, "--out", out)).toEqual(right);
  const verified = await touchstone("verify", out);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
});

test("a program that says nothing of its cases is accused of nothing but what it asks", async () => {
  const all = Object.fromEntries(few.map((id) => [id, "not-shown"]));
  expect(await outcomes(loop("", ""), "--once", ...selected)).toEqual(all);
});

test("a case that ends the process is told, and the others are gone through by a new one", async () => {
  const dies = loop('if (one.case === "stream/lf") { await ask(one.model); process.abort(); }');
  expect(await outcomes(dies, "--once", ...selected)).toEqual({ ...right, "stream/lf": "crashes" });
});

test("a case that never ends is told, and the others are gone through by a new process", async () => {
  const hangs = loop(
    'if (one.case === "stream/lf") { await ask(one.model); await new Promise(() => setInterval(() => {}, 1000)); }',
  );
  const timeout = ["--timeout", "5"];
  expect(await outcomes(hangs, "--once", ...selected, ...timeout)).toEqual({ ...right, "stream/lf": "hangs" });
});

test.each([
  ["the report of one case", 'console.log(JSON.stringify({ case: "plain", text: "again" }))'],
  ["reports of unknown cases", 'console.log(JSON.stringify({ case: "none", text: "again" }))'],
  ["lines without a report", 'console.log("still here")'],
])("a program that prints %s for ever is ended", async (_, print) => {
  const asks = loop('if (one.case !== "plain") continue;');
  const found = await outcomes(
    `${asks}\nsetInterval(() => ${print}, 200);`,
    ...["--once", "--timeout", "4", "--case", "plain", "--case", "stream/lf"],
  );
  expect(found).toEqual({ plain: "works", "stream/lf": "not-shown" });
});

test("a program that asks for one case for ever is ended by the bound on the whole", async () => {
  const file = join(folderOfTest(), "program.mjs");
  writeFileSync(file, `${loop()}\nsetInterval(() => void ask("plain").catch(() => {}), 500);`);
  const only = ["--interface", "chat-completions", "--case", "plain"];
  const args = ["--once", "--timeout", "4", ...only, "--", process.execPath, file];
  const { code, stdout, stderr } = await touchstone("client", ...args);
  expect([code, stdout]).toEqual([0, expect.stringContaining("works")]);
  expect(stderr).toContain(
    "The program was ended: it was still running after 16 seconds, twice --timeout for each case.\n",
  );
});

test("cases that nobody asks for are not shown", async () => {
  const skips = loop('if (one.case !== "plain" && one.case !== "stream/lf") continue;');
  const rest = { "stream/crlf": "not-shown", "failure/400": "not-shown", "cut/end-in-text": "not-shown" };
  expect(await outcomes(skips, "--once", ...selected)).toEqual({ ...right, ...rest });
});

test("by time, an agent is judged by what it prints, and a cut that it tells nothing of is not shown", async () => {
  const every = ["--once", "--every", "1"];
  const found = await outcomes(agent("console.log(said)"), ...every, ...selected);
  expect(found).toEqual({ ...right, "cut/end-in-text": "not-shown" });
  const all = Object.fromEntries(few.map((id) => [id, "not-shown"]));
  expect(await outcomes(agent(""), ...every, ...selected)).toEqual(all);
});

test("a program that names no case is told what it asked", async () => {
  const file = join(folderOfTest(), "program.mjs");
  writeFileSync(file, agent(""));
  const { code, stderr } = await touchstone("client", "--once", "--timeout", "3", "--", process.execPath, file);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    / named no case: it asked \/v1\/chat\/completions with the model gpt-5.*\n.*GET \{base_url\}\/cases/,
  );
});
