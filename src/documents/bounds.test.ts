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
