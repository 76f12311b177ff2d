/** Holds what a command says when it is interrupted, and the last lines of a log. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { home } from "../home.ts";
import { results } from "../report/results.test-kit.ts";
import { withoutProgress } from "./here.test-kit.ts";
import { closingText } from "./run-output.ts";

const cli = join(home, "dist", "src", "cli.js");

/** Starts a command, and interrupts it when `ready` resolves. */
async function interrupted(args: readonly string[], ready: (child: ReturnType<typeof spawn>) => Promise<unknown>) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (piece) => void (stderr += piece));
  await ready(child);
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  return { code, stderr: withoutProgress(stderr) };
}

/** The exchanges that a run has left so far. */
const kept = (out: string): string => {
  const name = readdirSync(out).find((one) => one.startsWith("exchanges.jsonl"));
  return name ? readFileSync(join(out, name), "utf8") : "";
};

test("a run says how far it was, where that lies, and that it does not count", async () => {
  const out = mkdtempSync(join(tmpdir(), "touchstone-interrupted-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const args = ["run", "--interface", "images", "--rate", "3", "--concurrency", "1", "--no-probes", "--out", out];
  const { code, stderr } = await interrupted(args, () =>
    // The header is there, and what passed first.
    expect.poll(() => kept(out).split("\n").length, { interval: 20 }).toBeGreaterThan(2),
  );
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^touchstone: interrupted at \d+ of \d+ recordings and groups of probes; the results so far do not count/,
  );
  expect(stderr).toContain(`${out} holds the exchanges so far`);
  expect(JSON.parse(readFileSync(join(out, "results.json"), "utf8")).complete).toBe(false);
});

test("a check says how many exchanges it judged", async () => {
  const line = `${JSON.stringify({ request: { method: "GET", target: "/", headers: [], body: { text: "x".repeat(2000) } }, response: null })}\n`;
  const { code, stderr } = await interrupted(["check", "-"], async (child) => {
    // The command ends before it has read all of it.
    child.stdin!.on("error", () => {});
    child.stdin!.write(`{"touchstone":1}\n${line.repeat(1300)}`);
    let said = "";
    child.stdout!.on("data", (piece) => void (said += piece));
    // A batch is counted when it is printed whole: here the first is, since lines of the second follow.
    await expect.poll(() => said.split("\n").length).toBeGreaterThan(700);
  });
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^touchstone: interrupted at \d+ exchanges, in -;/),
  });
});

test("the last lines name where evidence lies", () => {
  expect(closingText(results, "a b")).toBe("Kept in a b: report.html to read, results.json for touchstone report.\n");
  expect(closingText(results, undefined)).toContain("Nothing was kept: --verbose prints");
  expect(closingText({ ...results, clauses: [], incidents: [] }, undefined)).toBe("");
});
