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

test("a sample of a schema is not held against what others add to it", async () => {
  const base = { type: "object", properties: { a: { type: "string" } }, example: { a: "text" } };
  const more = {
    allOf: [{ $ref: "#/components/schemas/Base" }, { required: ["b"], properties: { b: { type: "string" } } }],
  };
  const schemas = { Base: base };
  expect(await named(documentOf(more, undefined, schemas))).toEqual([]);
  expect(await named(documentOf({ ...more, example: { a: "text" } }, undefined, schemas))).toEqual(["/example"]);
});

test("samples that extensions give as JSON texts are held against their schema", async () => {
  const reply = { type: "object", properties: { id: { type: "string" } } };
  const asText = (id: unknown) => ({ "x-sample": { example: JSON.stringify({ id }) } });
  const document = documentOf({ type: "object" }, { ...reply, ...asText(1) });
  const { post } = document.paths["/things"];
  const examples = [JSON.stringify({ id: "a" }), JSON.stringify({ id: 2 }), "data: {}", undefined].map((response) => ({
    response,
  }));
  const paths = { "/things": { post: { ...post, "x-samples": { examples } } } };
  expect(await named({ ...document, paths })).toEqual([
    "/x-sample/example",
    "/paths/~1things/post/x-samples/examples/1/response",
  ]);
});
