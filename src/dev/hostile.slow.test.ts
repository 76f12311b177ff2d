/** Whatever a peer sends, judging neither throws nor costs more than the bytes are worth. */

import { describe, test } from "vitest";
import { lenient, type Policy } from "../check/clause.ts";
import type { Example } from "../check/example.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { examples } from "../interfaces/examples.ts";
import { editJson } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isEventStream } from "../wire/headers.ts";
import { spoiled, withEverywhere } from "./hostile.ts";
import { createChance } from "./legal/chance.ts";
import { runsOf, seedOf, times } from "./random.test-kit.ts";

const catalogue = await openCatalogue();
const names = namesFrom();
const seed = seedOf(20_261_120);
const runs = runsOf(400);
const strictly: Policy = { strict: "all", openEnums: true };
const interfaceNames = Object.keys(examples);

/** Judges under every policy; whoever throws says on what. */
function judged(exchange: Exchange, on: string): void {
  for (const [policy, probe] of [
    [lenient, false],
    [strictly, true],
  ] as const)
    try {
      judge(exchange, { source: "", exchange: 0 }, catalogue, { names, policy, probe });
    } catch (error) {
      throw new Error(`${on}: ${(error as Error).stack}`);
    }
}

/** Small examples, one of each operation and kind of reply at least. */
const small = (of: string): readonly Example[] =>
  (examples[of] ?? []).filter(
    ({ exchange }) => exchange.request.body.length + (exchange.response?.body.length ?? 0) < 20_000,
  );

describe(`seed ${seed}`, () => {
  test.each(interfaceNames)(`${runs} spoiled exchanges of %s`, (of) => {
    for (let at = seed; at < seed + runs; at++) {
      const chance = createChance(at);
      const { name, exchange } = chance.pick(small(of));
      judged(spoiled(exchange, chance), `TOUCHSTONE_SEED=${at} ${name}`);
    }
  });
});

/** Examples that differ in operation or kind of reply, the richest of each. */
function kinds(of: string): Example[] {
  const richest = new Map<string, Example>();
  for (const example of small(of)) {
    const { request, response } = example.exchange;
    const kind = `${request.target.split("?")[0]} ${isEventStream(example.exchange.response)} ${response?.status}`;
    const size = (one: Example | undefined): number =>
      one ? one.exchange.request.body.length + (one.exchange.response?.body.length ?? 0) : -1;
    if (size(example) > size(richest.get(kind))) richest.set(kind, example);
  }
  return [...richest.values()];
}

describe("in every place of a body", () => {
  const deep = 100_000;
  const nests: readonly (readonly [string, string])[] = [
    ["lists", "[".repeat(deep) + "]".repeat(deep)],
    ["objects", `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`],
  ];
  test.each(interfaceNames)(`${deep} nested values in %s`, (of) => {
    for (const [what, text] of nests)
      for (const { name, exchange } of kinds(of)) {
        let at = 0;
        // Some places of all: each costs megabytes.
        for (const made of withEverywhere(exchange, text))
          if ((at++ + seed) % Math.max(1, Math.min(480, Math.round(120 / times))) === 0)
            judged(made, `${what} in ${name}`);
      }
  });

  test.each(interfaceNames)("schemas that refer to themselves in %s", (of) => {
    const text = '{"type":"object","properties":{"a":{"$ref":"#"}},"$ref":"#/properties/a","anyOf":[{"$ref":"#"}]}';
    for (const { name, exchange } of kinds(of)) for (const made of withEverywhere(exchange, text)) judged(made, name);
  });
});

/** The lists of up to three levels below a value. */
function listsIn(value: unknown, depth = 3): unknown[][] {
  if (typeof value !== "object" || value === null || depth < 0) return [];
  const inner = Object.values(value).flatMap((child) => listsIn(child, depth - 1));
  return Array.isArray(value) && value.length > 0 ? [value, ...inner] : inner;
}

describe("of a size", () => {
  const many = Math.min(10_000, Math.max(500, 2_000 * times));
  const stride = Math.max(1, Math.round(32 / times));
  const strange = Object.fromEntries(Array.from({ length: many }, (_, i) => [`modeel${i}`, i]));

  test.each(interfaceNames)(`lists of ${many} items, objects of as many strange members in %s`, (of) => {
    const crowded = new Set<string>();
    for (const { name, exchange } of kinds(of))
      for (const side of ["request", "response"] as const) {
        if (!exchange[side] || (side === "response" && isEventStream(exchange.response))) continue;
        let lists = 0;
        editJson(exchange, side, (body) => void (lists = listsIn(body).length));
        // Some lists of all, others with every seed.
        for (let at = seed % stride; at < lists; at += stride) {
          const grown = editJson(exchange, side, (body) => {
            const list = listsIn(body)[at]!;
            for (let i = 0; i < many; i++) list.push(list[0]);
          });
          judged(grown, `list ${at} of the ${side} of ${name}`);
        }
        const known = `${side} ${new URL(exchange.request.target, "http://host").pathname}`;
        if (!crowded.has(known))
          judged(
            editJson(exchange, side, (body: object) => void Object.assign(body, strange)),
            name,
          );
        crowded.add(known);
      }
  });

  const events = Math.min(20_000, Math.max(5_000, 20_000 * times));
  test.each(interfaceNames)(`streams of ${events} events in %s`, (of) => {
    for (const { name, exchange } of kinds(of)) {
      const { response } = exchange;
      if (!response || !isEventStream(exchange.response)) continue;
      const text = Buffer.from(response.body).toString("utf8");
      const [first = "", ...rest] = text.split(/(?<=\n\n|\r\n\r\n)/);
      const middle = rest[Math.floor(rest.length / 2) - 1] ?? first;
      const body = Buffer.from(first + middle.repeat(events) + rest.join(""));
      judged({ ...exchange, response: { status: 200, headers: response.headers, body } }, name);
    }
  });
});
