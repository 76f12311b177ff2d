/**
 * Options and environment decide whether output is coloured: NO_COLOR and --no-color before FORCE_COLOR and --color, and these
 * before the terminal. Progress is told on a terminal.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { touchstoneHere } from "../../cli/here.test-kit.ts";
import { createPrinter, wantsColor } from "./printer.ts";

function withEnvironment<T>(environment: Record<string, string>, work: () => T): T {
  const kept = process.env;
  process.env = environment;
  try {
    return work();
  } finally {
    process.env = kept;
  }
}

test.each([
  [{}, false],
  [{ FORCE_COLOR: "1" }, true],
  [{ FORCE_COLOR: "true" }, true],
  [{ FORCE_COLOR: "" }, false],
  [{ FORCE_COLOR: "0" }, false],
  [{ FORCE_COLOR: "false" }, false],
  [{ NO_COLOR: "", FORCE_COLOR: "1" }, true],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, false],
])("without a terminal, %j means colour: %s", (environment, expected) => {
  expect(withEnvironment(environment as Record<string, string>, wantsColor)).toBe(expected);
});

test("--color colours what no terminal reads, and --no-color and NO_COLOR win over it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-colour-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "one.jsonl");
  const exchange = { request: { method: "GET", target: "/health", headers: [] }, response: null };
  writeFileSync(file, `{"touchstone":1}\n${JSON.stringify(exchange)}\n`);
  for (const [option, environment, colored] of [
    ["--color", { NO_COLOR: "" }, true],
    ["--color", { NO_COLOR: "1" }, false],
    ["--no-color", { NO_COLOR: "", FORCE_COLOR: "1" }, false],
  ] as const) {
    const { stdout } = await touchstoneHere(["check", file, option], environment);
    expect(stdout.includes("\u001b[33mnothing was judged")).toBe(colored);
  }
});

test("without a terminal, progress is one line every ten seconds on standard error, until it ends", () => {
  vi.useFakeTimers();
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => {
    written.mockRestore();
    vi.useRealTimers();
  });
  const { progress } = createPrinter();
  for (let done = 1; done <= 25; done++) {
    progress(`${done} of 25 recordings`);
    vi.advanceTimersByTime(1000);
  }
  progress("");
  vi.advanceTimersByTime(60_000);
  expect(written.mock.calls.flat()).toEqual(["10 of 25 recordings\n", "20 of 25 recordings\n"]);
});

test("without a terminal, progress that does not change is written once", () => {
  vi.useFakeTimers();
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => {
    written.mockRestore();
    vi.useRealTimers();
  });
  const { progress } = createPrinter();
  progress("1 of 2 recordings");
  vi.advanceTimersByTime(60_000);
  progress("2 of 2 recordings");
  vi.advanceTimersByTime(60_000);
  expect(written.mock.calls.flat()).toEqual(["1 of 2 recordings\n", "2 of 2 recordings\n"]);
});
