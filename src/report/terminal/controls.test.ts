/** Nothing that steers a terminal, and no credential of the command line, is printed as it came. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { touchstoneHere } from "../../cli/here.test-kit.ts";
import { cleaned } from "./controls.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-terminal-"));
afterAll(() => rmSync(folder, { recursive: true }));

const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

test("control characters are written as JSON escapes them; line breaks, tabs and, in colour, our colours stay", () => {
  const hostile = "a\u001b]52;c;AAAA\u0007b\u009b2Jc\u202ed\r\u001b[2K\u001b[1Ae\u0000\u061c\u2066";
  for (const colored of [false, true]) {
    const safe = cleaned(hostile, colored);
    expect(safe).not.toMatch(raw);
    expect(JSON.parse(`"${safe}"`)).toBe(hostile);
  }
  const painted = "\u001b[31mred\u001b[0m\n\tx";
  expect(cleaned(painted, true)).toBe(painted);
  expect(cleaned(painted, false)).toBe("\\u001b[31mred\\u001b[0m\n\tx");
  expect(cleaned("ä ☃ \u{1f600}", false)).toBe("ä ☃ \u{1f600}");
});

describe("what came from outside is printed cleaned by", () => {
  const nasty = "\u001b]52;c;AAAA\u0007\u009b2J\u202e";
  const cassette = join(folder, `tape\u001b[31m\u202e.jsonl`);
  const exchange = {
    request: {
      method: "POST",
      target: `/v1/${nasty}`,
      headers: [["X", nasty]],
      body: { json: { model: nasty, [nasty]: 1 } },
    },
    response: { status: 400, reason: nasty, headers: [["content-type", nasty]], body: { text: `${nasty}{` } },
  };
  writeFileSync(cassette, `{"touchstone":1}\n${JSON.stringify(exchange)}\n{"torn`);
  const har = join(folder, "odd.har");
  writeFileSync(har, JSON.stringify({ log: { entries: [{ [nasty]: nasty, request: { method: nasty } }] } }));
  const target = join(folder, "target.json");
  writeFileSync(target, JSON.stringify({ url: `http://h/${nasty}?x`, [nasty]: 1 }));

  test.each<readonly (readonly string[])[]>([
    [["check", cassette]],
    [["check", cassette, "--format", "json"]],
    [["check", cassette, "--format", "ndjson"]],
    [["check", har]],
    [["convert", cassette, "--to", "har"]],
    [["report", har]],
    [["run", target]],
    [["run", "--preset", nasty]],
    [["run", "--expectations", har]],
    [["run", `http://${nasty}`]],
    [["record", nasty]],
    [["clauses", nasty]],
    [["serve", "--listen", nasty]],
    [["play", cassette, "--pace", nasty]],
    [[nasty]],
    [["check", `--${nasty}`, "x"]],
    [["check", "x", "--format", nasty]],
  ])("%j", async (args) => {
    const { stdout, stderr } = await touchstoneHere(args);
    expect(stdout + stderr).not.toMatch(raw);
    expect(stdout + stderr).toMatch(/./);
  });
});

describe("no usage error repeats a credential of", () => {
  const secret = "hunter-22";
  test.each<readonly (readonly string[])[]>([
    [[`http://user:${secret}@host`]],
    [["run", `http://user:${secret}@host:x`]],
    [["run", `user:${secret}@host:80`]],
    [["run", `https:/user:a@${secret}/x@h o s t`]],
    [["run", "--preset", `http://u:${secret}@h`]],
    [["run", "--header", `Authorization Bearer ${secret}`]],
    [["run", "http://h", "--header", `X-Pass: ${secret}`, "--bind", secret]],
    [["run", "http://h", "-H", `X-Pass: ${secret}`, "--bind", secret]],
    [["run", "http://h", `-HX-Pass: ${secret}`, "--bind", secret]],
    [["run", "http://h", `-H=X-Pass: ${secret}`, "--bind", secret]],
    [["run", "http://h", "--key", secret, "--reading", secret]],
    [["record", `http://u:pass word${secret}@ho st`]],
    [["record", "--upstream", `x=http://u:${secret}@h`]],
    [["record", "--upstream", `messages=http://u:${secret}@h:port`]],
    [["play", "x", "--on-miss", "record", "--out", "y", "--upstream", `//u:${secret}@h:x`]],
    [["check", `http://u:${secret}@h/a.har`]],
    [["check", "x", "--tokn", secret]],
    [["check", "x", `--tokn=${secret}`]],
    [["check", "x", `-q${secret.slice(-3)}`]],
    [["serve", "--listen", `u:${secret}@h:1`]],
    [["serve", "--break", "sk-abcdefghijklmnop1234567890"]],
  ])("%j", async (args) => {
    const { code, stdout, stderr } = await touchstoneHere(args);
    expect(code).toBe(2);
    expect(stdout + stderr).not.toMatch(/hunter|22|pass word|sk-abc/);
  });
});
