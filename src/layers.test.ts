/** Holds the layers: a folder imports only from those its row in README.md names, and imports go round in no circle. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { home } from "./home.ts";

const src = join(home, "src");
const mayImport: Record<string, readonly string[]> = {};
for (const [, folder, list] of readFileSync(join(src, "README.md"), "utf8").matchAll(
  /^\| `(\w+)` *\|.*\| ([^|]+?) *\|$/gm,
))
  mayImport[folder!] = list === "nothing" ? [] : list!.split(/,\s*/);

/** They stand beside the folders, and all may import them. */
const shared = [
  "home.ts",
  "user-error.ts",
  "json-file.ts",
  "plain-file.ts",
  "byte-size.ts",
  "bundle.ts",
  "icon.ts",
  "worker.ts",
  "user-cache.ts",
];

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The files of src that a file imports, its types too; all as paths below src. */
function importsOf(file: string): string[] {
  const statements = readFileSync(join(src, file), "utf8").matchAll(
    /^(?:import|export)\b[^;"`]*"(\.[^"]+)"|\bimport\("(\.[^"]+)"/gm,
  );
  return [...statements].map(([, fixed, late]) => relative(src, join(src, file, "..", (fixed ?? late)!)));
}

const files: Graph = new Map(
  [src, join(home, "suites")]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|test-kit|bench)\.ts$/.test(entry.name))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)))
    .map((file) => [file, new Set(importsOf(file))]),
);

/** A file's folder of the first level; the file itself where it stands beside the folders. Suites lie beside src, and belong to `run`. */
const roomOf = (file: string): string => (file.startsWith(join("..", "suites")) ? "run" : file.split(sep)[0]!);

function roomsOf(graph: Graph): Graph {
  const rooms = new Map<string, Set<string>>();
  for (const [file, imports] of graph) {
    const room = rooms.get(roomOf(file)) ?? new Set();
    rooms.set(roomOf(file), room);
    for (const imported of imports) if (roomOf(imported) !== roomOf(file)) room.add(roomOf(imported));
  }
  return rooms;
}

function reachable(graph: Graph, start: string): Set<string> {
  const reached = new Set<string>();
  const next = [...(graph.get(start) ?? [])];
  for (let node = next.pop(); node !== undefined; node = next.pop()) {
    if (reached.has(node)) continue;
    reached.add(node);
    next.push(...(graph.get(node) ?? []));
  }
  return reached;
}

/** Every circle once, as the sorted names of those that reach one another. */
function circlesOf(graph: Graph): string[] {
  const reach = new Map([...graph.keys()].map((node) => [node, reachable(graph, node)]));
  const circles = [...reach]
    .filter(([node, reached]) => reached.has(node))
    .map(([node, reached]) => [...reached].filter((other) => reach.get(other)?.has(node)).sort());
  return [...new Set(circles.map((circle) => circle.join(" ")))];
}

test("the table of layers covers every folder of src", () => {
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(mayImport).sort());
});

test("every import stays within its layer's row", () => {
  const strays: string[] = [];
  for (const [file, imports] of files) {
    const folder = roomOf(file);
    if (folder === file || mayImport[folder]!.includes("anything")) continue;
    for (const imported of imports) {
      const room = roomOf(imported);
      if (room !== folder && !shared.includes(room) && !mayImport[folder]!.includes(room))
        strays.push(`${file} imports ${imported}`);
    }
  }
  expect(strays).toEqual([]);
});

test("no constant holds what ships with touchstone: rooms open a catalogue, which may hold users' own documents", () => {
  const constants = ["index.ts", "clause-data.ts", "examples.ts"].map((name) => join("interfaces", name));
  const strays = [...files].flatMap(([file, imports]) =>
    ["interfaces", "reference", "dev"].includes(roomOf(file))
      ? []
      : constants.filter((one) => imports.has(one)).map((one) => `${file} imports ${one}`),
  );
  expect(strays).toEqual([]);
});

test("a circle of imports is found, and what only leads to it or comes from it is no part of it", () => {
  const graph = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["c"])],
    ["c", new Set(["b", "d"])],
    ["d", new Set<string>()],
  ]);
  expect(circlesOf(graph)).toEqual(["b c"]);
});

test("no files import one another in a circle, types included", () => {
  expect(circlesOf(files)).toEqual([]);
});

test("no folders import one another in a circle", () => {
  expect(circlesOf(roomsOf(files))).toEqual([]);
});
