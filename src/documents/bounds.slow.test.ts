/** Small documents whose values would be huge, and names that every object has: both are proven as far as they can be, in little time. */
import { expect, test } from "vitest";
import { documentOf, errorsIn, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

/** Schemas of which each refers to the next one. */
const chain = (levels: number, of: (next: object) => object): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: levels + 1 }, (_one, i) => [
      `S${i}`,
      i === levels ? { type: "string" } : of({ $ref: `#/components/schemas/S${i + 1}` }),
    ]),
  );

const start = { $ref: "#/components/schemas/S0" };
const both = (a: object) => ({ type: "object", required: ["a", "b"], properties: { a, b: a } });

test.each([
  ["members that double", chain(18, both)],
  ["members that double, far down", chain(60, both)],
  ["lists within lists", chain(8, (items) => ({ type: "array", items, minItems: 100 }))],
  ["members by any name", chain(18, (next) => ({ type: "object", additionalProperties: next, minProperties: 2 }))],
  [
    "long texts in a long list",
    { S0: { type: "array", minItems: 10_000, items: { type: "string", minLength: 90_000 } } },
  ],
])("%s: what has no example says why, and is still judged", async (_what, components) => {
  const catalogue = await openDocument(documentOf(start, undefined, components));
  const { gaps } = await proofOf(catalogue);
  expect(gaps.length).toBeGreaterThan(0);
  const reasons = new Set(gaps.map(({ kind, why }) => `${kind}: ${why}`));
  expect([...reasons]).toEqual(["unexampled: a value of it has more than 20,000 parts, or 4,000,000 characters"]);
  expect(errorsIn(catalogue, 3)).toEqual([expect.stringMatching(/type$/)]);
});

test("optional members that double are proven, all of them", async () => {
  const components = chain(18, (next) => ({ type: "object", properties: { a: next, b: next } }));
  const catalogue = await openDocument(documentOf(start, undefined, components));
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a required member that is always null is made so", async () => {
  const reply = { type: "object", required: ["a"], properties: { a: { anyOf: [{ type: "null" }] } } };
  const catalogue = await openDocument(documentOf({ type: "object" }, reply));
  const { exchanges } = await catalogue.examples();
  const bodies = exchanges["things"]!.map(({ exchange }) => Buffer.from(exchange.response!.body).toString());
  expect(new Set(bodies)).toEqual(new Set(['{"a":null}']));
});

test("a thousand parameters of a path are read and proven", async () => {
  const names = Array.from({ length: 1_000 }, (_one, i) => `p${i}`);
  const document = documentOf({ type: "object", properties: { a: { type: "string" } } });
  const { post } = document.paths["/things"];
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "integer" } }));
  const path = `/things/${names.map((name) => `{${name}}`).join("/")}`;
  const catalogue = await openDocument({ ...document, paths: { [path]: { post: { ...post, parameters } } } });
  const target = (last: string) => `/v1/things/${"1/".repeat(999)}${last}`;
  expect(errorsIn(catalogue, {}, undefined, target("1"))).toEqual([]);
  expect(errorsIn(catalogue, {}, undefined, target("x"))).toEqual(["things.request.path-p999-type"]);
});

test("tags, operations, parameters and members may be called as every object's own", async () => {
  const names = ["constructor", "__proto__", "toString", "hasOwnProperty"];
  for (const name of names) {
    const document = documentOf({ type: "object", properties: Object.fromEntries([["a", { type: "string" }]]) });
    const { post } = document.paths["/things"];
    const parameters = ["query", "header", "path"].map((where) => ({
      ...{ name, in: where, required: true, schema: { type: "integer" } },
    }));
    const own = { ...post, tags: [name], operationId: name, parameters };
    const catalogue = await openDocument({ ...document, paths: { [`/things/{${name}}`]: { post: own } } });
    expect(ownClauses(catalogue).length).toBeGreaterThan(0);
    const kinds = (await proofOf(catalogue)).gaps.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "false-positive" || kind === "collateral")).toEqual([]);
  }
});

test.each([
  ["long", "a".repeat(200_000), "the pattern is longer than 20,000 characters"],
  ["deep", `${"(".repeat(3_000)}a${")".repeat(3_000)}`, "the groups of the pattern nest deeper than 200 levels"],
])("a pattern that is too %s is opaque", async (_what, pattern, reason) => {
  const catalogue = await openDocument(documentOf({ type: "object", properties: { a: { type: "string", pattern } } }));
  expect(ownClauses(catalogue).flatMap(({ opaque, reason: why }) => (opaque ? [why] : []))).toEqual([reason]);
  expect(errorsIn(catalogue, { a: "b" })).toEqual([]);
});

const numbered = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_one, i) => make(i));
const membersOf = (count: number, schema: object): object =>
  Object.fromEntries(numbered(count, (i) => [`m${i}`, schema]));

test.each([
  ["alternatives", { anyOf: numbered(1_001, (i) => ({ type: "string", pattern: `^p${i}$` })) }],
  [
    "alternatives of unions within",
    { oneOf: numbered(2, (a) => ({ anyOf: numbered(600, (b) => ({ const: `${a} ${b}` })) })) },
  ],
])("a value with very many %s is opaque, and nobody is accused", async (_what, schema) => {
  const catalogue = await openDocument(documentOf({ type: "object", properties: { a: schema } }));
  const reasons = ownClauses(catalogue).flatMap(({ opaque, reason }) => (opaque ? [reason] : []));
  expect(reasons).toEqual(["it has more than 1,000 alternatives"]);
  expect(errorsIn(catalogue, { a: 3 })).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("of very many patterns of names a hundred are read, and what others describe is judged by none", async () => {
  const patternProperties = Object.fromEntries(numbered(150, (i) => [`^p${i}$`, { type: "integer" }]));
  const schema = { type: "object", patternProperties, additionalProperties: { type: "boolean" } };
  const catalogue = await openDocument(documentOf(schema));
  const reasons = ownClauses(catalogue).flatMap(({ opaque, reason }) => (opaque ? [reason] : []));
  expect(new Set(reasons)).toEqual(new Set(["more than 100 patterns of names hold for one value"]));
  expect(errorsIn(catalogue, { p1: "x" })).toHaveLength(1);
  expect(errorsIn(catalogue, { p149: 1, other: 1 })).toEqual([]);
});

test("patterns that take long together are opaque from some point on", async () => {
  const properties = Object.fromEntries(
    numbered(40, (i) => [`m${i}`, { type: "string", pattern: `^[a-z]{0,9000}x${i}$` }]),
  );
  const clauses = ownClauses(await openDocument(documentOf({ type: "object", properties })));
  const reasons = clauses.flatMap(({ opaque, reason }) => (opaque ? [reason] : []));
  expect(new Set(reasons)).toEqual(new Set(["the patterns of the document take too long to try together"]));
  expect(clauses.filter(({ id, opaque }) => id.endsWith("-pattern") && !opaque).length).toBeGreaterThan(5);
});

test("what has nothing in it may be repeated a billion times", async () => {
  const pattern = "^(?:){1000000000}(a|){2,3}$";
  const catalogue = await openDocument(documentOf({ type: "object", properties: { a: { type: "string", pattern } } }));
  expect(errorsIn(catalogue, { a: "a" })).toEqual([]);
  expect(errorsIn(catalogue, { a: "b" })).toHaveLength(1);
});

test("lists of texts with a long pattern are made without reading it for each item", async () => {
  const pattern = `^(${numbered(2_000, (i) => `a${i}`).join("|")})$`;
  const items = { type: "string", pattern };
  const catalogue = await openDocument(
    documentOf({ type: "object", properties: { a: { type: "array", items, minItems: 300, uniqueItems: true } } }),
  );
  expect((await proofOf(catalogue)).gaps.filter(({ kind }) => kind !== "unexampled")).toEqual([]);
});

test("of large values of large schemas some places are changed, and the rest is left with a reason", async () => {
  const properties = membersOf(200, { type: "string", minLength: 2_000 });
  const schema = { type: "object", required: Object.keys(properties), properties };
  const { gaps, proven } = await proofOf(await openDocument(documentOf(schema)));
  expect(proven.length).toBeGreaterThan(20);
  expect(new Set(gaps.map(({ kind, why }) => `${kind}: ${why}`))).toEqual(
    new Set(["unexampled: its values are too large, or too many, to be changed at each of their places"]),
  );
});

test("beyond a thousand parameters of a kind the rest is opaque", async () => {
  const { post } = documentOf({ type: "object" }).paths["/things"];
  for (const place of ["query", "header", "cookie"]) {
    const parameters = numbered(1_010, (i) => ({ name: `q${i}`, in: place, schema: { type: "integer" } }));
    const document = { ...documentOf({}), paths: { "/things": { post: { ...post, parameters } } } };
    const clauses = ownClauses(await openDocument(document));
    expect(clauses.filter(({ opaque }) => opaque)).toHaveLength(10);
    expect(clauses.filter(({ id }) => /-q\d+-type$/.test(id))).toHaveLength(1_000);
  }
});

test("clauses of one place that are many are named in little time, each apart", async () => {
  const allOf = numbered(5_000, (i) => ({ type: "string", pattern: `p${i}` }));
  const clauses = ownClauses(await openDocument(documentOf({ type: "object", properties: { a: { allOf } } })));
  expect(new Set(clauses.map(({ id }) => id)).size).toBe(clauses.length);
  expect(clauses.length).toBeGreaterThan(4_900);
});

const odd = ["__proto__", "constructor", "a;b", "a b", "a=b", "", "a\nb", "\ud800", "n".repeat(16_384)];

const labelled = odd.map((name) => [JSON.stringify(name.slice(0, 20)), name.length, name] as const);

test.each(labelled)("the name %s (%i characters) is proven or opaque in every place", async (_label, _length, name) => {
  const integer = { type: "integer" };
  const one = { type: "object", required: [name], properties: Object.fromEntries([[name, integer]]) };
  const parametersIn = (place: string, schema: object = integer) => [{ name, in: place, required: true, schema }];
  const { post } = documentOf(one).paths["/things"];
  const headers = Object.fromEntries([[name, { required: true, schema: integer }]]);
  const reply = { 200: { ...post.responses[200], headers } };
  // Of a form without any field nothing is judged.
  const two = { ...one, required: [name, "b", "c"], properties: { ...one.properties, b: integer, c: integer } };
  const form = (type: string) => ({ required: true, content: { [type]: { schema: two } } });
  const places = {
    body: post,
    ...Object.fromEntries(["query", "header", "cookie"].map((at) => [at, { ...post, parameters: parametersIn(at) }])),
    deep: { ...post, parameters: [{ name: "q", in: "query", style: "deepObject", required: true, schema: one }] },
    spread: { ...post, parameters: [{ name: "q", in: "query", required: true, schema: one }] },
    reply: { ...post, responses: reply },
    urlencoded: { ...post, requestBody: form("application/x-www-form-urlencoded") },
    multipart: { ...post, requestBody: form("multipart/form-data") },
    discriminator: {
      ...post,
      requestBody: form("application/json"),
      responses: {
        200: {
          description: "OK",
          content: {
            "application/json": {
              schema: { oneOf: [one, { ...one, minProperties: 2 }], discriminator: { propertyName: name } },
            },
          },
        },
      },
    },
  };
  for (const [place, operation] of Object.entries(places)) {
    const catalogue = await openDocument({ ...documentOf({}), paths: { "/things": { post: operation } } });
    expect((await proofOf(catalogue)).gaps, place).toEqual([]);
  }
});

test("long names of operations stay apart in short ids", async () => {
  const document = documentOf({ type: "object", properties: { a: { type: "string" } } });
  const { post } = document.paths["/things"];
  const start = "listEverything".repeat(40);
  const paths = Object.fromEntries(
    ["One", "Two"].map((end) => [`/things/${end}`, { post: { ...post, operationId: `${start}${end}` } }]),
  );
  const ids = ownClauses(await openDocument({ ...document, paths })).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id.length > 300)).toEqual([]);
});
