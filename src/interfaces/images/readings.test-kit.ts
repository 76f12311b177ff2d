/** The parts that tests of readings share: judging under one strict reading, and a table of cases. */
import { expect, test } from "vitest";
import { lenient, type Policy } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { type Bindings, namesFrom } from "../../check/names.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { encodePng } from "../../wire/png.ts";
import { openCatalogue } from "../catalogue.ts";
import { file } from "./examples/parts.ts";

const catalogue = await openCatalogue();

/** `level clause` of everything found, notes included. */
export function found(exchange: Exchange, policy: Policy = lenient, bindings: Bindings = {}, probe = false): string[] {
  const { findings } = judge(exchange, { source: "test", exchange: 0 }, catalogue, {
    names: namesFrom(bindings),
    policy,
    probe,
  });
  return findings.map(({ level, clause }) => `${level} ${clause.replace("images.", "")}`);
}

/** The undecided clauses, and what keeps them so. */
export function undecided(exchange: Exchange): { clause: string; needs: string }[] {
  const options = { names: namesFrom(), policy: lenient };
  return [...judge(exchange, { source: "test", exchange: 0 }, catalogue, options).undecided];
}

export const strict = (id: string): Policy => ({ strict: new Set([id]), openEnums: false });

/** An exchange as far as its request. */
export const sent = (exchange: Exchange): Exchange => ({ ...exchange, response: null });

/** An alpha channel in which nothing is transparent. */
export const veiled = file(encodePng({ width: 1, height: 1, channels: 2, data: Uint8Array.of(128, 255) }));

/** Reading, what the case is about, the exchange, and what is found by default and under the strict option. */
export type Case = readonly [
  reading: string,
  about: string,
  make: () => Exchange,
  byDefault: string[],
  whenStrict: string[],
];

export function testReadings(cases: readonly Case[]): void {
  test.each(cases)("%s: %s", (reading, _about, make, byDefault, whenStrict) => {
    // Whether a request is refused is asked only of those sent broken on purpose.
    const probe = reading === "X-ENFORCE";
    expect(found(make(), lenient, {}, probe).sort()).toEqual([...byDefault].sort());
    expect(found(make(), strict(reading), {}, probe).sort()).toEqual([...whenStrict].sort());
  });
}
