/** Operations with very many parameters are proven as far as a bound allows. */
import { expect, test } from "vitest";
import { documentOf, errorsIn, openDocument, proofOf } from "./documents.test-kit.ts";

test.each(["query", "header", "cookie"])("of a thousand required parameters (%s) some are proven", async (place) => {
  const document = documentOf({ type: "object" });
  const { post } = document.paths["/things"];
  const parameters = Array.from({ length: 1_000 }, (_one, i) => ({
    ...{ name: `p${i}`, in: place, required: true, schema: { type: "integer" } },
  }));
  const catalogue = await openDocument({ ...document, paths: { "/things": { post: { ...post, parameters } } } });
  const { gaps, proven } = await proofOf(catalogue);
  expect(proven.length).toBeGreaterThan(50);
  expect([...new Set(gaps.map(({ kind, why }) => `${kind}: ${why}`))]).toEqual([
    "unexampled: its values are too large, or too many, to be changed at each of their places",
  ]);
  expect(errorsIn(catalogue, {}).length).toBeGreaterThan(0);
});
