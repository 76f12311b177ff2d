import { expect, test } from "vitest";
import type { ClientOutcome } from "../../verdict/run-results.ts";
import { comparedLines, isEnough, toldLines } from "./client-lines.ts";

type Outcome = ClientOutcome["outcome"];

const line = (name: string, predicted: Outcome, outcome: Outcome): ClientOutcome => ({
  name,
  package: name,
  version: "1",
  by: "seen",
  outcome,
  because: ["text: throws"],
  predicted,
});

test("a prediction is right where the client did the same, or passed over the faults that were foretold", () => {
  const clients = [
    line("same", "not served", "not served"),
    line("lenient", "served, with faults", "served"),
    line("strict", "served", "not served"),
    line("faulty", "served", "served, with faults"),
    line("silent", "not shown", "served"),
    { ...line("unseen", "served", "served"), by: "predicted" as const },
  ];
  const compared = comparedLines({ clients });
  expect(compared.all).toBe(5);
  expect(compared.wrong).toEqual([
    { client: "strict", predicted: "served", seen: "not served", because: ["text: throws"] },
    { client: "faulty", predicted: "served", seen: "served, with faults", because: ["text: throws"] },
    { client: "silent", predicted: "not shown", seen: "served", because: ["text: throws"] },
  ]);
  expect(toldLines([compared, compared])).toBe("4 of 10 client lines are borne out by the client itself");
});

test("two of a hundred lines may be wrong, and none of a few", () => {
  const [right, wrong] = [line("a", "served", "served"), line("b", "served", "not served")];
  const run = (good: number, bad: number) =>
    comparedLines({ clients: [...Array(good).fill(right), ...Array(bad).fill(wrong)] });
  expect([isEnough([run(98, 2)]), isEnough([run(97, 3)]), isEnough([run(49, 0), run(48, 1)])]).toEqual([
    true,
    false,
    true,
  ]);
  expect([isEnough([run(9, 1)]), isEnough([])]).toEqual([false, true]);
});
