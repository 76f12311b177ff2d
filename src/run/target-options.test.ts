/** A target file says what every run repeats; variables win over it, and options over both. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { touchstone } from "./run.test-kit.ts";
import { optionsWith, readTarget } from "./target-options.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-target-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "touchstone.json");
const write = (more: object): void => writeFileSync(file, JSON.stringify({ url: "http://127.0.0.1:1", ...more }));

test("what a target file says holds where nobody says otherwise, its paths from its folder", () => {
  write({
    preset: "own.json",
    interfaces: ["images"],
    readings: ["strict"],
    limits: { requests: 5, rate: 2 },
    out: "o",
  });
  const read = readTarget(file);
  expect(read.out).toBe(join(folder, "o"));
  expect(optionsWith(read, { rate: 3, interface: ["messages"], level: undefined })).toMatchObject({
    preset: join(folder, "own.json"),
    reading: ["strict"],
    interface: ["messages"],
    maxRequests: 5,
    rate: 3,
  });
  write({ preset: "vendors" });
  expect(optionsWith(readTarget(file), {})).toMatchObject({ preset: "vendors" });
});

test("variables stand for options: over the file, under the command line, and lines are several values", async () => {
  write({ limits: { requests: 2 }, interfaces: ["images"] });
  const plan = async (env: Record<string, string>, ...args: string[]) =>
    JSON.parse((await touchstone([file, "--dry-run", "--format", "json", ...args], env)).stdout);
  expect(await plan({})).toMatchObject({ limit: 2, interfaces: ["images"] });
  const env = { TOUCHSTONE_MAX_REQUESTS: "3", TOUCHSTONE_INTERFACE: "messages\nimages", TOUCHSTONE_NOTHING: "x" };
  expect(await plan(env)).toMatchObject({ limit: 3, interfaces: ["messages", "images"] });
  expect(await plan(env, "--max-requests", "1")).toMatchObject({ limit: 1 });
});
