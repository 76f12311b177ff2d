/** Holds that what is cut fits the columns of a terminal, whatever it is written in. */
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { cutTo, wrapTo } from "./width.ts";

test.each([
  ["short", 10, "short"],
  ["just fitting", 12, "just fitting"],
  ["one too long", 11, "one too lo…"],
  ["漢字漢字", 8, "漢字漢字"],
  ["漢字漢字", 7, "漢字漢…"],
  ["漢字漢字", 6, "漢字…"],
  ["👩‍👩‍👧‍👦 family", 6, "👩‍👩‍👧‍👦 fa…"],
  ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
  ["anything", 1, "…"],
  ["anything", 0, ""],
])("%j in %d columns is %j", (text, columns, expected) => {
  expect(cutTo(text, columns)).toBe(expected);
});

test("a megabyte is cut without being measured whole", () => {
  for (const text of ["x", "漢", "e\u0301\u0301"].map((one) => one.repeat(1 << 19)))
    expect(stringWidth(cutTo(text, 80))).toBeLessThanOrEqual(80);
});

test.each<[string, number, number | undefined, string[]]>([
  ["one two three", 20, undefined, ["one two three"]],
  ["one two three", 8, undefined, ["one two", "three"]],
  ["one two three four", 8, 2, ["one two", "three f…"]],
  ["a-very-long-word", 5, undefined, ["a-very-long-word"]],
  ["漢字 漢字 漢字", 9, undefined, ["漢字 漢字", "漢字"]],
  ["", 9, undefined, [""]],
])("%j in lines of %d columns, %s at most, is %j", (text, columns, maxLines, expected) => {
  expect(wrapTo(text, columns, maxLines)).toEqual(expected);
});
