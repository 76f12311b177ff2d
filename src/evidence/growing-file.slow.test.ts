/** A growing file on a disk that fails: nothing is lost that fits into memory, and no line is torn. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { readCassette } from "../cassette/read.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import { openFolder } from "./folder.ts";
import { createGrowingFile } from "./growing-file.ts";

/** Bytes that the disk still takes, and writes that it refuses before. */
let room = Number.POSITIVE_INFINITY;
let refusals = 0;
vi.mock("node:fs", async (load) => {
  const fs = await load<typeof import("node:fs")>();
  return {
    ...fs,
    writeSync(file: number, bytes: Buffer, from: number, length = bytes.length - from, at?: number) {
      if (room <= 0 || refusals-- > 0)
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      const count = fs.writeSync(file, bytes, from, Math.min(length, room), at);
      room -= count;
      return count;
    },
  };
});

const folder = mkdtempSync(join(tmpdir(), "touchstone-growing-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void (room = Number.POSITIVE_INFINITY));

test("lines that the disk refuses are written before later ones, each at the place that is reported", () => {
  const path = join(folder, "full");
  const file = createGrowingFile(path);
  const places: string[] = [];
  const add = (line: string): void =>
    file.add([line], line.length, (from, length) => places.push(readFileSync(path, "utf8").slice(from, from + length)));
  add("one");
  room = 6;
  for (const line of ["second", "third"]) add(line);
  expect(readFileSync(path, "utf8")).toBe("one\n");
  expect(() => file.flush()).toThrow("ENOSPC");
  room = Number.POSITIVE_INFINITY;
  file.flush();
  add("fourth");
  expect(readFileSync(path, "utf8")).toBe("one\nsecond\nthird\nfourth\n");
  expect(places).toEqual(["one\n", "second\n", "third\n", "fourth\n"]);
  file.remove();
});

test("lines beyond 16 MiB are dropped, and the file says so until its end", () => {
  const file = createGrowingFile(join(folder, "dropped"));
  room = 0;
  for (let i = 0; i < 3; i++) file.add(["x"], 6 << 20);
  room = Number.POSITIVE_INFINITY;
  file.add(["later"], 5);
  expect(() => file.flush()).toThrow("ENOSPC");
  file.remove();
});

test("a folder is complete if the disk takes it at a later attempt, with what was refused meanwhile", async () => {
  const out = join(folder, "out");
  const kind = {
    reports: { "report.txt": () => "text" },
    trackers: {},
    beside: "seen.jsonl",
    failing: () => [],
    commands: () => [],
    unshown: () => [],
  };
  const { add, note, close } = openFolder(out, { complete: false }, "all", kind);
  refusals = 2;
  const exchange = exchangeOf(jsonRequest("/v1/x", [], {}), jsonResponse({}));
  add({ exchange, asked: { source: "a", exchange: 0, part: "recording" } });
  note("seen");
  refusals = 1;
  const provenance = { command: [], started: "2026-01-01T00:00:00.000Z", evidence: "all" as const };
  function* lines() {
    yield "seen\n";
  }
  close({ complete: true }, {}, { interfaces: [], clauses: new Map() } as never, {}, provenance, lines());
  expect(readdirSync(out).sort()).toEqual([
    "exchanges.jsonl",
    "manifest.json",
    "report.txt",
    "results.json",
    "seen.jsonl",
  ]);
  expect(readFileSync(join(out, "seen.jsonl"), "utf8")).toBe("seen\n");
  expect((await readCassette(join(out, "exchanges.jsonl"))).exchanges).toHaveLength(1);
});
