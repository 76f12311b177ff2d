/** Options of `record` that do not fit together are refused before anything listens. */
import { expect, test } from "vitest";
import { touchstoneHere } from "./here.test-kit.ts";

test.each([
  [["http://127.0.0.1:8080", "--intercept"], /^touchstone: --intercept cannot be combined with a base URL: /],
  [["--intercept", "--upstream", "images=http://h"], /^touchstone: --intercept cannot be combined with --upstream: /],
  [["http://h", "--intercept", "--", "node"], /^touchstone: --intercept cannot be combined with a base URL: /],
  [["http://h", "--intercept-host", "h"], /^touchstone: --intercept-host needs --intercept\n/],
])("record %j is refused", async (args, message) => {
  const { code, stdout, stderr } = await touchstoneHere(["record", ...args]);
  expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([2, "", 2]);
  expect(stderr).toMatch(message);
});
