/** The check of documents of others notices what it looks for. */
import { expect, test } from "vitest";
import { openApiOf } from "../../documents/openapi.ts";
import { unexplained } from "./explained.ts";
import { brokenPlaces, misnamed } from "./named.ts";
import { faultsOf } from "./samples.ts";
import { placesOf } from "./schema-places.ts";
import { unionsOf } from "./unions.ts";

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const kind = (name: string) => ({ type: "object", required: ["kind"], properties: { kind: { const: name } } });
const needs = (name: string) => ({ type: "object", required: [name], properties: { [name]: { type: "string" } } });

const schemas = {
  Body: {
    type: "object",
    properties: {
      count: { type: "integer", example: 1, default: "none" },
      type: { oneOf: [{ type: "string" }, { type: "integer" }] },
      constant: { anyOf: [kind("a"), kind("b")] },
      discriminator: {
        oneOf: [to("Cat"), to("Dog")],
        discriminator: { propertyName: "kind", mapping: { cat: to("Cat").$ref, cow: to("Cow").$ref } },
      },
      required: { anyOf: [needs("a"), needs("b")] },
      opaque: { anyOf: [{ type: "object", properties: { a: { type: "string" } } }, { type: "object" }] },
      example: { type: "object", properties: { default: to("Nowhere") } },
    },
  },
  Cat: kind("cat"),
  Dog: kind("dog"),
  Unused: { type: "integer", example: "one" },
};
const content = { "application/json": { schema: to("Body"), example: { count: "many" } } };
const doc = openApiOf(
  {
    openapi: "3.1.0",
    info: { title: "Things", version: "1" },
    paths: { "/things": { post: { responses: { 200: { description: "", content } } } } },
    components: { schemas },
  },
  "things",
);
const places = placesOf(doc);
const ofBody = "/components/schemas/Body/properties";
const example = "/paths/~1things/post/responses/200/content/application~1json/example";

test("the samples of all that operations lead to are judged", async () => {
  expect(places.samples.map(({ pointer }) => pointer).sort()).toEqual(
    [`${ofBody}/count/default`, `${ofBody}/count/example`, example].sort(),
  );
  const faults = await faultsOf(doc, places.samples);
  expect([...faults.keys()].sort()).toEqual([`${ofBody}/count/default`, example].sort());
  const said = { place: `${ofBody}/count/example`, says: "This example violates its schema: it does not." };
  expect([...misnamed([said], [], faults).keys()].sort()).toEqual(places.samples.map(({ pointer }) => pointer).sort());
});

test("references that lead nowhere are found, a mapping among them", () => {
  expect(brokenPlaces(doc, places).sort()).toEqual([
    `${ofBody}/discriminator/discriminator/mapping/cow`,
    `${ofBody}/example/properties/default/$ref`,
  ]);
});

test("unions are counted by how they are told apart", () => {
  const found = [...unionsOf(doc, places.schemas)].map(([pointer, way]) => [pointer.split("/").at(-2), way]);
  expect(Object.fromEntries(found)).toEqual({
    type: "type",
    constant: "constant member",
    discriminator: "discriminator",
    required: "required members",
    opaque: "opaque",
  });
});

test("a reason that nothing needs is a problem as well", () => {
  const found = new Map([
    ["a", "first"],
    ["b", "second"],
  ]);
  expect(unexplained(found, { a: "known", c: "gone" })).toEqual({
    open: ["b: second"],
    stale: ["c: explained, but it was not found"],
  });
});
