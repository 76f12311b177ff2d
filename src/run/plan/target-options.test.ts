/** A target file says what every run repeats; variables win over it, and options over both. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { shippedClauses } from "../../interfaces/clause-data.ts";
import { judgingFrom } from "../../interfaces/judging.ts";
import { touchstone } from "../run.test-kit.ts";
import { secretsOf } from "../send/secrets.ts";
import { settingsOf } from "../settings.ts";
import { keysFrom, optionsWith, readTarget } from "./target-options.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-target-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "touchstone.json");
const write = (more: object): void => writeFileSync(file, JSON.stringify({ url: "http://127.0.0.1:1", ...more }));

test("a target file holds unless an option says otherwise, its paths from its folder", () => {
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

test("a key is called by the variable it was read from, whoever named that, and one that was given itself by one to be set", () => {
  const environment = {
    TOUCHSTONE_KEY: "key-one-1",
    TOUCHSTONE_KEY_IMAGES: "key-two-2",
    MINE: "key-three",
    FILED: "key-four",
  };
  const told = (values: string[], file?: Record<string, string>) => {
    const target = { ...keysFrom(values, file, ["messages", "images"], environment), headers: [], models: {} };
    const { keys, unsetKeys } = settingsOf({}, judgingFrom({}, shippedClauses), target, {
      probeChoice: "cheap",
      ownRecordings: false,
    });
    return {
      keys,
      unsetKeys,
      variables: secretsOf(target)
        .map(({ variable }) => variable)
        .sort(),
    };
  };
  expect(told([])).toEqual({
    keys: { "*": "$TOUCHSTONE_KEY", images: "$TOUCHSTONE_KEY_IMAGES" },
    unsetKeys: undefined,
    variables: ["TOUCHSTONE_KEY", "TOUCHSTONE_KEY_IMAGES"],
  });
  expect(told(["$MINE"], { images: "$FILED" }).keys).toEqual({ "*": "$MINE", images: "$FILED" });
  // A variable that is there keeps its name, whatever a key that is in none would be called.
  expect(told(["key-five", "images=$TOUCHSTONE_KEY"])).toMatchObject({
    keys: { "*": "$TOUCHSTONE_KEY_2", images: "$TOUCHSTONE_KEY" },
    unsetKeys: ["$TOUCHSTONE_KEY_2"],
  });
});
