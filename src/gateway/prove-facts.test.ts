/** Holds that each fact which the translator breaks is told, alone, and that nothing is told where nothing is broken. */
import { expect, test } from "vitest";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { factData, hasWord } from "../interfaces/fact-data.ts";
import { type FactProof, proveFacts, provenRoutes } from "./prove-facts.ts";

const catalogue = await openCatalogue();

async function proofsOf(route: (typeof provenRoutes)[number]): Promise<FactProof[]> {
  const proofs: FactProof[] = [];
  for await (const proof of proveFacts(catalogue, [route])) proofs.push(proof);
  return proofs;
}

/** One route a run of the fast tests; all of them are `touchstone prove --facts`. */
const [route] = provenRoutes.filter(({ from, to }) => from === "messages" && to === "chat-completions");

test("every fact that is broken from messages to chat completions is told, alone", async () => {
  const proofs = await proofsOf(route!);
  expect(proofs.filter(({ verdict }) => verdict !== "proven")).toEqual([]);
  const shared = Object.entries(factData().request).filter(
    ([, entry]) => hasWord(entry, route!.from) && hasWord(entry, route!.to),
  );
  const broken = new Set(proofs.filter(({ how, side }) => how && side === "request").map(({ fact }) => fact));
  expect(shared.map(([fact]) => fact).filter((fact) => !broken.has(fact))).toEqual([]);
});
