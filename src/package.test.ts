/** Holds the package to what its users need: entry points with their types, the program, and nothing of who builds it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { home } from "./home.ts";

const pack = "npm pack --dry-run --json --ignore-scripts --loglevel=error";
const [{ files }] = JSON.parse(execFileSync(pack, { cwd: home, shell: true, encoding: "utf8" }));
const paths = new Set<string>(files.map(({ path }: { path: string }) => path));
const fileText = (path: string): string => readFileSync(join(home, path), "utf8");

/** The files of an entry point, below all its conditions. */
type Entry = string | { readonly [condition: string]: Entry };
const filesOf = (entry: Entry): string[] =>
  typeof entry === "string" ? [entry] : Object.values(entry).flatMap(filesOf);

test("it holds what package.json names", () => {
  const { bin, exports, main, types } = JSON.parse(fileText("package.json"));
  for (const path of [bin.touchstone, main, types, ...filesOf(exports)]) expect(paths).toContain(normalize(path));
});

test.each(["index", "vitest"])("require() returns the exports of import: %s", async (name) => {
  const file = join(home, "dist", "src", name);
  const required = createRequire(import.meta.url)(`${file}.cjs`);
  expect(Object.keys(required).sort()).toEqual(Object.keys(await import(`${file}.js`)).sort());
});

test("it holds nothing of those who build it", () => {
  const theirs = /\.test\.|\.test-kit\.|\.bench\.|(?:^|\/)dev\/|(?<!\.d)\.ts$/;
  expect([...paths].filter((path) => theirs.test(path))).toEqual([]);
});

test("it holds no key and no certificate, and does hold what runs beside a program", () => {
  const pem = /-----BEGIN (?:[A-Z ]*PRIVATE KEY|CERTIFICATE)-----\n[A-Za-z0-9+/=]{20}/;
  const code = [...paths].filter((path) => path.startsWith("dist/src/") || /\.(?:pem|key|crt|p12)$/.test(path));
  expect(code.length).toBeGreaterThan(500);
  expect(code.filter((path) => pem.test(fileText(path)))).toEqual([]);
  expect([...paths]).toEqual(
    expect.arrayContaining(["dist/src/program/guard.js", "dist/src/intercept/node-preload.cjs"]),
  );
});

test("declarations are those that the entry points need, each with all it names", () => {
  const declared = [...paths].filter((path) => /\.d\.c?ts$/.test(path));
  const named = new Set(
    ["index.d.ts", "vitest.d.ts", "index.d.cts", "vitest.d.cts", "jest.d.cts"].map((name) => `dist/src/${name}`),
  );
  for (const path of declared)
    for (const [, other, kind] of fileText(path).matchAll(/\b(?:from |import |import\()"(\.[^"]+)\.(c?)js"/g))
      named.add(join(dirname(path), `${other}.d.${kind}ts`));
  expect(declared.sort()).toEqual([...named].sort());
});

test("links between its documents lead to what it holds", () => {
  const documents = [...paths].filter((path) => path.endsWith(".md") && !path.startsWith("dist/"));
  const links = documents.flatMap((document) =>
    [...fileText(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, path]) => ({
      document,
      path: normalize(join(dirname(document), path!)),
    })),
  );
  expect(links.length).toBeGreaterThan(30);
  const isHeld = (path: string): boolean =>
    paths.has(path) || [...paths].some((held) => held.startsWith(`${path.replace(/\/$/, "")}/`));
  expect(links.filter(({ path }) => !isHeld(path))).toEqual([]);
});
