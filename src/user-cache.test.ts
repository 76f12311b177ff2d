/** The cache gives back what was kept, and nothing that somebody or something else put there. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceText } from "./replace-text.test-kit.ts";
import { cacheFolder, openUserCache } from "./user-cache.ts";

let parent = "";
let folder = "";
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "touchstone-cache-"));
  folder = join(parent, "touchstone");
});
afterEach(() => rmSync(parent, { recursive: true }));

const file = (name: string): string => join(folder, `${name}.cache`);

test("a text is kept in a file that nobody else can read", () => {
  const cache = openUserCache(folder);
  expect(cache.read("one")).toBe(undefined);
  expect(existsSync(folder)).toBe(false);
  cache.keep("one", "text\nof two lines");
  expect(openUserCache(folder).read("one")).toBe("text\nof two lines");
  expect([statSync(folder).mode & 0o777, statSync(file("one")).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readdirSync(folder)).toEqual(["one.cache"]);
});

test("a changed or cut file is not read, and is replaced by the next text", () => {
  const cache = openUserCache(folder);
  for (const spoil of [
    (text: string) => replaceText(text, "good", "evil"),
    (text: string) => text.slice(0, -1),
    (text: string) => text.slice(0, 30),
    () => "",
  ]) {
    cache.keep("one", "good text");
    writeFileSync(file("one"), spoil(readFileSync(file("one"), "utf8")));
    expect(cache.read("one")).toBe(undefined);
  }
  cache.keep("one", "good text");
  expect(cache.read("one")).toBe("good text");
});

test("what others can write, and a link, is not read", () => {
  const cache = openUserCache(folder);
  cache.keep("one", "text");
  chmodSync(file("one"), 0o666);
  expect(cache.read("one")).toBe(undefined);
  chmodSync(file("one"), 0o600);
  symlinkSync(file("one"), file("two"));
  expect(cache.read("two")).toBe(undefined);
  chmodSync(folder, 0o777);
  expect(cache.read("one")).toBe(undefined);
  cache.keep("three", "text");
  expect(existsSync(file("three"))).toBe(false);
});

test("texts that were used longest ago go, and so does what a killed process left", () => {
  const cache = openUserCache(folder);
  for (let i = 0; i < 32; i++) {
    cache.keep(`text-${i}`, "text");
    utimesSync(file(`text-${i}`), new Date(2020, 0, 1 + i), new Date(2020, 0, 1 + i));
  }
  for (const [name, date] of [
    ["old", new Date(2020, 0, 1)],
    ["new", new Date()],
  ] as const) {
    writeFileSync(join(folder, `${name}.part`), "half");
    utimesSync(join(folder, `${name}.part`), date, date);
  }
  cache.read("text-0");
  cache.keep("last", "text");
  expect(["text-0", "text-1", "text-2", "last"].map((name) => existsSync(file(name)))).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual(["new.part"]);
});

test("a folder that cannot be written keeps nothing, and fails nothing", () => {
  writeFileSync(folder, "a file");
  const cache = openUserCache(folder);
  cache.keep("one", "text");
  expect(cache.read("one")).toBe(undefined);
});

test("the environment turns the cache off or moves it, and a checkout has none", () => {
  const at = (env: NodeJS.ProcessEnv): string | undefined => cacheFolder({ env, platform: "linux" });
  expect(at({ TOUCHSTONE_CACHE: "off" })).toBe(undefined);
  expect(at({ TOUCHSTONE_CACHE: "/somewhere" })).toBe("/somewhere");
  expect(at({ XDG_CACHE_HOME: "/other" })).toBe(undefined);
});
