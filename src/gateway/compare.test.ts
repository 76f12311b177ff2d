/** Holds the comparison: what passes through unchanged is kept, and any exchange can be compared. */
import { beforeAll, expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { namesFrom } from "../check/names.ts";
import { spoiled } from "../dev/hostile.ts";
import { createChance } from "../dev/legal/chance.ts";
import { runsOf, seedOf } from "../dev/random.test-kit.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { examples } from "../interfaces/examples.ts";
import { type CompareOptions, compareTrip } from "./compare.ts";

let options: CompareOptions;
let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await openCatalogue();
  options = { strict: false, catalogue, names: namesFrom() };
});

const interfaceNames = Object.keys(examples);

test.each(interfaceNames)("what passes through unchanged is kept: every good exchange of %s", (name) => {
  for (const { name: id, exchange, probe } of examples[name]!) {
    if (probe) continue;
    for (const strict of [false, true]) {
      const compared = compareTrip(
        { id, client: exchange, upstream: [exchange] },
        { from: name, to: name },
        { ...options, strict },
      );
      const lost = compared.filter(({ outcome }) => outcome !== "kept");
      expect({ id, lost }).toEqual({ id, lost: [] });
    }
  }
});

test.each(interfaceNames)("any exchange at either end can be compared, from %s", (name) => {
  const seed = seedOf(5);
  const small = Object.values(examples)
    .flat()
    .filter(({ exchange }) => exchange.request.body.length < 20_000);
  const own = small.filter(({ exchange }) => examples[name]!.some((one) => one.exchange === exchange));
  for (let at = seed; at < seed + runsOf(320); at++) {
    const chance = createChance(at);
    const client = spoiled(chance.pick(own).exchange, chance);
    const upstream = [spoiled(chance.pick(small).exchange, chance), spoiled(chance.pick(own).exchange, chance)];
    for (const to of interfaceNames) compareTrip({ id: "", client, upstream }, { from: name, to }, options);
  }
});
