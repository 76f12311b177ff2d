/** Whatever the documents allow, nothing is called an error: thousands of legal exchanges, made from a printed seed. */
import { describe, expect, test } from "vitest";
import type { Catalogue } from "../../check/catalogue.ts";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { examples } from "../../interfaces/examples.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { runsOf, seedOf } from "../random.test-kit.ts";
import { interfaceNames, legalExchange } from "./legal.ts";

const catalogue: Catalogue = await openCatalogue();
const names = namesFrom();

/** `TOUCHSTONE_SEED=n TOUCHSTONE_RUNS=1` makes exchange n alone again. */
const seed = seedOf(20_261_120);
const runs = runsOf(400);

function errorsIn(exchange: Exchange): string[] {
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names, policy: lenient });
  return findings.filter(({ level }) => level === "error").map(({ clause, message }) => `${clause}: ${message}`);
}

describe(`seed ${seed}`, () => {
  test.each(interfaceNames)(`${runs} legal exchanges of %s without an error`, (of) => {
    const goods = (examples[of] ?? []).filter(({ probe, exchange }) => !probe && errorsIn(exchange).length === 0);
    const accusations = new Map<string, string>();
    for (let at = seed; at < seed + runs; at++) {
      const { name, exchange } = legalExchange(of, goods, at);
      for (const error of errorsIn(exchange)) {
        const clause = error.split(":", 1)[0]!;
        if (!accusations.has(clause)) accusations.set(clause, `TOUCHSTONE_SEED=${at} (${name}) ${error}`);
      }
    }
    expect([...accusations.values()]).toEqual([]);
  });
});
