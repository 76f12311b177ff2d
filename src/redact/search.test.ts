/** Holds the search: it finds what looking at every place finds, however many needles and however alike. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { begunAtEnd, createSearch } from "./search.ts";

const covered = (text: string, needles: readonly string[]): string => {
  const marks = Array.from(text, () => ".");
  createSearch(needles.map((needle) => Buffer.from(needle, "latin1")))(Buffer.from(text, "latin1"), (from, to) => {
    for (let i = from; i < to; i++) marks[i] = "#";
  });
  return marks.join("");
};

const plainly = (text: string, needles: readonly string[]): string => {
  const marks = Array.from(text, () => ".");
  for (const needle of needles)
    for (let at = 0; at + needle.length <= text.length; at++)
      if (text.slice(at, at + needle.length).toLowerCase() === needle.toLowerCase())
        marks.fill("#", at, at + needle.length);
  return marks.join("");
};

const letters = (max: number) => fc.string({ unit: fc.constantFrom("a", "b", "A"), minLength: 6, maxLength: max });

describe("a search finds the same as looking at every place", () => {
  test("for a few needles", () => {
    fc.assert(
      fc.property(fc.array(letters(12), { minLength: 1, maxLength: 5 }), letters(80), (needles, text) => {
        expect(covered(text, needles)).toBe(plainly(text, needles));
      }),
      fuzz(500),
    );
  });

  test("for hundreds", () => {
    fc.assert(
      fc.property(fc.array(letters(40), { minLength: 1, maxLength: 9 }), letters(300), (needles, text) => {
        const many = Array.from({ length: 600 }, (_, i) => `${i}-needle`);
        expect(covered(text, [...needles, ...many])).toBe(plainly(text, needles));
      }),
      fuzz(50),
    );
  });
});

test("a needle is found across what is looked at together", () => {
  const many = Array.from({ length: 600 }, (_, i) => `${i}-needle`);
  for (const by of [-9, -4, -1, 0, 1]) {
    const at = (1 << 20) + by;
    const text = `${" ".repeat(at)}599-needle and more`;
    expect(covered(text, many).indexOf("#")).toBe(at);
  }
});

test("needles that are nearly everywhere cost a few steps a byte", () => {
  const text = "a".repeat(400_000);
  expect(covered(text, [`${"a".repeat(2000)}b`, `${"a".repeat(1000)}c`])).not.toContain("#");
  expect(covered(text, ["a".repeat(2000)])).toBe("#".repeat(400_000));
});

test.each([
  ["abcabcabd", "xx abcabcab", 8],
  ["abcabcabd", "abcab abc", 0],
  ["aaaaaaaaaaaa", "aaaaaaaa", 8],
  ["secretsecret", "secretsecret", 6],
])("of %j the end of %j is the start", (needle, text, length) => {
  expect(begunAtEnd(Buffer.from(text), Buffer.from(needle), 6)).toBe(length);
});
