/** Holds the layers: a folder imports only from those its row in README.md names. */
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

/** Beside the folders; all may import them. */
const shared = ["home.ts", "user-error.ts", "json-file.ts"];

const sources = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !/\.(test|test-kit|bench)\.ts$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

test("the table of layers covers every folder of src", () => {
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(mayImport).sort());
});

test("every import stays within its layer's row", () => {
  const strays: string[] = [];
  for (const file of sources) {
    const [folder, inner] = relative(src, file).split(sep);
    if (inner === undefined || mayImport[folder!]!.includes("anything")) continue;
    for (const [, fixed, late] of readFileSync(file, "utf8").matchAll(
      /^(?:import|export)\b[^;"`]*"(\.[^"]+)"|\bimport\("(\.[^"]+)"/gm,
    )) {
      const path = (fixed ?? late)!;
      const target = relative(src, join(file, "..", path)).split(sep)[0]!;
      if (target !== folder && !shared.includes(target) && !mayImport[folder!]!.includes(target))
        strays.push(`${relative(src, file)} imports ${path}`);
    }
  }
  expect(strays).toEqual([]);
});
