import { expect, test } from "vitest";
import { Key } from "./key.ts";

const values = [0, 1, "0", "1", "[1]", [1], ["1"], [[1]], {}, "{}", "\0{}", "\0", true, "true", null, "null", ""];

test("keys are the same object exactly if their values are equal", () => {
  const root = new Key();
  for (const a of values)
    for (const b of values) {
      expect(root.next(a) === root.next(b), JSON.stringify([a, b])).toBe(a === b);
      expect(root.next(a).next(b) === root.next(b).next(a)).toBe(a === b);
    }
  expect(root.next({ a: 1 })).toBe(root.next({ a: 1 }));
  expect(root.next(1)).not.toBe(root.next(1).next(1));
});

test("a missing value counts as null", () => {
  const root = new Key();
  expect(root.next(undefined)).toBe(root.next(null));
  expect(root.next(1).next(undefined).values()).toEqual([1, null]);
});
