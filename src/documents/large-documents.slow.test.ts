/** Documents that are large, or lead round in circles, are read in time and memory that grow with them. */
import { expect, test } from "vitest";
import { documentOf, errorsIn, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const named = (n: number, schema: (i: number) => object): Record<string, object> =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`A${i}`, schema(i)]));

test("a circle of schemas gives each of its keywords one clause", async () => {
  const ring = named(500, (i) => ({
    type: "object",
    required: ["id"],
    properties: { id: { type: "string", maxLength: 9 }, next: ref(`A${(i + 1) % 500}`) },
  }));
  const catalogue = await openDocument(documentOf(ref("A0"), undefined, ring));
  // Each schema has a type, a required member, and a member with two keywords. Then there are the body of the request, and the reply.
  expect(ownClauses(catalogue).length).toBe(500 * 4 + 7);
  expect(errorsIn(catalogue, { id: "a", next: { id: "b", next: { id: 7 } } })).toEqual(["things.request.a2-id-type"]);
});

test("clauses that stand deeper than values are made say so, and no clause is dead", async () => {
  const ring = named(130, (i) => ({
    type: "object",
    properties: { id: { type: "string" }, next: ref(`A${(i + 1) % 130}`) },
  }));
  const { gaps } = await proofOf(await openDocument(documentOf(ref("A0"), undefined, ring)));
  expect(new Set(gaps.map(({ kind }) => kind))).toEqual(new Set(["unexampled"]));
  expect(gaps.find(({ clause }) => clause === "things.request.a129-id-type")?.why).toMatch(
    /^it is 1\d\d steps deep, and values are made 100 steps deep$/,
  );
});

test("a schema without a name that refers to itself in several ways is written once more, and no oftener", async () => {
  const own = ref("A/properties/v");
  const v = {
    type: "object",
    properties: {
      a: own,
      b: own,
      c: { allOf: [own, { type: "object", properties: { z: { type: "integer" } } }] },
      d: { type: "array", items: { oneOf: [own, { type: "object", required: ["q"], properties: { q: ref("A") } }] } },
    },
  };
  const catalogue = await openDocument(documentOf(ref("A"), undefined, { A: { type: "object", properties: { v } } }));
  expect(errorsIn(catalogue, { v: { a: { b: { c: { z: "x" } } } } }).length).toBe(1);
  expect(errorsIn(catalogue, { v: { a: { b: { c: { z: 1 } } } } })).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("schemas that hold for one value together, and lead back to each other, end", async () => {
  const components = {
    P: { type: "object", properties: { x: ref("P"), y: ref("Q") } },
    Q: { type: "object", properties: { x: ref("Q"), y: ref("P"), k: { type: "integer" } } },
  };
  const catalogue = await openDocument(documentOf({ allOf: [ref("P"), ref("Q")] }, undefined, components));
  expect(errorsIn(catalogue, { x: { y: { k: "text" } } }).length).toBe(1);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a long chain of allOf is read to its end", async () => {
  const chain = named(1_000, (i) => ({
    allOf: [...(i < 999 ? [ref(`A${i + 1}`)] : []), { type: "object", properties: { [`p${i}`]: { type: "string" } } }],
  }));
  const catalogue = await openDocument(documentOf(ref("A0"), undefined, chain));
  expect(errorsIn(catalogue, { p0: 1, p999: 1, other: 1 })).toEqual([
    "things.request.p0-type",
    "things.request.p999-type",
  ]);
});

test("a circle of allOf is read as far as memory allows, and says where it is not", async () => {
  const ring = named(300, (i) => ({
    type: "object",
    properties: { [`p${i}`]: { type: "string" }, sub: ref(`A${(i + 1) % 300}`) },
    allOf: [ref(`A${(i + 1) % 300}`)],
  }));
  const catalogue = await openDocument(documentOf(ref("A0"), undefined, ring));
  expect(errorsIn(catalogue, { p7: 1, sub: {} }).length).toBe(1);
});

test("alternatives that are told apart by their last member are made without trying all ways", async () => {
  const cases = named(60, (i) => ({
    type: "object",
    required: ["child", "kind"],
    properties: { child: ref("Any"), kind: { type: "string", enum: [`k${i}`] } },
  }));
  const any = { oneOf: [...Object.keys(cases).map(ref), { type: "string" }] };
  const catalogue = await openDocument(
    documentOf({ type: "object", properties: { root: ref("Any") } }, undefined, { ...cases, Any: any }),
  );
  const good = { root: { child: { child: { child: "end", kind: "k1" }, kind: "k2" }, kind: "k3" } };
  expect(errorsIn(catalogue, good)).toEqual([]);
  expect(errorsIn(catalogue, { root: { child: { child: 1, kind: "k2" }, kind: "k3" } }).length).toBe(1);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("thousands of paths are told apart", async () => {
  const get = { tags: ["things"], responses: { 200: { description: "OK" } } };
  const id = (type: string) => [{ name: "id", in: "path", required: true, schema: { type } }];
  const paths = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, i) => [`/r${i}/{id}`, { get: { ...get, parameters: id("integer") } }]),
  );
  const catalogue = await openDocument({ ...documentOf({}), paths: { ...paths, "/r7/latest": { get } } });
  const { interfaces } = catalogue;
  const at = (path: string): string[] =>
    interfaces.flatMap(({ operations }) => operations.filter((one) => one.at(path) >= 0).map(({ name }) => name));
  expect(at("/v1/r1999/5")).toEqual(["GET /v1/r1999/{id}"]);
  expect(at("/v1/r7/latest")).toEqual(["GET /v1/r7/latest"]);
});

test("a list of thousands of values, and references that lead to themselves alone", async () => {
  const values = Array.from({ length: 20_000 }, (_, i) => `v${i}`);
  const components = { X: ref("Y"), Y: ref("X") };
  const properties = { e: { type: "string", enum: values }, x: ref("X") };
  const catalogue = await openDocument(documentOf({ type: "object", properties }, undefined, components));
  expect(errorsIn(catalogue, { e: "v19999", x: 1 })).toEqual([]);
  expect(errorsIn(catalogue, { e: "w" })).toEqual(["things.request.e-enum"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});
