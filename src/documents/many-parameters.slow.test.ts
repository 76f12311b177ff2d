/** Operations with very many parameters are proven as far as a bound allows. */
import { expect, test } from "vitest";
import { groundOf } from "../prove/ground.ts";
import { probesOf } from "../prove/probes.ts";
import { documentOf, errorsIn, openDocument, proofOf } from "./documents.test-kit.ts";

test("of a thousand required parameters some are proven", async () => {
  const document = documentOf({ type: "object" });
  const { post } = document.paths["/things"];
  const parameters = Array.from({ length: 1_000 }, (_one, i) => ({
    ...{ name: `p${i}`, in: ["query", "header", "cookie"][i % 3], required: true, schema: { type: "integer" } },
  }));
  const catalogue = await openDocument({ ...document, paths: { "/things": { post: { ...post, parameters } } } });
  const { gaps, proven } = await proofOf(catalogue);
  expect(proven.length).toBeGreaterThan(50);
  expect([...new Set(gaps.map(({ kind, why }) => `${kind}: ${why}`))]).toEqual([
    "unexampled: its values are too large, or too many, to be changed at each of their places",
  ]);
  expect(errorsIn(catalogue, {}).length).toBeGreaterThan(0);
});

test("of a thousand parameters of a path some are probed", async () => {
  const document = documentOf({ type: "object" });
  const { post } = document.paths["/things"];
  const names = Array.from({ length: 1_000 }, (_one, i) => `p${i}`);
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "integer" } }));
  const path = `/things/${names.map((name) => `{${name}}`).join("/")}`;
  const catalogue = await openDocument({ ...document, paths: { [path]: { post: { ...post, parameters } } } });
  const { probes, unprobed } = probesOf(catalogue, await groundOf(catalogue), catalogue.own);
  expect(probes.length).toBeGreaterThan(5);
  expect(Object.values(unprobed).filter((why) => why.includes("too many parameters")).length).toBeGreaterThan(500);
});
