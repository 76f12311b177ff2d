/** Holds that taking credentials out changes no verdict, and nothing of recordings that hold none. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCassette } from "../cassette/read.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { spoiled } from "../dev/hostile.ts";
import { createChance } from "../dev/legal/chance.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { examples } from "../interfaces/examples.ts";
import type { Exchange } from "../wire/exchange.ts";
import { redact } from "./redact.ts";

const catalogue = await openCatalogue();
const options = { names: namesFrom(), policy: lenient };
/** Clauses and places that an exchange violates. */
const found = (exchange: Exchange): string[] =>
  judge(exchange, { source: "test", exchange: 0 }, catalogue, options).findings.map(
    ({ clause, level, side, pointer, event }) => `${level} ${clause} ${side} ${event} ${pointer}`,
  );

const sizeOf = ({ request, response }: Exchange): number => request.body.length + (response?.body.length ?? 0);
const good = Object.values(examples)
  .flat()
  .filter(({ exchange }) => sizeOf(exchange) < 20_000);

describe("what is found stays the same", () => {
  test("in good exchanges, whose bodies stay as they are", () => {
    for (const { name, exchange } of good) {
      const safe = redact(exchange, { keepHeaders: ["partner-version"] });
      expect([name, found(safe)]).toEqual([name, found(exchange)]);
      expect([name, safe.request.body, safe.response?.body]).toEqual([
        name,
        exchange.request.body,
        exchange.response?.body,
      ]);
    }
  });

  test("in bad ones, also where a key stands in them", () => {
    const key = "sk-proj-Zk3v9QpLm27TbXe1aGh5";
    let faults = 0;
    for (let seed = 0; seed < 150; seed++) {
      const chance = createChance(seed);
      const bad = spoiled(chance.pick(good).exchange, chance);
      const { request } = bad;
      const keyed = { ...bad, request: { ...request, headers: [...request.headers, ["X-Api-Key", key] as const] } };
      const before = found(keyed);
      faults += before.length;
      expect([seed, found(redact(keyed, { keepHeaders: ["partner-version"] }))]).toEqual([seed, before]);
    }
    expect(faults).toBeGreaterThan(150);
  });
});

test("nothing of the bodies of recordings is hidden", async () => {
  const folder = join(home, "recordings");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.jsonl?$/.test(file));
  let bodies = 0;
  for (const file of files) {
    const { exchanges } = await readCassette(join(folder, file));
    for (const { exchange } of exchanges) {
      const { request, response } = redact(exchange);
      bodies++;
      expect([file, Buffer.compare(request.body, exchange.request.body)]).toEqual([file, 0]);
      if (response) expect([file, Buffer.compare(response.body, exchange.response!.body)]).toEqual([file, 0]);
    }
  }
  expect(bodies).toBeGreaterThan(50);
});
