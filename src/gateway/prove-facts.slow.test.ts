/** Holds the proof of facts on every route. */
import { expect, test } from "vitest";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { proveFacts, provenRoutes } from "./prove-facts.ts";

const catalogue = await openCatalogue();

test.each(provenRoutes)("every fact that is broken from $from to $to is told, alone", async (route) => {
  const gaps = [];
  for await (const proof of proveFacts(catalogue, [route])) if (proof.verdict !== "proven") gaps.push(proof);
  expect(gaps).toEqual([]);
});
