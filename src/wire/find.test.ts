import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { characters, isLonger } from "./characters.ts";
import { holds } from "./find.ts";

const letters = (max: number) =>
  fc.array(fc.constantFrom("a", "b", "aab"), { maxLength: max }).map((all) => all.join(""));

test("a text is found exactly where the engine finds it", () => {
  fc.assert(
    fc.property(letters(200), letters(40), fc.boolean(), (text, what, inside) => {
      const sought = inside ? text.slice(text.length >> 2, text.length >> 1) : what;
      expect(holds(text, sought)).toBe(text.includes(sought));
    }),
    fuzz(1000),
  );
});

test("a needle that nearly stands everywhere is looked for in one pass", () => {
  const [text, near] = ["a".repeat(4_000_000), "a".repeat(500_000)];
  expect(holds(text, `b${near}`)).toBe(false);
  expect(holds(text, `${near}b`)).toBe(false);
  expect(holds(text, `${near}b${near}`)).toBe(false);
  expect(holds(`${text}b`, `${near}b`)).toBe(true);
});

test("characters are counted as code points", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, limit) => {
      expect(characters(text)).toBe(Array.from(text).length);
      expect(isLonger(text, limit)).toBe(Array.from(text).length > limit);
    }),
    fuzz(500),
  );
  expect([characters("\ud83d"), characters("\ude00\ud83d"), characters("\u{1f600}")]).toEqual([1, 2, 1]);
});
