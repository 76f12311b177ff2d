/** What differs between claims and exchanges is told by the part that differs. */
import { expect, test } from "vitest";
import { green } from "../report/results.test-kit.ts";
import { differencesBetween } from "./compare.ts";

test("two long values that begin alike are shown from where they part", () => {
  const same = "x".repeat(300);
  const told = (end: string) => ({ ...green, target: { ...green.target, name: `${same}${end}` } });
  const [{ what } = { what: "" }, ...others] = differencesBetween(told("claimed"), told("right"));
  expect(others).toEqual([]);
  expect(what).toBe(`target: name is …${"x".repeat(20)}claimed", and should be …${"x".repeat(20)}right"`);
});

test("short values are shown whole, and long ones that differ at once from their beginning", () => {
  const told = (name: string) => ({ ...green, target: { ...green.target, name } });
  const what = (a: string, b: string) => [...differencesBetween(told(a), told(b))].map((one) => one.what);
  expect(what("a", "b")).toEqual([`target: name is "a", and should be "b"`]);
  expect(what("a".repeat(200), "b")).toEqual([`target: name is "${"a".repeat(78)}…, and should be "b"`]);
});
