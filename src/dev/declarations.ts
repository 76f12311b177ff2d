/** A step of the build: puts beside the program those of all declarations that the package's entry points need. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { home } from "../home.ts";

const dist = join(home, "dist");
/** The compiler writes the declarations of every file here. */
const all = join(dist, "declarations");

const entryDeclarations = [...readFileSync(join(home, "package.json"), "utf8").matchAll(/"types": "([^"]+)"/g)];
const needed = new Set(entryDeclarations.map(([, path]) => resolve(home, path!)));
/** Another file of the package that a declaration names; the sources name each other as `.ts` and `.cts`. */
const reference = /((?:\bfrom |\bimport |\bimport\()"\.{1,2}\/[^"]+)\.(c?)ts"/g;

// A set may grow while it is gone through.
for (const file of needed) {
  const text = readFileSync(join(all, file.slice(dist.length)), "utf8");
  for (const [, begin, kind] of text.matchAll(reference))
    needed.add(resolve(dirname(file), `${begin!.slice(begin!.indexOf('"') + 1)}.d.${kind}ts`));
  writeFileSync(file, text.replaceAll(reference, '$1.$2js"'));
}

for (const folder of ["src", "suites"])
  for (const name of readdirSync(join(dist, folder), { recursive: true, encoding: "utf8" }))
    if (/\.d\.c?ts$/.test(name) && !needed.has(join(dist, folder, name))) rmSync(join(dist, folder, name));
