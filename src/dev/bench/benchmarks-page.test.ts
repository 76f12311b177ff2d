/** Holds `BENCHMARKS.md`: every table has its line, and none is much older than the code that it measures. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { home } from "../../home.ts";
import { measuredLine, tablesIn, withTable } from "./benchmarks-page.ts";
import { measuredPaths } from "./measured-paths.ts";

const page = readFileSync(join(home, "BENCHMARKS.md"), "utf8");

/** The output of git, or undefined without git, or if git has none of this project. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, { cwd: home, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

/** The day of the last change of files below these paths. A shallow clone does not know it: it dates all files alike. */
function lastChange(paths: readonly string[]): string | undefined {
  if (git("rev-parse", "--is-shallow-repository") !== "false") return undefined;
  return (
    git("log", "-1", "--format=%cs", "--", ...paths, ":(exclude)*.test.ts", ":(exclude)*.test-kit.ts") || undefined
  );
}

const days = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** Titles of tables that are older than 60 days before the last change of what they measure. */
const staleIn = (text: string, changed: (bench: string) => string | undefined): string[] =>
  tablesIn(text).flatMap(({ bench, title, day }) => {
    const last = changed(bench);
    return last !== undefined && day !== undefined && days(day, last) > 60 ? [title] : [];
  });

test("every benchmark has tables, and every table says when it was measured", () => {
  const tables = tablesIn(page);
  expect(tables.filter(({ day }) => day === undefined)).toEqual([]);
  expect(page.match(/^\|---/gm)).toHaveLength(tables.length);
  const names = readdirSync(join(home, "src", "dev", "bench")).flatMap(
    (file) => /^(\w+)\.bench\.ts$/.exec(file)?.[1] ?? [],
  );
  expect(Object.keys(measuredPaths).sort()).toEqual(names.sort());
  expect([...new Set(tables.map(({ bench }) => bench))].sort()).toEqual(names);
});

test("the paths that tables measure exist", () => {
  const missing = Object.values(measuredPaths)
    .flat()
    .filter((path) => !existsSync(join(home, path)));
  expect(missing).toEqual([]);
});

test("no table is 60 days older than the last change of what it measures", () => {
  const changes = new Map(Object.entries(measuredPaths).map(([bench, paths]) => [bench, lastChange(paths)]));
  expect(staleIn(page, (bench) => changes.get(bench))).toEqual([]);
});

test("a table that is too old is named, and one of an unknown last change is not", () => {
  const text = `<!-- bench judge: One -->\n\n${measuredLine("2026-01-01", "abc", "a machine")}\n\n<!-- end of table -->`;
  expect(staleIn(text, () => "2026-03-02")).toEqual([]);
  expect(staleIn(text, () => "2026-03-03")).toEqual(["One"]);
  expect(staleIn(text, () => undefined)).toEqual([]);
});

test("a table is written in its place, and only there", () => {
  const [first, second] = ["One", "Two"].map(
    (title) => `<!-- bench judge: ${title} -->\n\nold\n\n<!-- end of table -->`,
  );
  const written = withTable(`a\n${first}\nb\n${second}\nc`, { bench: "judge", title: "Two" }, "\n$& new\n");
  expect(written).toBe(`a\n${first}\nb\n<!-- bench judge: Two -->\n\n$& new\n\n<!-- end of table -->\nc`);
  expect(withTable(first!, { bench: "check", title: "One" }, "")).toBeUndefined();
});
