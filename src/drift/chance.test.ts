/** Holds Fisher's exact test to values known from elsewhere, and its words to what they claim. */
import { expect, test } from "vitest";
import { chanceOf, ruleOfThree, surenessOf, turnChance } from "./chance.ts";

test.each([
  // Fisher's tea: three of four cups of each kind were told right.
  [3, 4, 1, 4, 0.4857],
  [8, 10, 1, 6, 0.03497],
  [3, 40, 0, 38, 0.24076],
  [40, 40, 0, 38, 0],
  [1, 1, 0, 1, 1],
  [0, 9, 0, 9, 1],
  [300, 4000, 200, 4000, 0.0000049],
])("%i of %i against %i of %i", (a, n, b, m, chance) => {
  expect(chanceOf(a, n, b, m)).toBeCloseTo(chance, 4);
  expect(chanceOf(b, m, a, n)).toBeCloseTo(chance, 4);
});

test("words say no more than the counts show", () => {
  expect(surenessOf(1, 1, 1)).toBe("too few to say how sure");
  expect(surenessOf(chanceOf(3, 40, 0, 38), 40, 38)).toBe("unsure (p = 0.24)");
  expect(surenessOf(chanceOf(12, 40, 1, 38), 40, 38)).toMatch(/^likely \(p = 0\.\d{3}\)$/);
  expect(surenessOf(chanceOf(40, 40, 0, 38), 40, 38)).toMatch(/^certain \(p < 0\.001\)$/);
  expect(ruleOfThree(38)).toBe("it may still be in up to 8 of 100");
  expect(ruleOfThree(3)).toBeUndefined();
});

test("a thing that took another's place everywhere is as certain as one that went everywhere", () => {
  expect(chanceOf(20, 20, 20, 20)).toBe(1);
  expect(turnChance(20, 20, 20, 20)).toBe(chanceOf(20, 20, 0, 20));
  expect(turnChance(0, 20, 1, 20)).toBe(1);
});
