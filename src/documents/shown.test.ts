/** Values made from a document show each clause where it is judged, so that proof finds an example of it. */
import { expect, test } from "vitest";
import { documentOf, errorsIn, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const text = { type: "string" };
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test("an alternative is shown with another value of the member that tells the others apart", async () => {
  const typed = { type: "object", properties: { kind: { const: "typed" }, size: { type: "integer" } } };
  const other = { type: "object", required: ["note"], properties: { note: { type: "string", maxLength: 9 } } };
  const catalogue = await openDocument(documentOf({ anyOf: [typed, other] }));
  expect((await proofOf(catalogue)).gaps).toEqual([]);
  expect(errorsIn(catalogue, { kind: "else", note: "longer than nine" })).toEqual(["things.request.note-max-length"]);
});

const inner = { type: "object", properties: { n: { type: "integer", maximum: 9 } } };

test("a schema that stands first in an alternative that is tried is shown where it is judged", async () => {
  const alternatives = [{ a: to("Inner") }, { a: text }].map((properties) => ({ type: "object", properties }));
  const properties = { unclear: { anyOf: alternatives }, clear: to("Inner") };
  const catalogue = await openDocument(documentOf({ type: "object", properties }, undefined, { Inner: inner }));
  expect(ownClauses(catalogue).some(({ id }) => id === "things.request.unclear-alternatives")).toBe(true);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a schema that stands first in a member that no value can have is shown elsewhere", async () => {
  const impossible = { type: "integer", minimum: 10, maximum: 9 };
  const first = { type: "object", required: ["never"], properties: { a: to("Inner"), never: impossible } };
  const properties = { first, second: to("Inner") };
  const catalogue = await openDocument(documentOf({ type: "object", properties }, undefined, { Inner: inner }));
  const gaps = (await proofOf(catalogue)).gaps.map(({ clause }) => clause);
  expect(gaps.filter((id) => !id.includes("first"))).toEqual([]);
});

test("keywords that cannot speak of a value of the type are no clauses, and required members of a string are named", async () => {
  const properties = { a: { type: "string", required: ["n"], minItems: 2, maximum: 3, maxLength: 4 } };
  const catalogue = await openDocument(documentOf({ type: "object", properties }));
  const ids = ownClauses(catalogue).map(({ id }) => id.replace("things.request.", ""));
  expect(ids.filter((id) => id.startsWith("a-"))).toEqual(["a-max-length", "a-type"]);
  expect(Object.values(catalogue.contradictions?.() ?? {}).flat()).toEqual([
    {
      place: "/paths/~1things/post/requestBody/content/application~1json/schema/properties/a/required",
      says: "It requires members, but its type is no object.",
    },
  ]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});
