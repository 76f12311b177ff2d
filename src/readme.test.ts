/** Holds the README of src to the files there are: every file and folder it names in code can be found. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { home } from "./home.ts";

const text = readFileSync(join(home, "src", "README.md"), "utf8");
const paths = ["src", "schemas", "recordings", "suites"].flatMap((folder) =>
  readdirSync(join(home, folder), { recursive: true, withFileTypes: true }).map(
    (entry) =>
      `/${relative(home, join(entry.parentPath, entry.name)).split(sep).join("/")}${entry.isDirectory() ? "/" : ""}`,
  ),
);
const top = readdirSync(home).flatMap((name) => [`/${name}`, `/${name}/`]);
const all = [...paths, ...top];

/** What is written as code and looks like a file or a folder; in drawings, too. */
function namedIn(page: string): string[] {
  const code = [...page.matchAll(/^```[\s\S]*?^```|`[^`\n]+`/gm)].flatMap(([found]) => found.split(/[\s`(),:]+/));
  return [
    ...new Set(
      code.filter((word) =>
        /^[\w.<>*-]+(?:\/[\w.<>*-]+)*(?:\.(?:ts|md|mjs)|\.(?:schema|clauses)\.json|\/)$/.test(word),
      ),
    ),
  ];
}

/** Whether some path ends so, whatever stands for `<interface>`, `*` and `NAME`. */
function isFound(name: string): boolean {
  const pattern = name.replace(/[.]/g, "\\.").replace(/<\w+>|\*|\bNAME\b|\bx(?=\\\.)/g, "[^/]+");
  const whole = new RegExp(`/${pattern}$`);
  return all.some((path) => whole.test(path));
}

test("every file and folder that is named is there", () => {
  const named = namedIn(text);
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((name) => !isFound(name))).toEqual([]);
});

test("names that are not there are noticed", () => {
  const named = namedIn(
    "`proxy/proxy.ts` takes it\n```\n gone/away.ts ─► forward.ts\n```\n`schemas/<interface>/<section>.clauses.json`, `nobody/`",
  );
  expect(named).toHaveLength(5);
  expect(named.filter((name) => !isFound(name))).toEqual(["gone/away.ts", "nobody/"]);
});
