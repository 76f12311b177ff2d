/** `touchstone prove` shows on a terminal how far it is, and nothing of it elsewhere. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { home } from "../home.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const clause = "images.auth.authorization-present";
const terminal = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;

test("apart from a terminal, standard error stays empty", async () => {
  const { code, stdout, stderr } = await touchstoneHere(["prove", "--clause", clause]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/\n1 proven, 0 silent, 0 dead\n$/);
});

test.skipIf(!terminal)("on a terminal one line tells how far it is, and goes before the result comes", () => {
  const command = `exec "${process.execPath}" "${join(home, "dist", "src", "cli.js")}" prove --clause ${clause}`;
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", TERM: "xterm" },
  });
  expect(stdout).toMatch(
    /^\d+ of \d+ examples and rules\r(\r\u001b\[J\d+ of \d+ examples and rules\r)+\r\u001b\[J\rimages/,
  );
  expect(stdout).toMatch(/\n1 proven, 0 silent, 0 dead\r\n$/);
});
