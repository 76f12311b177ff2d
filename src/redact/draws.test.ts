/** Holds how many drawn credentials stay readable in the forms that the README claims. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runsOf, seedOf } from "../dev/random.test-kit.ts";
import { home } from "../home.ts";
import { chosen, claimed, inProse, machineMade, stays } from "./draws.test-kit.ts";

/** How many may stay, in percent. */
const maxStaying = { machineMade: 0.1, chosen: 2 };

/** Draws each kind of value in each form; gives which stay, by kind and form, and how many were drawn. */
function tried(kinds: typeof machineMade, forms: typeof claimed, each: number) {
  const stayed = new Map<string, string[]>();
  let draws = 0;
  let readable = 0;
  for (const [kind, values] of Object.entries(kinds))
    for (const [form, write] of Object.entries(forms))
      for (const value of fc.sample(values, { numRuns: each, seed: seedOf(20_260_101) + draws })) {
        draws++;
        const [before, written, after] = write(value);
        if (!stays(before, written, after)) continue;
        readable++;
        const name = `${kind}, ${form}`;
        stayed.set(name, [...(stayed.get(name) ?? []), value].slice(0, 3));
      }
  return { draws, readable, stayed: [...stayed] };
}

test("below 0.1 % of values that machines make stay", () => {
  const { draws, readable, stayed } = tried(machineMade, { ...claimed, ...inProse }, runsOf(24));
  expect(readable / draws, JSON.stringify(stayed)).toBeLessThan(maxStaying.machineMade / 100);
});

test("below 2 % of values that people choose stay", () => {
  const { draws, readable, stayed } = tried(chosen, claimed, runsOf(24));
  expect(readable / draws, JSON.stringify(stayed)).toBeLessThan(maxStaying.chosen / 100);
});

test.each(["README.md", "docs/secrets.md"])("%s says these figures", (page) => {
  const text = readFileSync(join(home, page), "utf8");
  const said = Array.from(text.matchAll(/(?:below|fewer than) (\d+(?:\.\d+)?) %/g), ([, figure]) => Number(figure));
  expect(said).toEqual([maxStaying.machineMade, maxStaying.chosen]);
});
