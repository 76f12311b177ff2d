/** The proof of the cases: without a fault nothing is held against a client, and faults are told, alone. */
import { expect, test } from "vitest";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { proofFaults } from "./faults.ts";
import { isProven, proveCases } from "./prove-cases.ts";

test("there are more than forty faults, in every interface", () => {
  const all = Object.values(proofFaults);
  expect(all.length).toBeGreaterThan(40);
  expect(new Set(all.map((fault) => fault.in)).size).toBe(4);
});

test("a client without a fault does well in every case, and some faults are told, alone", async () => {
  const proof = await proveCases(await openCatalogue(), {
    faults: ["comment-drops-event", "key-along-redirect"],
    interfaces: ["messages"],
    isQuick: true,
  });
  expect(proof.amiss).toEqual([]);
  expect(proof.cases).toBeGreaterThan(190);
  expect(proof.faults.map(({ fault, silent, strays }) => ({ fault, silent, strays }))).toEqual(
    proof.faults.map(({ fault }) => ({ fault, silent: [], strays: [] })),
  );
  expect(proof.faults.map(({ told }) => told.length > 0)).toEqual([true, true]);
  expect(isProven(proof)).toBe(true);
}, 120_000);
