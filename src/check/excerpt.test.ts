/** Excerpts are short, say what stands there, and end where there is enough. */
import { expect, test } from "vitest";
import { excerpt, excerptOf, excerptPointer } from "./excerpt.ts";
import { inWords } from "./unquoted.ts";

test.each([
  [undefined, "nothing"],
  [null, "null"],
  ["a\n", '"a\\n"'],
  [{ a: [1, { b: {} }], c: undefined, d: [undefined] }, '{"a":[1,{"b":{}}],"d":[null]}'],
  [[], "[]"],
  [inWords("no candidate"), "no candidate"],
  [{ words: "no candidate" }, '{"words":"no candidate"}'],
])("%j is told as it is", (value, text) => expect(excerptOf(value)).toBe(text));

test("members that lie deep are told, not left out of their braces", () => {
  const deep = { a: { b: { c: { d: { e: 1 } } } } };
  expect(excerptOf(deep)).toBe(JSON.stringify(deep));
  const wide = { a: { b: { c: { d: "x".repeat(300) } } }, e: 1 };
  expect(excerptOf(wide)).toMatch(/^\{"a":\{"b":\{"c":\{"d":"x{50,}… \(2 members\)$/);
});

test.each([
  ["a text", "😀".repeat(5000), "10000 characters"],
  ["a list", Array.from({ length: 100_000 }, (_, i) => i), "100000 items"],
  ["an object", Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`m${i}`, { i }])), "5000 members"],
  ["a name", { ["n".repeat(100_000)]: 1 }, "1 member"],
  ["a nest", JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`), "1 item"],
])("the excerpt of a long %s is its beginning and its size", (_what, value, size) => {
  const text = excerptOf(value);
  expect(text.length).toBeLessThan(150);
  expect(text.endsWith(`… (${size})`)).toBe(true);
  expect(text.isWellFormed?.() ?? true).toBe(true);
});

test("texts and pointers are cut where they are long, visibly", () => {
  expect(excerpt("short")).toBe("short");
  expect(excerpt("é".repeat(1000))).toMatch(/^é{399}…$/);
  expect(excerptPointer("/a/0/b")).toBe("/a/0/b");
  expect(excerptPointer(`/tools/3/${"n".repeat(150_000)}/type`)).toMatch(/^\/tools\/3\/n{60}…\/type$/);
  const long = excerptPointer(`/first${"/name".repeat(10_000)}/0/last`);
  expect(long).toBe("/first/name/…/last");
});
