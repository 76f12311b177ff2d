/** Examples and defaults that violate their schema are named where they stand. */
import { expect, test } from "vitest";
import { documentOf, openDocument } from "./documents.test-kit.ts";

const named = async (document: unknown): Promise<string[]> =>
  Object.values((await openDocument(document)).contradictions?.() ?? {})
    .flat()
    .map(({ place }) => place.replace(/^.*\/schema/, ""));

test("a sample beside a reference is held against what the reference leads to", async () => {
  const reference = { allOf: [{ $ref: "#/components/schemas/Size" }], nullable: true };
  const properties = {
    good: { ...reference, default: { width: 1 } },
    bad: { ...reference, default: "null" },
    none: { ...reference, default: null },
    plain: { type: "integer", example: "1" },
  };
  const size = { type: "object", properties: { width: { type: "integer" } } };
  const document = documentOf({ type: "object", properties }, undefined, { Size: size }, "3.0.3");
  expect(await named(document)).toEqual(["/properties/plain/example", "/properties/bad/default"]);
});

test("a sample that only one direction rules out is no contradiction", async () => {
  const made = { type: "object", required: ["id"], properties: { id: { type: "string", readOnly: true } } };
  const thing = { allOf: [{ $ref: "#/components/schemas/Thing" }], example: {} };
  const body = { type: "object", properties: { thing } };
  expect(await named(documentOf(body, undefined, { Thing: made }))).toEqual([]);
});
