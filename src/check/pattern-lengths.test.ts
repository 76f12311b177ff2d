/** Says of which lengths the texts of a pattern may be; a no is always right. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { mayMatch } from "./pattern-lengths.ts";
import { textFor } from "./pattern-text.ts";

test.each([
  ["^.{3}$", 5, 9, false],
  ["^.{3}$", 3, 9, true],
  [".{3}", 5, 9, true],
  ["^([0-9a-f]{2})+$", 9, 9, false],
  ["^([0-9a-f]{2})+$", 10, 10, true],
  ["^a*$", 0, 0, true],
  ["^a+$", 0, 0, false],
  ["^(?:a|bcd)$", 2, 2, false],
  ["^(?=.{8})x", 1, 1, true],
  ["^(.)\\1$", 2, 2, true],
  ["^\u{1F600}$", 1, 1, true],
])("%s between %i and %i characters: %s", (pattern, min, max, expected) => {
  expect(mayMatch(pattern, min, max)).toBe(expected);
});

test("a pattern that no text matches is known, however long the text", () => {
  for (const pattern of ["/^foo$/", "a^b", "$x", "^a^"]) expect(mayMatch(pattern), pattern).toBe(false);
  for (const pattern of ["", "x", "^$", "$", "^", "a|$b"]) expect(mayMatch(pattern), pattern).toBe(true);
});

test("a length far away is decided without walking there", () => {
  expect(mayMatch("^a{3}$", 500_000)).toBe(false);
  expect(mayMatch("^a*b$", 500_000)).toBe(true);
});

const part = fc.constantFrom("a", "b", ".", "[ab]", "^", "$", "\\b", "(?=a)", "(?!b)", "a{2}", "b*", "(?:a|bb)", "a?");
test("what matches a text is never denied its length", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), texts, (parts, text) => {
      const pattern = parts.join("");
      if (new RegExp(pattern, "u").test(text)) expect(mayMatch(pattern, text.length, text.length)).toBe(true);
    }),
    fuzz(4000),
  );
});

test.each([
  "^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d@$!%*?&]{8,16}$",
  "^(?=.*[A-Z])(?=.*\\d).{3,}$",
  "^(?!a)[a-z]+$",
  "^\\S(.*\\S)?$",
])("a text is made for %s", (pattern) => expect(textFor(pattern)).toMatch(new RegExp(pattern, "u")));
