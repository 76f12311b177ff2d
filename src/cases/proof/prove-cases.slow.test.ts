/** The whole proof of the cases: every fault is told, alone. */
import { expect, test } from "vitest";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { isProven, proveCases } from "./prove-cases.ts";

test("every fault is told, alone", async () => {
  const proof = await proveCases(await openCatalogue());
  const gaps = proof.faults.filter(
    ({ told, silent, strays }) => told.length === 0 || silent.length > 0 || strays.length > 0,
  );
  expect([proof.amiss, gaps]).toEqual([[], []]);
  expect(isProven(proof)).toBe(true);
}, 600_000);
