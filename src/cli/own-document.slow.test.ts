/** Every command that takes `--documents` works with an own document, a file or a folder, and refuses a broken one in one line. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchangeLine, headerLine } from "../cassette/write.ts";
import { documentOf } from "../documents/documents.test-kit.ts";
import { home } from "../home.ts";
import { serve } from "../index.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { commandNames } from "./commands.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-own-"));
const at = (...names: string[]): string => join(folder, ...names);
const state = { type: "object", required: ["state"], properties: { state: { enum: ["on", "off"] } } };
const document = documentOf({ $ref: "schemas/thing.json" }, state);
const exchange = (body: object, reply: object) => ({
  request: jsonRequest("/v1/things", [], body),
  response: jsonResponse(reply),
});
const write = (name: string, content: object): void => writeFileSync(at(name), JSON.stringify(content));
const recording = (name: string, reply: object): void =>
  writeFileSync(at(name), `${headerLine({})}\n${exchangeLine(exchange({ name: "a" }, reply))}\n`);

let target = "";
let close = async (): Promise<void> => {};
beforeAll(async () => {
  for (const name of ["schemas", "own", "own/schemas"]) mkdirSync(at(name));
  for (const name of ["api.json", "own/api.json"]) write(name, document);
  for (const name of ["schemas/thing.json", "own/schemas/thing.json"])
    write(name, { type: "object", properties: { name: { type: "string" } } });
  write("own/interface.json", { name: "things", openapi: "api.json" });
  write("broken.json", documentOf({ $ref: "https://example.com/thing.json" }));
  recording("a.jsonl", { state: "on" });
  recording("b.jsonl", { state: 1 });
  ({ url: target, close } = await serve({ documents: [at("api.json")] }));
  for (const own of ["api.json", "own"])
    await touchstoneHere(["run", target, "--documents", at(own), "--out", at(`results-${own}`)]);
});
afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the built program, and interrupts it once it listens. */
async function touchstone(args: readonly string[]) {
  const child = spawn(process.execPath, [join(home, "dist", "src", "cli.js"), ...args], { cwd: folder });
  const said = { stdout: "", stderr: "" };
  let isStopped = false;
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      // Once: a second signal ends a command before it is done.
      const isListening = name === "stdout" && said.stdout.startsWith("listening on") && !args.includes("--");
      if (isListening && !isStopped) isStopped = child.kill("SIGINT");
    });
  const [code] = await once(child, "close");
  return { code: code as number, ...said };
}

const resultsFor = (own: string): string => (own === "own" ? "results-own" : "results-api.json");

/** For each command: its arguments, exit code and first line. */
const commands: Readonly<Record<string, readonly [args: (own: string) => string[], code: number, first: RegExp]>> = {
  run: [() => [target], 0, /^touchstone|^things|127\.0\.0\.1/],
  record: [() => ["--out", at("session.jsonl"), target], 0, /^listening on http:/],
  check: [() => ["b.jsonl"], 1, /^b\.jsonl$/],
  play: [() => ["a.jsonl"], 0, /^listening on http:/],
  report: [(own) => [resultsFor(own)], 0, /things|conforms|touchstone/],
  diff: [() => ["a.jsonl", "b.jsonl"], 1, /^things: POST \/v1\/things, response/],
  verify: [(own) => [resultsFor(own)], 0, /^HOLDS/],
  serve: [() => [], 0, /^listening on http:/],
  clauses: [() => ["things"], 0, /^things/],
  prove: [() => ["--interface", "things"], 0, /clause|things/],
  // A program that sends nothing cannot be judged.
  client: [(own) => ["--documents", own, "--", "true"], 2, /^touchstone: true asked nothing/],
  gateway: [
    () => ["http://127.0.0.1:9", "--from", "messages", "--to", "chat-completions", "--upstream", "127.0.0.1:0"],
    2,
    /^touchstone: http:\/\/127\.0\.0\.1:9/,
  ],
  init: [() => [target, "--out", at("started")], 0, /\S/],
};

const lineOf = (name: string, own: string): string[] => {
  const args = commands[name]![0](own);
  return [name, ...args, ...(args.includes("--documents") ? [] : ["--documents", own])];
};

test("the table has every command that takes --documents", async () => {
  const taking: string[] = [];
  for (const name of commandNames)
    if ((await touchstoneHere([name, "--help"])).stdout.match(/^ +--documents +/m)) taking.push(name);
  expect(Object.keys(commands).sort()).toEqual(taking.sort());
});

describe.each(["api.json", "own"])("with %s", (own) => {
  test.each(Object.keys(commands))("%s works", async (name) => {
    const [, code, first] = commands[name]!;
    const { stdout, stderr, ...ended } = await touchstone(lineOf(name, own));
    expect(ended.code, stderr).toBe(code);
    expect((code === 2 ? stderr : stdout).split("\n")[0]).toMatch(first);
    rmSync(at("started"), { recursive: true, force: true });
    rmSync(at("session.jsonl"), { force: true });
  });
});

test.each(Object.keys(commands))("%s refuses a document that refers to the network, in one line", async (name) => {
  const { code, stderr } = await touchstone(lineOf(name, "broken.json"));
  expect(code).toBe(2);
  const [what, remedy, ...more] = stderr.trimEnd().split("\n");
  expect(what).toMatch(/broken\.json: \/paths\/.*\/\$ref refers to "https:.*", and nothing is read over the network$/);
  expect([remedy, more]).toEqual([expect.stringContaining("Save the file"), []]);
});
