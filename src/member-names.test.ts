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

/** Single words that other formats have as well: JSON Schema, OpenAPI, HAR, our own files, the tool that cases declare. */
const shared = new Set(
  `bytes city code content data description details enum error example examples file filename format id image index input items
  language maximum message metadata minimum mode model n name nullable object outcome output parameters parts properties
  quality required response schema size source status stream text title type uri url`.split(/\s+/),
);

/** Names of members that are no words of English: those with an underscore or of several words. */
const several = /^[a-z]+(?:_[a-z]+)+$|^[a-z]+(?:[A-Z][a-z]+)+$/;

/** Names of members that are words of English. */
const single = /^[a-z]+$/;

/** Names of members that schemas of the documents have. */
function memberNames(form: RegExp, except: ReadonlySet<string>): ReadonlySet<string> {
  const own = new Set(interfaces.map(({ name }) => name));
  const names = new Set<string>();
  for (const { path, content } of readSchemas())
    if (path.endsWith(".schema.json") && own.has(path.split("/")[0]!))
      walkSchema(content, path, ({ properties }) => {
        for (const name of Object.keys(properties ?? {})) if (form.test(name) && !except.has(name)) names.add(name);
      });
  return names;
}

const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/** Quoted texts and regular expressions of a file, and members that it reads by name; comments left out. */
function namesIn(text: string): readonly string[] {
  const literals = codeOf(text).match(/"[^"\n]*"|`[^`]*`|\/(?![/*])(?:[^/\\\n]|\\.)+\/|\??\.[a-zA-Z_]+/g) ?? [];
  return literals.flatMap((one) => one.match(/[a-zA-Z_]+/g) ?? []);
}

/**
 * Single words by which a file reads JSON of no known type: members of that stand in brackets, those of our own types behind a
 * dot. Also words in JSON Pointers that lead into a list. What stands in tables of facts are names of facts.
 */
const wordsIn = (text: string): readonly string[] =>
  [
    ...codeOf(text).matchAll(/(?<=\b(?!settings|request)[a-z]\w*|[)\].])\["([a-z]+)"\]|\/([a-z]+)\\?\/(?:\\?\*|\d)/g),
  ].map(([, read, led]) => read ?? led!);

/** The files of all rooms that may know no members, with the names in each. */
function found(names: ReadonlySet<string>, read: (text: string) => readonly string[]): readonly string[] {
  expect(names.size).toBeGreaterThan(40);
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|test-kit|bench)\.tsx?$/.test(entry.name),
    )
    .map((entry) => relative(src, join(entry.parentPath, entry.name)))
    .filter((file) => !exempt.some((room) => file.startsWith(room + sep)))
    .flatMap((file) => {
      const known = new Set(read(readFileSync(join(src, file), "utf8")).filter((name) => names.has(name)));
      return known.size > 0 ? [`${file}: ${[...known].sort().join(" ")}`] : [];
    })
    .sort();
}

test("no room but those of the interfaces knows a member of a document by name", () => {
  expect(found(memberNames(several, common), namesIn)).toEqual([]);
});

test("no room but those of the interfaces reads a member of a document that is called by one word", () => {
  expect(found(memberNames(single, shared), wordsIn)).toEqual([]);
});
