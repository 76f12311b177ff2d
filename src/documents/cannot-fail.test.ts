import { expect, test } from "vitest";
import { documentOf, errorsIn, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const text = { type: "string" };
const letters = { enum: ["w", "x", "y", "z"] };

/** Ids of the opaque clauses of a member with this schema, and their reasons; demands that all others are proven. */
async function opaqueIn(member: unknown, more: object = {}): Promise<Record<string, string>> {
  const catalogue = await openDocument(documentOf({ type: "object", properties: { a: member }, ...more }));
  expect((await proofOf(catalogue)).gaps).toEqual([]);
  const clauses = ownClauses(catalogue).filter(({ opaque }) => opaque);
  return Object.fromEntries(clauses.map(({ id, reason }) => [id.replace("things.request.", ""), reason ?? ""]));
}

test.each<[string, unknown, Record<string, string>]>([
  [
    "a list of different listed values",
    { type: "array", uniqueItems: true, maxItems: 4, items: letters },
    { "a-max-items": "a list of different values among those that are listed is never longer" },
  ],
  ["a list that may be too long", { type: "array", uniqueItems: true, maxItems: 3, items: letters }, {}],
  [
    "a list of different booleans",
    { type: "array", uniqueItems: true, maxItems: 2, items: { type: "boolean" } },
    { "a-max-items": "a list of different values among those that are listed is never longer" },
  ],
  [
    "a list of one item",
    { type: "array", uniqueItems: true, maxItems: 1, items: text },
    { "a-unique-items": "a list of at most one item has no item twice" },
  ],
  ["a list without items", { type: "array", maxItems: 0, items: text }, { "a-items": "it allows no item" }],
  ["a least length of 0", { type: "string", minLength: 0, maxLength: 4 }, { "a-min-length": "no count is below 0" }],
  ["a least number of 0 items", { type: "array", minItems: 0, items: text }, { "a-min-items": "no count is below 0" }],
  ["true and false", { type: "boolean", enum: [true, false] }, { "a-enum": "it lists true and false" }],
  [
    "every type",
    { type: ["string", "number", "boolean", "object", "array", "null"] },
    { "a-type": "it lists every type" },
  ],
  [
    "a length beside a list",
    { type: "string", enum: ["abc", "abcd"], minLength: 2 },
    { "a-min-length": "the values that are listed beside it decide" },
  ],
  [
    "an alternative that allows everything",
    { anyOf: [text, {}] },
    { "a-any-of": "one of its alternatives allows everything" },
  ],
  [
    "fewer members than are required",
    { type: "object", minProperties: 1, properties: { b: text }, required: ["b"] },
    { "a-min-properties": "its required members are at least as many" },
  ],
  [
    "more members than are required",
    { type: "object", minProperties: 2, properties: { b: text, c: text }, required: ["b"] },
    {},
  ],
  ["members that others demand", { type: "object", properties: { b: text }, dependentRequired: { b: ["c"] } }, {}],
])("leaves undecided what %s cannot violate", async (_name, schema, expected) => {
  expect(await opaqueIn(schema)).toEqual(expected);
});

test("judges alternatives for a text though one of them has a least length of 0", async () => {
  const catalogue = await openDocument(
    documentOf({
      type: "object",
      properties: { a: { anyOf: [{ type: "string", minLength: 0, maxLength: 2 }, { type: "integer" }] } },
    }),
  );
  expect(errorsIn(catalogue, { a: "abc" })).toEqual(["things.request.a-max-length"]);
});

test("names a least number of members above those that may be there as a contradiction", async () => {
  const schema = { type: "object", minProperties: 3, additionalProperties: false, properties: { b: text, c: text } };
  expect(await opaqueIn(schema)).toEqual({ "a-min-properties": "more members than it allows" });
});

test("says that a body is not judged if one of two merged operations allows any", async () => {
  const document = documentOf({ type: "object", properties: { a: text } });
  const { post } = document.paths["/things"];
  const open = {
    ...post,
    operationId: "streamThing",
    requestBody: { content: { "application/json": { schema: {} } } },
  };
  const catalogue = await openDocument({ ...document, paths: { ...document.paths, "/things#stream": { post: open } } });
  expect(errorsIn(catalogue, { a: 1 })).toEqual([]);
  const opaque = ownClauses(catalogue).filter((one) => one.opaque);
  expect(opaque.map(({ id, reason }) => [id, reason])).toEqual([
    ["things.request.make-thing-schema", "operations of one path are merged, and one allows any body"],
  ]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});
