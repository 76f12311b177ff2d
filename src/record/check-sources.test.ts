/** How many processes judge recordings of a size. */
import { expect, test } from "vitest";
import { judgesFor } from "./check-sources.ts";

const megabyte = 1 << 20;

test("a second judge starts where each of two has enough to do", () => {
  expect([0, 70, 95].map((size) => judgesFor(size * megabyte))).toEqual([1, 1, 1]);
  expect([96, 143, 144].map((size) => judgesFor(size * megabyte))).toEqual([2, 2, 3]);
});
