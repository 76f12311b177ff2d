/** Texts of answers, found again in what programs print. */
import { expect, test } from "vitest";
import { compareText } from "./compare-text.ts";

test("a word that comes any number of times is found, beside one that is missing", () => {
  const { fate, missing, found } = compareText("lamibodu ".repeat(200_000), "lamibodu kesorita");
  expect([fate, missing, found]).toEqual(["part", ["kesorita"], 1]);
});

test("a word that is broken in the middle is altered, and one at the end is where the text was cut", () => {
  const said = "lamibodu kesorita nuvemado";
  expect(compareText("lamibodu keso\ufffdrita nuvemado", said).fate).toBe("altered");
  expect(compareText("lamibodu kesor nuvemado", said).fate).toBe("altered");
  expect(compareText("lamibodu kesorita nuve", said).fate).toBe("part");
});
