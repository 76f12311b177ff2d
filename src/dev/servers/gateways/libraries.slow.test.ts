/** Asks each client library that is installed here, and holds what it loses against what is expected, reason by reason. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { GatewayDocument } from "../../../gateway/document.ts";
import { askGateway } from "../../../gateway/gateway.ts";
import { libraries } from "../../../gateway/library/libraries.ts";
import { planGateway } from "../../../gateway/plan.ts";
import { home } from "../../../home.ts";
import { lossesIn, unlikeExpected } from "./expected.ts";
import { libraryPage } from "./library-page.ts";
import type { Reasons } from "./page.ts";

const reasons: Reasons = JSON.parse(
  readFileSync(join(home, "src", "dev", "servers", "gateways", "library-outcomes.json"), "utf8"),
);
const asked = libraries.flatMap(({ name, packages }) => Object.keys(packages).map((to) => [name, to] as const));
const documents = new Map<string, GatewayDocument>();

test.each(asked)("%s to %s loses what is expected, and nothing else", async (client, to) => {
  const { document, gone } = await askGateway(await planGateway(undefined, { client, to }));
  expect(gone).toBeUndefined();
  expect(unlikeExpected(lossesIn(document), reasons[`${client}: ${to}`] ?? [])).toEqual([]);
  // Every request makes the way, but for those that the library refuses by itself.
  const turns = document.facts.find(({ side, fact }) => side === "request" && fact === "turns")!;
  expect(turns.outcomes.kept).toBeGreaterThan(document.trips / 2);
  documents.set(`${client}: ${to}`, document);
});

test("the page of the documentation has what was measured", async () => {
  await expect(libraryPage(documents, reasons)).toMatchFileSnapshot(join(home, "docs", "library-results.md"));
});
