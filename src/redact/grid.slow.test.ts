/** Holds the whole grid of forms to its bounds, and `docs/secrets-grid.md` to its figures. */
import { expect, test } from "vitest";
import { chosen, machineMade } from "./draws.test-kit.ts";
import { type Count, countGrid, totalOf } from "./grid.test-kit.ts";

/** The figures of the page hold for these values. */
const seed = 20_260_102;

const cell = ({ drawn, stay }: Count): string => `${stay} of ${drawn}`;

test("of all forms of the grid, fewer values stay than the page says", async () => {
  const people = countGrid(chosen, seed);
  const machines = countGrid(machineMade, seed);
  const [ofPeople, ofMachines] = [totalOf(people), totalOf(machines)];
  const rows = [...people].map(
    ([context, count]) => `| ${context} | ${cell(count)} | ${cell(machines.get(context)!)} |`,
  );
  const page = [
    "# The grid of secrets",
    "",
    "Each row is a place for a credential. It is tried with each spelling of five names, each separator and each kind of quotes that it allows,",
    "and with values of all kinds. The columns count the values that can still be read, as [Secrets](secrets.md#how-well) explains.",
    "This command writes the page: `npx vitest run --mode slow src/redact/grid.slow.test.ts -u`.",
    "",
    "| place | chosen by people | made by machines |",
    "| --- | --- | --- |",
    ...rows,
    `| **all** | ${cell(ofPeople)} | ${cell(ofMachines)} |`,
    "",
  ].join("\n");
  expect((100 * ofPeople.stay) / ofPeople.drawn).toBeLessThan(2);
  expect((100 * ofMachines.stay) / ofMachines.drawn).toBeLessThan(0.5);
  await expect(page).toMatchFileSnapshot("../../docs/secrets-grid.md");
});
