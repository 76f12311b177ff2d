/** Judges every case by our own checker: legal answers break nothing, and the others break what is listed of them. */
import { expect, test } from "vitest";
import { violationsOf } from "../dev/cases/violations.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { allCases } from "./all-cases.ts";
import { violations } from "./violations.ts";

const catalogue = await openCatalogue();
const { hidden, violations: found } = violationsOf(catalogue);

test("typical requests show every case", () => {
  expect(hidden).toEqual([]);
});

test("legal cases violate nothing, and other cases what is listed: npm run cases:violations", () => {
  expect(allCases.filter(({ id, kind }) => kind === "legal" && id in found).map(({ id }) => id)).toEqual([]);
  expect(found).toEqual(violations);
});

test("cases are many, each has an id of its own and says what it rests on", () => {
  const ids = allCases.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(150);
  const clauses = new Set(catalogue.clauses.map(({ id }) => id));
  const rests = allCases.flatMap(({ id, restsOn }) => restsOn.map((one) => [id, one] as const));
  expect(allCases.filter(({ restsOn }) => restsOn.length === 0)).toEqual([]);
  const isKnown = (one: string): boolean =>
    /^(?:RFC \d+|WHATWG |https:\/\/github\.com\/|the documents$|plain safety: )/.test(one) ||
    Object.hasOwn(catalogue.readings, one) ||
    clauses.has(one);
  expect(rests.filter(([, one]) => !isKnown(one))).toEqual([]);
  expect(allCases.filter(({ kind, restsOn }) => kind === "odd" && restsOn.length === 0)).toEqual([]);
});
