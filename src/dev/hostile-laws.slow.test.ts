/** Laws read whatever a target answered without a throw. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeLaws } from "../check/judge-laws.ts";
import { namesFrom } from "../check/names.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { readRecording, recordingsIn } from "../run/plan/recordings.ts";
import { spoiled } from "./hostile.ts";
import { createChance } from "./legal/chance.ts";
import { runsOf, seedOf } from "./random.test-kit.ts";

const seed = seedOf(20_261_122);
const folder = join(home, "recordings");
const sources = recordingsIn(folder).filter((source) => source.includes("/laws/"));

test(`no answer to the scenarios of laws makes one throw, seed ${seed}`, async () => {
  const catalogue = await openCatalogue();
  const options = { names: namesFrom(), policy: { strict: "all", openEnums: false } } as const;
  const chance = createChance(seed);
  const thrown = new Set<string>();
  for (const source of sources) {
    const { exchanges } = await readRecording(folder, source);
    for (let run = 0; run < runsOf(60); run++) {
      const placed = exchanges.map(({ exchange }, position) => ({ position, exchange: spoiled(exchange, chance) }));
      try {
        judgeLaws(placed, source, catalogue, options);
      } catch (error) {
        thrown.add(`${source}: ${(error as Error).stack?.split("\n").slice(0, 3).join(" ")}`);
      }
    }
  }
  expect([...thrown]).toEqual([]);
});
