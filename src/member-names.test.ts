/** Holds that rooms other than those of the interfaces know no members of documents: an interface says all about itself. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { walkSchema } from "./check/compile.ts";
import { readSchemas } from "./check/schema-files.ts";
import { home } from "./home.ts";
import { interfaces } from "./interfaces/index.ts";

const src = join(home, "src");

/**
 * Rooms that are about the interfaces of the documents; clients of services, which are used by such names; and redaction, with
 * tables that name what all services write.
 */
const exempt = [
  "interfaces",
  "reference",
  "dev",
  join("run", "clients"),
  "redact",
  join("cases", "drivers"),
  ...interfaces.map(({ name }) => join("cases", name)),
];

/** Words of JSON Schema and of HAR. */
const common = new Set(["minItems", "maxItems", "minLength", "maxLength", "mimeType"]);

/** Names of members that are no words of English: those with an underscore or of several words. */
function memberNames(): ReadonlySet<string> {
  const own = new Set(interfaces.map(({ name }) => name));
  const names = new Set<string>();
  for (const { path, content } of readSchemas())
    if (path.endsWith(".schema.json") && own.has(path.split("/")[0]!))
      walkSchema(content, path, ({ properties }) => {
        for (const name of Object.keys(properties ?? {}))
          if (/^[a-z]+(?:_[a-z]+)+$|^[a-z]+(?:[A-Z][a-z]+)+$/.test(name) && !common.has(name)) names.add(name);
      });
  return names;
}

/** Quoted texts and regular expressions of a file, and members that it reads by name; comments left out. */
function namesIn(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const literals = code.match(/"[^"\n]*"|`[^`]*`|\/(?![/*])(?:[^/\\\n]|\\.)+\/|\??\.[a-zA-Z_]+/g) ?? [];
  return literals.flatMap((one) => one.match(/[a-zA-Z_]+/g) ?? []);
}

test("no room but those of the interfaces knows a member of a document by name", () => {
  const names = memberNames();
  expect(names.size).toBeGreaterThan(100);
  const found = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|test-kit|bench)\.tsx?$/.test(entry.name),
    )
    .map((entry) => relative(src, join(entry.parentPath, entry.name)))
    .filter((file) => !exempt.some((room) => file.startsWith(room + sep)))
    .flatMap((file) => {
      const known = new Set(namesIn(readFileSync(join(src, file), "utf8")).filter((name) => names.has(name)));
      return known.size > 0 ? [`${file}: ${[...known].sort().join(" ")}`] : [];
    });
  expect(found.sort()).toEqual([]);
});
