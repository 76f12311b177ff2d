/** Holds how many drawn credentials stay readable in a sample of the forms of the grid. */
import { expect, test } from "vitest";
import { seedOf } from "../dev/random.test-kit.ts";
import { chosen, machineMade } from "./draws.test-kit.ts";
import { countGrid, totalOf } from "./grid.test-kit.ts";

test.each([
  ["that people choose", chosen, 2],
  ["that machines make", machineMade, 0.5],
])("of values %s, below the bound stay", (_, kinds, percent) => {
  const { drawn, stay } = totalOf(countGrid(kinds, seedOf(20_260_102), 11));
  expect(drawn).toBeGreaterThan(3000);
  expect((100 * stay) / drawn).toBeLessThan(percent);
});
