/** A day holds where something happened on it or beside it, also long after shards were asked and before a session ends. */
import { expect, test } from "vitest";
import type { Recorded } from "../cassette/format.ts";
import { dayAmiss } from "./evaluation-date.ts";
import type { RecordingsJudging } from "./manifest.ts";

const at = (...days: string[]): Recorded[] =>
  days.map((day) => ({
    exchange: {
      started: Date.parse(`${day}T23:00:00Z`),
      request: { method: "GET", target: "/", headers: [], body: Buffer.alloc(0) },
      response: null,
    },
  }));
const judging = {} as RecordingsJudging;
const run = { command: ["touchstone", "run"], started: "2026-03-10T12:00:00.000Z" };
const merged = { command: ["touchstone", "report"], started: "2026-03-20T12:00:00.000Z" };
const check = { command: ["touchstone", "check"], started: "2026-03-10T12:00:00.000Z", judging };

test.each([
  ["2026-03-10", run, at("2026-03-10", "2026-03-12"), 0],
  ["2026-03-09", run, at("2026-03-10"), 0],
  ["2026-03-08", run, at("2026-03-10"), 2],
  ["2026-03-10", run, at("2026-03-14", "2026-03-15"), 1],
  ["2026-03-10", run, [], 0],
  ["2026-99-99", run, at("2026-03-10"), 2],
  ["2026-03-10", { ...run, started: "yesterday" }, at("2026-03-10"), 1],
  ["2026-03-20", merged, at("2026-03-10"), 0],
  ["2026-03-10", merged, at("2026-03-10"), 0],
  ["2026-03-08", merged, at("2026-03-10"), 1],
  ["2026-03-22", merged, at("2026-03-10"), 1],
  ["2026-03-10", check, at("2020-01-01"), 0],
  ["2026-03-31", check, at("2026-03-30"), 0],
  ["2026-03-08", check, at("2020-01-01"), 1],
  ["2026-03-31", check, at("2020-01-01"), 1],
] as const)("%s of %o has as many faults", (today, made, exchanges, faults) => {
  expect([...dayAmiss(today, { file: "results.json", member: "options.today" }, made, exchanges)]).toHaveLength(faults);
});
