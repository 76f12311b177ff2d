/** Holds that a credential on the command line warns in one line that does not repeat it. */
import { expect, test } from "vitest";
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
