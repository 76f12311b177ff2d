/** Holds that a credential on the command line warns in one line that does not repeat it, and that no command shows secrets of the environment. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exchangeLine, headerLine } from "../cassette/write.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const dryRun = async (...keys: string[]): Promise<string> => {
  const { stderr } = await touchstoneHere(["run", "http://127.0.0.1:9", "--dry-run", "--interface", "images", ...keys]);
  return stderr;
};

test.each([
  ["a key", ["--key", "sk-live-9f8e7d6c5b4a"]],
  ["one for an interface", ["--key=messages=Zk3v9QpLm27TbXe1"]],
  ["one beside a variable", ["--key", "$PATH", "--key", "images=Zk3v9QpLm27TbXe1"]],
])("%s", async (_, keys) => {
  const stderr = await dryRun(...keys);
  expect(stderr.match(/--key was given a credential itself.*write --key '\$NAME', and set NAME$/gm)).toHaveLength(1);
  expect(stderr).not.toMatch(/9f8e7d6c5b4a|Zk3v9QpLm27TbXe1/);
});

test.each([[["--key", "$PATH"]], [["--key", "messages=$PATH"]], [["--key", "test-key"]], [[]]])(
  "%j says nothing",
  async (keys) => expect(await dryRun(...keys)).not.toContain("--key"),
);

test("a secret of the environment is in nothing that a command prints or writes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-environment-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const secret = "orchid lantern 77/b";
  const request = jsonRequest("/v1/chat/completions", [["x-agent", secret]], {
    model: secret,
    messages: [],
    temperature: 9,
  });
  const exchange = exchangeOf(request, jsonResponse({ object: secret, choices: secret }));
  const cassette = join(folder, "session.jsonl");
  writeFileSync(cassette, `${headerLine({})}\n${exchangeLine({ ...exchange, origin: "https://api.example.com" })}\n`);
  const said = async (args: readonly string[], env: Record<string, string>): Promise<string> => {
    const { stdout, stderr } = await touchstoneHere(args, env);
    return stdout + stderr;
  };
  const texts = async (env: Record<string, string>, out: string): Promise<string> => {
    const printed = [
      await said(["check", cassette, "--out", join(folder, out)], env),
      await said(["check", cassette, "--format", "json"], env),
      await said(["convert", cassette, "--to", "har", "--out", "-"], env),
      await said(["check", join(folder, secret)], env),
    ];
    const files = readdirSync(join(folder, out)).map((name) => readFileSync(join(folder, out, name), "utf8"));
    return [...printed, ...files].join("\n");
  };
  expect((await texts({}, "shown")).split("orchid lantern").length).toBeGreaterThan(5);
  expect(await texts({ DEPLOY_TOKEN: secret }, "hidden")).not.toMatch(/orchid|lantern/);
});
