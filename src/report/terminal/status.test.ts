/** Holds what stands at the bottom of a terminal while `record` runs, as lines and on a real one. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { expect, onTestFinished, test } from "vitest";
import type { Finding } from "../../check/clause.ts";
import { groupsOf } from "../../check/groups.test-kit.ts";
import { home } from "../../home.ts";
import { startUpstream } from "../../record/upstream.test-kit.ts";
import type { ListedExchange } from "../../verdict/judged-exchange.ts";
import { addTo, createStatus, elsewhere, spell, statusLines } from "./status.ts";

const screen = { columns: 61, rows: 40, color: false };
const idle = { count: 0, longest: [] };
const finding = (level: Finding["level"], message: string, clause = "a.b.c"): Finding =>
  ({ level, message, clause, side: "response", in: "body", pointer: "" }) as Finding;
const shown = (operation: string, ...findings: Finding[]): ListedExchange =>
  ({ operation, known: true, asked: "POST /x", findings, groups: groupsOf(findings) }) as unknown as ListedExchange;

test("totals by operation, the latest findings and what is in flight, the longest first", () => {
  const status = createStatus();
  addTo(status, shown("POST /v1/messages"));
  addTo(status, shown("POST /v1/chat/completions", finding("error", "n is 1.", "one"), finding("note", "so so.")));
  addTo(
    status,
    shown("POST /v1/chat/completions", finding("warning", "a is odd.", "two"), finding("error", "n is 2.", "one")),
  );
  addTo(status, { ...shown("GET /secret", finding("note", "x")), known: false });
  const longest = [
    { operation: "POST /v1/messages", time: 92_400 },
    { operation: elsewhere, time: 420 },
  ];
  expect(statusLines(status, { count: 7, longest }, 999_999, screen)).toEqual([
    "─".repeat(60),
    "4 exchanges, 2 errors, 1 warning, 7 in flight",
    "      2  POST /v1/chat/completions  2 errors, 1 warning",
    "      1  POST /v1/messages  ok",
    "      1  (no documented operation)  not judged",
    "latest findings",
    "  warning a is odd. [two]",
    "  error   n is 2. [one]",
    "in flight, the longest first",
    "  1 min 32 s  POST /v1/messages",
    "      420 ms  (no documented operation)",
    "              and 5 more",
  ]);
});

test("how far judging is behind is said where it takes more than a moment", () => {
  const head = (lag: number): string => statusLines(createStatus(), idle, lag, { ...screen, columns: 99 })[1]!;
  expect(head(999_999)).toBe("0 exchanges, 0 errors, 0 warnings, 0 in flight");
  expect(head(12_340_000)).toBe("0 exchanges, 0 errors, 0 warnings, 0 in flight, judging is 12.3 MB behind");
});

test("many operations and findings leave room for the log", () => {
  const status = createStatus();
  for (let i = 0; i < 50; i++) addTo(status, shown(`POST /v1/${i}`, finding("error", `no ${i}`, `clause-${i}`)));
  const lines = statusLines(status, idle, 0, screen);
  expect(lines).toHaveLength(2 + 6 + 4);
  expect(lines).toContain("         and 45 more operations");
  expect(lines.at(-1)).toBe("  error   no 49 [clause-49]");
  expect(statusLines(status, idle, 0, { ...screen, rows: 10 })).toHaveLength(5);
  expect(statusLines(status, idle, 0, { ...screen, rows: 1 })).toHaveLength(2);
});

test("no line is wider than the terminal, in colour or not, and control characters stay out", () => {
  const status = createStatus();
  const bad = "\u001b[2J\u202e漢字かな交じり文\n👩‍👩‍👧‍👦\u0007".repeat(20);
  addTo(status, shown(`POST ${bad}`, finding("error", bad), finding("warning", bad, "other")));
  for (const color of [false, true])
    for (let columns = 1; columns < 120; columns += columns < 16 ? 1 : 7) {
      const lines = statusLines(status, { count: 1, longest: [{ operation: bad, time: 1 }] }, 2_000_000, {
        columns,
        rows: 40,
        color,
      });
      for (const line of lines) {
        const plain = stripVTControlCharacters(line);
        expect(stringWidth(plain)).toBeLessThanOrEqual(Math.max(1, columns - 1));
        expect(plain).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
        if (!color) expect(line).toBe(plain);
      }
    }
});

test.each([
  [0.4, "0 ms"],
  [999, "999 ms"],
  [1500, "1.5 s"],
  [60_000, "1 min 0 s"],
  [3_725_000, "62 min 5 s"],
])("%d milliseconds are %s", (time, text) => {
  expect(spell(time)).toBe(text);
});

/** The screen that a terminal makes of this output: carriage returns, line feeds, cursor up, erase below and colours; full lines wrap. */
function screenOf(output: string, columns: number): string[] {
  const rows: string[] = [""];
  let row = 0;
  let column = 0;
  for (const [piece, count, command] of output.matchAll(/\u001b\[(\d*)([A-Za-z])|[\s\S]/gu)) {
    if (command === "A") row = Math.max(0, row - Number(count || 1));
    else if (command === "J") {
      rows[row] = rows[row]!.slice(0, column);
      rows.length = row + 1;
    } else if (command !== undefined) continue;
    else if (piece === "\r") column = 0;
    else if (piece === "\n") rows[++row] ??= "";
    else {
      if (column === columns) {
        rows[++row] ??= "";
        column = 0;
      }
      rows[row] = rows[row]!.padEnd(column).slice(0, column) + piece + rows[row]!.slice(column + 1);
      column++;
    }
  }
  return rows;
}

const terminal = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;

/** A recorder on a terminal; its upstream never ends the answer to a message. */
async function onTerminal(columns: number) {
  const { base, folder } = await startUpstream((req, res) => {
    res.setHeader("content-type", "application/json");
    if (req.url!.includes("messages")) res.write("{");
    else res.end("{}");
  });
  const cli = join(home, "dist", "src", "cli.js");
  const command = `stty cols ${columns} rows 30; exec "${process.execPath}" "${cli}" record ${base} --out session.jsonl`;
  const env = { ...process.env, NO_COLOR: "1", TERM: "xterm" };
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: folder, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  const waiting = new Set<() => void>();
  child.stdout.on("data", (bytes) => {
    output += bytes;
    for (const check of waiting) check();
  });
  const until = (condition: (rows: string[]) => boolean): Promise<string[]> =>
    new Promise((resolve) => {
      const check = (): void => {
        const rows = screenOf(output, columns);
        if (!condition(rows)) return;
        waiting.delete(check);
        resolve(rows);
      };
      waiting.add(check);
      check();
    });
  await until(() => output.includes("Ctrl+C ends it."));
  const url = /^listening on (\S+)/.exec(output)![1]!;
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], temperature: 9 });
  return {
    ask: (path: string) => fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body }),
    until,
    output: () => output,
    /** Presses Ctrl+C; what is left on the screen. */
    async end(): Promise<string[]> {
      child.stdin.write("\u0003");
      await once(child, "close");
      return screenOf(output, columns);
    },
  };
}

test.skipIf(!terminal)(
  "on a terminal the log scrolls above lines that are drawn in place, and the end clears them",
  async () => {
    const { ask, until, output, end } = await onTerminal(70);
    void ask("/v1/messages").catch(() => {});
    await (await ask("/v1/chat/completions")).text();
    await (await ask("/v1/chat/completions")).text();
    const rule = "─".repeat(69);
    const rows = await until(
      (all) => all.some((row) => row.startsWith("2 exchanges")) && all.at(-1)!.includes("messages"),
    );
    const at = rows.indexOf(rule);
    expect(rows.filter((row) => row === rule)).toHaveLength(1);
    expect(rows.slice(0, at).filter((row) => /^ +\d {2}POST \/v1\/chat\/completions {2}200 /.test(row))).toHaveLength(
      2,
    );
    expect(rows[at + 1]).toMatch(/^2 exchanges, \d+ errors, \d+ warnings?, 1 in flight$/);
    expect(rows[at + 2]).toMatch(/^ {6}2 {2}POST \/v1\/chat\/completions {2}\d+ errors/);
    expect(rows.at(-2)).toBe("in flight, the longest first");
    expect(rows.at(-1)).toMatch(/^ +[\d.]+ m?s {2}POST \/v1\/messages$/);
    expect(rows.slice(at).every((row) => stringWidth(row) < 70)).toBe(true);
    const before = output().length;
    // A refresh draws over what was there: the time goes on, and nothing is added.
    const later = await until(
      (all) => output().length > before && all.at(-1) !== rows.at(-1) && all.at(-1)!.includes("messages"),
    );
    expect(later).toHaveLength(rows.length);
    const left = await end();
    expect(left.some((row) => row.includes(rule) || row.includes("in flight"))).toBe(false);
    expect(left.join("\n")).toMatch(/does not conform: 3 exchanges[\s\S]*3 exchanges are kept in session\.jsonl/);
    expect(output()).not.toMatch(/\u001b\[\d*m/);
  },
);

test.skipIf(!terminal)("the echo of Ctrl+C behind a full line leaves nothing behind", async () => {
  const { ask, until, end } = await onTerminal(30);
  void ask("/v1/messages").catch(() => {});
  await until((rows) => rows.at(-1)!.includes("POST") && rows.at(-1)!.length === 29);
  expect((await end()).filter((row) => /─|\d in flight|\^C/.test(row))).toEqual([]);
});
