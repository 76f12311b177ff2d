/** Texts of a shape that is known are linted as well as others. */
import { expect, test } from "vitest";
import { replaceText } from "../replace-text.test-kit.ts";
import { mayHaveFractions, mayRepeatKeys } from "./json-lint.ts";
import { createSameShapeLint } from "./same-shape.ts";

const usual = '{"id":"a","n":1,"p":-0.25,"list":[{"text":"x"}]}';

test.each([
  ["the same", usual, 0],
  ["other strings and numbers", '{"id":"say \\"x\\"\\n","n":-20,"p":3.05,"list":[{"text":""}]}', 0],
  ["an integer with a fraction", '{"id":"a","n":1.0,"p":-0.25,"list":[{"text":"x"}]}', mayHaveFractions],
  ["an integer with an exponent", '{"id":"a","n":1e3,"p":-0.25,"list":[{"text":"x"}]}', mayHaveFractions],
  ["a fraction that is an integer", '{"id":"a","n":1,"p":-2.00,"list":[{"text":"x"}]}', mayHaveFractions],
  ["a fraction with an exponent", '{"id":"a","n":1,"p":-0.25e2,"list":[{"text":"x"}]}', mayHaveFractions],
  ["a key that comes again", '{"id":"a","id":"a","n":1,"p":-0.25,"list":[{"text":"x"}]}', mayRepeatKeys],
  ["a key in place of another", '{"id":"a","n":1,"n":-0.25,"list":[{"text":"x"}]}', mayRepeatKeys],
  ["a key within what was a string", '{"id":"a","n":1,"p":-0.25,"list":[{"text":"x","text":"y"}]}', mayRepeatKeys],
])("%s after a text of one shape", (_, text, suspects) => {
  const lint = createSameShapeLint(100);
  expect(lint(usual)).toBe(0);
  expect(lint(text)).toBe(suspects);
  expect(lint(usual)).toBe(0);
});

test("a text of many fractions and strings that differs at its end is linted in one pass", () => {
  const text = (end: string): string =>
    JSON.stringify([...Array(150).fill(-1.125), ...Array(150).fill('"\\ say'), end]);
  const lint = createSameShapeLint(100);
  expect(lint(text("a"))).toBe(0);
  expect(lint(replaceText(text("a"), '"a"', "true"))).toBe(0);
});
