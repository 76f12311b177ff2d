/** What OpenAPI documents demand becomes clauses, each proven or left undecided with a reason, and never a false error. */

import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { documentOf, errorsIn, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const told = async (document: unknown): Promise<Record<string, string>> =>
  Object.fromEntries(
    ownClauses(await openDocument(document)).map(({ id, says }) => [id.replace("things.request.", ""), says]),
  );

const text = { type: "string" };

test("each keyword owns a clause with a readable id, a sentence, and its place in the document", async () => {
  const catalogue = await openDocument(
    documentOf({
      type: "object",
      required: ["input"],
      properties: {
        input: { oneOf: [text, { type: "array", minItems: 1, items: text }] },
        top_k: { type: "integer", minimum: 1, maximum: 100 },
        format: { type: "string", enum: ["float", "base64"] },
        tags: { type: "object", additionalProperties: text, maxProperties: 16 },
      },
    }),
  );
  const clauses = ownClauses(catalogue).filter(({ on }) => on === "request");
  expect(Object.fromEntries(clauses.map(({ id, says }) => [id.replace("things.request.", ""), says]))).toEqual({
    "body-media-type": "The request body is sent as application/json.",
    "body-present": "The request body is present.",
    "body-type": "The request body is an object.",
    "format-enum": '`format` is "float" or "base64".',
    "format-type": "`format` is a string.",
    "input-items-type": "Each item of `input` is a string.",
    "input-min-items": "`input` has at least 1 item.",
    "input-required": "`input` is present.",
    "input-type": "`input` is a string or a list.",
    "tags-max-properties": "`tags` has at most 16 members.",
    "tags-type": "`tags` is an object.",
    "tags-values-type": "Each member of `tags` is a string.",
    "things-method": "The method of requests to /v1/things is POST.",
    "top-k-maximum": "`top_k` is at most 100.",
    "top-k-minimum": "`top_k` is at least 1.",
    "top-k-type": "`top_k` is an integer.",
  });
  const place = "/paths/~1things/post/requestBody/content/application~1json/schema/properties/top_k/maximum";
  expect(clauses.find(({ id }) => id.endsWith("top-k-maximum"))?.document.section).toBe(place);
  const { clauses: decidable, gaps } = await proofOf(catalogue);
  expect(decidable.length).toBe(clauses.length + 4);
  expect(gaps).toEqual([]);
});

const animals = {
  Cat: {
    type: "object",
    required: ["kind", "lives"],
    properties: { kind: { const: "cat" }, lives: { type: "integer" } },
  },
  Dog: { type: "object", required: ["kind"], properties: { kind: { const: "dog" }, name: text } },
  Bird: { type: "object", required: ["wings"], properties: { wings: { type: "integer" } } },
  Fish: { type: "object", required: ["fins"], properties: { fins: { type: "integer" } } },
};
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test("a constant member tells the alternatives of a union apart", async () => {
  const catalogue = await openDocument(documentOf({ anyOf: [to("Cat"), to("Dog")] }, undefined, animals));
  expect(errorsIn(catalogue, { kind: "cat", lives: 9 })).toEqual([]);
  expect(errorsIn(catalogue, { kind: "cat" })).toEqual(["things.request.cat-lives-required"]);
  expect(errorsIn(catalogue, { kind: "cow" })).toEqual(["things.request.kind-enum"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a discriminator decides before anything else, by its mapping", async () => {
  const { Cat, Dog } = animals;
  const open = (schema: typeof Cat | typeof Dog) => ({ ...schema, properties: { ...schema.properties, kind: text } });
  const union = {
    oneOf: [to("Cat"), to("Dog")],
    discriminator: { propertyName: "kind", mapping: { c: "#/components/schemas/Cat", Dog: "Dog" } },
  };
  const catalogue = await openDocument(documentOf(union, undefined, { Cat: open(Cat), Dog: open(Dog) }));
  expect(errorsIn(catalogue, { kind: "c" })).toEqual(["things.request.cat-lives-required"]);
  expect(errorsIn(catalogue, { kind: "Dog" })).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a mapped value selects its schema alone, though another lists the value as well", async () => {
  const kinds = { type: "string", enum: ["plain", "fancy"] };
  const needs = (name: string) => ({
    type: "object",
    required: ["kind", name],
    properties: { kind: kinds, [name]: text },
  });
  const union = {
    oneOf: [to("Plain"), to("Fancy")],
    discriminator: { propertyName: "kind", mapping: { plain: to("Plain").$ref, fancy: to("Fancy").$ref } },
  };
  const catalogue = await openDocument(documentOf(union, undefined, { Plain: needs("a"), Fancy: needs("b") }));
  expect(errorsIn(catalogue, { kind: "plain" })).toEqual(["things.request.plain-a-required"]);
  expect(errorsIn(catalogue, { kind: "fancy", a: "" })).toEqual(["things.request.fancy-b-required"]);
  expect(errorsIn(catalogue, { kind: "fancy", b: "" })).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a value that no mapping lists selects the schema that lists it as a constant", async () => {
  const union = {
    oneOf: [to("Cat"), to("Dog")],
    discriminator: { propertyName: "kind", mapping: { cat: to("Cat").$ref } },
  };
  const catalogue = await openDocument(documentOf(union, undefined, animals));
  expect(errorsIn(catalogue, { kind: "dog" })).toEqual([]);
  expect(errorsIn(catalogue, { kind: "cow" })).toEqual(["things.request.kind-enum"]);
});

test("a clause of a schema that several values select is named after none of them", async () => {
  const shared = {
    type: "object",
    required: ["kind", "n"],
    properties: { kind: { enum: ["a", "b"] }, n: { type: "integer" } },
  };
  const other = { type: "object", required: ["kind", "n"], properties: { kind: { const: "c" }, n: text } };
  const catalogue = await openDocument(documentOf({ oneOf: [shared, other] }));
  expect(errorsIn(catalogue, { kind: "b", n: "" })).toEqual(["things.request.n-type"]);
  expect(errorsIn(catalogue, { kind: "c", n: 1 })).toEqual(["things.request.c-n-type"]);
});

test("members that one alternative alone requires tell it from others", async () => {
  const catalogue = await openDocument(documentOf({ anyOf: [to("Bird"), to("Fish")] }, undefined, animals));
  expect(errorsIn(catalogue, { fins: 2 })).toEqual([]);
  expect(errorsIn(catalogue, { fins: "two" })).toEqual(["things.request.fish-fins-type"]);
  expect(errorsIn(catalogue, {})).toEqual(["things.request.body-one-required"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("an alternative that leaves the member of others open is no reason to accuse what it allows", async () => {
  const open = { type: "object", required: ["note"], properties: { kind: text, note: text } };
  const catalogue = await openDocument(documentOf({ anyOf: [to("Cat"), to("Dog"), open] }, undefined, animals));
  expect(errorsIn(catalogue, { kind: "cat", note: "no lives" })).toEqual([]);
  expect(errorsIn(catalogue, { kind: "cow", note: 7 })).toEqual(["things.request.note-type"]);
});

test("all parts of allOf hold together, and only the strictest of two limits", async () => {
  const base = { type: "object", properties: { n: { type: ["integer", "null"], maximum: 20 } } };
  const more = { properties: { n: { type: "integer", maximum: 10 } }, required: ["n"] };
  const catalogue = await openDocument(documentOf({ allOf: [to("Base"), more] }, undefined, { Base: base }));
  expect(errorsIn(catalogue, { n: 15 })).toEqual(["things.request.n-maximum"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("OpenAPI 3.0 says null and exclusive limits in words of its own", async () => {
  const document = documentOf(
    {
      type: "object",
      properties: {
        p: { type: "number", minimum: 0, exclusiveMinimum: true, nullable: true },
        kind: { type: "string", enum: ["a"], nullable: true },
        ref: { $ref: "#/components/schemas/Cat", minProperties: 9 },
      },
    },
    undefined,
    animals,
    "3.0.3",
  );
  const catalogue = await openDocument(document);
  expect(errorsIn(catalogue, { p: null, kind: null, ref: { kind: "cat", lives: 9 } })).toEqual([]);
  expect(errorsIn(catalogue, { p: 0, kind: "b" })).toEqual([
    "things.request.kind-enum",
    "things.request.p-exclusive-minimum",
  ]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("null is an error since OpenAPI 3.1 and warns before, and so does the absence of a nullable member", async () => {
  const schema = (nullable: object) => ({
    type: "object",
    required: ["later"],
    properties: { name: text, kind: { type: "string", enum: ["a"] }, later: { ...text, ...nullable }, none: {} },
  });
  const current = schema({ type: ["string", "null"] });
  const of = (own: object, version?: string) => openDocument(documentOf(own, own, {}, version));
  const nulls = { name: null, kind: null, later: null };
  const catalogue = await of({
    ...current,
    properties: { ...current.properties, none: { anyOf: [{ type: "null" }] } },
  });
  expect(errorsIn(catalogue, nulls)).toEqual(["things.request.kind-type", "things.request.name-type"]);
  expect(errorsIn(catalogue, {}, { later: "" })).toEqual(["things.request.later-required"]);
  expect(errorsIn(catalogue, { later: "", none: null })).toEqual([]);
  expect(errorsIn(catalogue, { later: "", none: 1 })).toEqual(["things.request.none-type"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
  const old = await of(schema({ nullable: true }), "3.0.3");
  expect(errorsIn(old, nulls, {})).toEqual([]);
});

test("a list of values that forgets the null of its type warns", async () => {
  const kind = { type: ["string", "null"], enum: ["a"] };
  const catalogue = await openDocument(documentOf({ type: "object", properties: { kind } }));
  expect(errorsIn(catalogue, { kind: null })).toEqual([]);
  expect(errorsIn(catalogue, { kind: "b" })).toEqual(["things.request.kind-enum"]);
});

test("members of the other direction are not demanded, and warn where they are sent", async () => {
  const id = { type: "object", additionalProperties: { type: "integer" } };
  const schema = {
    type: "object",
    required: ["id", "secret"],
    properties: { id: { $ref: "#/components/schemas/Id", readOnly: true }, secret: { ...text, writeOnly: true } },
  };
  const warnings = async (version: string) => {
    const catalogue = await openDocument(documentOf(schema, schema, { Id: id }, version));
    expect((await proofOf(catalogue)).gaps).toEqual([]);
    expect(errorsIn(catalogue, { secret: "" }, { id: { a: 1 } })).toEqual([]);
    expect(errorsIn(catalogue, { id: { a: 1 } }, { id: { a: "" } })).toEqual([
      "things.request.secret-required",
      "things.response.id-values-type",
    ]);
    const exchange = {
      request: jsonRequest("/v1/things", [], { id: {}, secret: "" }),
      response: jsonResponse({ id: {}, secret: 1 }),
    };
    const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, {
      names: namesFrom(),
      policy: lenient,
    });
    return findings.map(({ clause, level, pointer, expected }) => [clause, level, pointer, expected]);
  };
  const returned = ["things.response.secret-write-only", "warning", "/secret", "no such member"];
  expect(await warnings("3.1.0")).toEqual([returned]);
  expect(await warnings("3.0.3")).toEqual([
    ["things.request.id-read-only", "warning", "/id", "no such member"],
    returned,
  ]);
});

test("a schema that refers to itself is followed as deep as values go", async () => {
  const tree = { type: "object", properties: { name: text, children: { type: "array", items: to("Tree") } } };
  const catalogue = await openDocument(documentOf(to("Tree"), undefined, { Tree: tree }));
  expect(errorsIn(catalogue, { children: [{ children: [{ name: 7 }] }] })).toEqual(["things.request.name-type"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("patterns and formats that cannot be decided are left undecided; others are proven", async () => {
  const catalogue = await openDocument(
    documentOf({
      type: "object",
      properties: {
        a: { type: "string", pattern: "^[a-z]{2,4}-\\d+$", minLength: 5 },
        b: { type: "string", pattern: "(?i)x" },
        c: { type: "string", format: "date-time" },
        d: { type: "integer", format: "unixtime" },
        e: { type: "integer", maximum: 2 ** 63, multipleOf: 8 },
      },
    }),
  );
  expect(errorsIn(catalogue, { a: "ab-12", b: "y", c: "2024-12-31T23:59:59Z", d: 0.5e3, e: 16 })).toEqual([]);
  expect(errorsIn(catalogue, { a: "ab12c", c: "today", e: 12 })).toEqual([
    "things.request.a-pattern",
    "things.request.c-format",
    "things.request.e-multiple-of",
  ]);
  const opaque = ownClauses(catalogue).filter((clause) => clause.opaque);
  expect(opaque.map(({ id }) => id.replace("things.request.", ""))).toEqual(["b-pattern", "d-format", "e-maximum"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("members that a document does not know are no error", async () => {
  const closed = { type: "object", additionalProperties: false, properties: { a: text } };
  const catalogue = await openDocument(documentOf(closed, closed));
  expect(errorsIn(catalogue, { a: "", b: 1 }, { c: 1 })).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a member that is demanded but described nowhere warns at most", async () => {
  const catalogue = await openDocument(documentOf({ type: "object", required: ["ghost"], properties: { a: text } }));
  expect(errorsIn(catalogue, { a: "" })).toEqual([]);
  expect(ownClauses(catalogue).find(({ id }) => id.endsWith("ghost-required"))?.level).toBe("should");
});

test("sentences name what a member belongs to where its schema has a name", async () => {
  const list = { type: "object", properties: { data: { type: "array", items: to("Dog") } } };
  expect(await told(documentOf(list, undefined, animals))).toMatchObject({
    "data-items-type": "Each item of `data` is an object.",
    "dog-name-type": "`name` of Dog is a string.",
  });
});
