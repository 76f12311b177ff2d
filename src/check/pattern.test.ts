/** Patterns of others match as they should, in time that grows with the text alone. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { boundedPattern, patternProblem } from "./pattern.ts";
import { readPattern } from "./pattern-program.ts";

const isKept = (pattern: string, text: string): boolean => boundedPattern(pattern).test(text);

test("a pattern whose ways multiply is tried in time that grows with the text alone", () => {
  const text = `${"a".repeat(50_000)}!`;
  for (const pattern of [
    "^(a+)+$",
    "^(a|a)*$",
    "^(?:a*)*b",
    "(a+a+)+b",
    "^(\\w+\\s?)*$",
    "([a-z]+)*\\d",
    "a*a*a*a*b",
  ]) {
    expect(isKept(pattern, text), pattern).toBe(false);
    expect(patternProblem(pattern)).toBe(undefined);
  }
  expect(isKept("^(a+)+$", "a".repeat(50_000))).toBe(true);
});

test("a pattern that looks around or back is refused where its ways multiply, and tried on short texts where they do not", () => {
  expect(patternProblem("^(?=(a+)+$)")).toContain("too long");
  expect(patternProblem("(a+)+\\1")).toContain("too long");
  expect(patternProblem("(?<=a)b$")).toBe(undefined);
  expect(isKept("(?<=a)b$", "cb")).toBe(false);
  expect(isKept("^(?!.*--)[a-z-]*$", "a--b")).toBe(false);
  expect(isKept("^(?!.*--)[a-z-]*$", `${"a".repeat(100_000)}--`)).toBe(true);
});

test("a pattern that is no regular expression is named", () => {
  expect(patternProblem("(?i)x")).toContain("no regular expression");
  expect(patternProblem(3)).toContain("no text");
});

// Without \B, which engines find between the halves of a character.
const atoms = fc.constantFrom(
  ..."a b é 😀 . \\d \\w \\W \\s [ab] [^a] [a-c\\]] [\\^-] \\. \\u0061 \\u{1f600} \\x62 \\p{L} ^ $ \\b".split(" "),
);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    atoms,
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "{2,3}?"))
      .map(([a, times]) => `(${a})${times}`),
  ),
}));

test("texts match as they do with backtracking", () => {
  const texts = fc
    .array(fc.constantFrom(..."a b c é 😀 1 - . ] ^".split(" "), " "), { maxLength: 7 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(pattern, texts, (own, text) => {
      const { program } = readPattern(own);
      // The part before it matches nothing, and rules backtracking out.
      expect(program).toBeDefined();
      expect(isKept(`(?:(?:)*)*${own}`, text), `${own} on ${text}`).toBe(new RegExp(own, "u").test(text));
    }),
    fuzz(4000),
  );
});
