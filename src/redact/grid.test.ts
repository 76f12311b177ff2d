/** Holds how many drawn credentials stay readable in a sample of the forms of the grid. */
import { expect, test } from "vitest";
import { seedOf, times } from "../dev/random.test-kit.ts";
import { chosen, machineMade } from "./draws.test-kit.ts";
import { countGrid, totalOf } from "./grid.test-kit.ts";

test.each([
  ["that people choose", chosen, 11, 2],
  ["that machines make", machineMade, times < 1 ? 40 : 11, 0.5],
])("of values %s, below the bound stay", (_, kinds, oneOf, percent) => {
  const { drawn, stay } = totalOf(countGrid(kinds, seedOf(20_260_102), oneOf));
  expect(drawn).toBeGreaterThan(33_000 / oneOf);
  expect((100 * stay) / drawn).toBeLessThan(percent);
});
