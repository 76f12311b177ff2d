/** Holds the facts: they follow their schema, speak of known interfaces, and name readings that exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { home } from "../home.ts";
import { shippedClauses } from "./clause-data.ts";
import { factData } from "./fact-data.ts";
import { interfaces } from "./index.ts";

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(home, "schemas", ...path), "utf8"));
const facts = factData();
const all = [...Object.entries(facts.request), ...Object.entries(facts.answer)];

test("the facts follow their schema", () => {
  const validate = new Ajv2020({ allErrors: true }).compile(read("formats", "facts.schema.json") as object);
  validate(read("facts.json"));
  expect(validate.errors).toBeNull();
});

test("every fact says where each interface has it, or that it has no word for it", () => {
  const names = interfaces.map(({ name }) => name).sort();
  expect(all.filter(([, { at }]) => Object.keys(at).sort().join() !== names.join()).map(([name]) => name)).toEqual([]);
});

test("every fact is one sentence", () => {
  expect(all.filter(([, { says }]) => !/^[A-Z][^.!?]+\.$/.test(says)).map(([name]) => name)).toEqual([]);
});

test("facts and readings on facts name each other", () => {
  const named = new Set(all.flatMap(([, { readings = [] }]) => readings));
  const known = Object.entries(shippedClauses.readings).filter(([, { of }]) => of === "gateway");
  expect([...named].sort()).toEqual(known.map(([id]) => id).sort());
});

test("parts of a fact have a name for each place", () => {
  const parts = all.filter(([, { kind }]) => kind === "parts");
  expect(parts.length).toBeGreaterThan(0);
  for (const [, { at, parts: names }] of parts)
    for (const places of Object.values(at)) if (places) expect(places).toHaveLength(names!.length);
});
