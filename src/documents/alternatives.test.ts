import { expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { type Finding, lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { documentOf, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const text = { type: "string" };
const integer = { type: "integer" };
const object = (properties: object, required: readonly string[] = []) => ({ type: "object", properties, required });

/** The findings of a reply, and whether it was too much to judge. */
function judged(catalogue: Catalogue, reply: unknown): { findings: readonly Finding[]; tooMuch: boolean } {
  const exchange = { request: jsonRequest("/v1/things", [], {}), response: jsonResponse(reply) };
  return judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
}

const brief = ({ findings }: { readonly findings: readonly Finding[] }): string[] =>
  findings.map(({ level, pointer, expected }) => `${level} ${pointer}: ${expected}`);

/** A catalogue whose replies are `{"of": ...}` with this schema. */
const openUnion = (of: unknown, components: object = {}, version?: string): Promise<Catalogue> =>
  openDocument(documentOf({ type: "object" }, object({ of }, ["of"]), components, version));

async function demandProof(catalogue: Catalogue): Promise<void> {
  const { gaps, clauses } = await proofOf(catalogue);
  expect(gaps).toEqual([]);
  expect(clauses.some((id) => id.endsWith("-alternatives"))).toBe(true);
  expect(ownClauses(catalogue).filter(({ opaque }) => opaque)).toEqual([]);
}

test("reports what violates the nearest alternative of a union that nothing tells apart", async () => {
  const catalogue = await openUnion(
    { oneOf: [{ $ref: "#/components/schemas/Plain" }, { $ref: "#/components/schemas/Rich" }] },
    {
      Plain: object({ id: text, size: integer }, ["id", "size"]),
      Rich: object({ id: text, size: object({ width: integer, height: integer }, ["width"]) }, ["id", "size"]),
    },
  );
  expect(brief(judged(catalogue, { of: { id: "a", size: 1 } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { id: "a", size: { width: 1 } } }))).toEqual([]);
  const { findings } = judged(catalogue, { of: { id: "a", size: { width: "wide" } } });
  expect(brief({ findings })).toEqual(["error /of/size/width: an integer"]);
  expect(findings[0]!.message).toContain("fits one of its 2 alternatives");
  expect(findings[0]!.message).toContain("Rich is the nearest");
  await demandProof(catalogue);
});

test("finds nothing where two alternatives fit", async () => {
  const catalogue = await openUnion({ oneOf: [object({ a: integer }), object({ b: integer })] });
  expect(brief(judged(catalogue, { of: { a: 1, b: 1 } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { a: "x" } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { a: "x", b: "x" } }))).toEqual(["error /of/a: an integer"]);
  await demandProof(catalogue);
});

test("judges alternatives that are the same", async () => {
  const one = object({ a: integer }, ["a"]);
  const catalogue = await openUnion({ anyOf: [one, structuredClone(one), structuredClone(one)] });
  expect(brief(judged(catalogue, { of: {} }))).toEqual(["error /of/a: this member to be present"]);
  await demandProof(catalogue);
});

test("leaves a union undecided that fits every object, and says so", async () => {
  const catalogue = await openUnion({ anyOf: [object({ a: integer }), { type: "object", description: "Any." }] });
  expect(brief(judged(catalogue, { of: { a: "x" } }))).toEqual([]);
  expect(ownClauses(catalogue).flatMap(({ opaque, reason }) => (opaque ? [reason] : []))).toEqual([
    "nothing tells its 2 alternatives apart, and no value is found that fits none of them",
  ]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("lets null pass where an alternative or the union is nullable", async () => {
  const alternatives = [object({ a: integer }, ["a"]), object({ a: { type: ["string", "null"] } }, ["a"])];
  const catalogue = await openUnion({ anyOf: [...alternatives, { type: "null" }] });
  expect(brief(judged(catalogue, { of: null }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { a: null } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { a: [] } }))).toEqual(["error /of/a: an integer"]);
  await demandProof(catalogue);
});

test("grades null in an alternative as elsewhere", async () => {
  const union = { anyOf: [object({ a: integer, b: text }, ["a"]), object({ a: object({}), b: text }, ["a"])] };
  const reply = { of: { a: 1, b: null } };
  expect(brief(judged(await openUnion(union), reply))).toEqual(["error /of/b: a string"]);
  expect(brief(judged(await openUnion(union, {}, "3.0.3"), reply))).toEqual(["warning /of/b: a string"]);
});

test("tries unions within alternatives, and names the outer clause alone", async () => {
  const inner = { oneOf: [object({ x: integer }, ["x"]), object({ x: object({ y: text }, ["y"]) }, ["x"])] };
  const catalogue = await openUnion({
    oneOf: [object({ a: inner }, ["a"]), object({ a: { type: "boolean" } }, ["a"])],
  });
  expect(brief(judged(catalogue, { of: { a: { x: { y: "z" } } } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { a: { x: { y: 1 } } } }))).toEqual(["error /of/a/x/y: a string"]);
  await demandProof(catalogue);
});

test("tries unions that contain themselves, in linear time", async () => {
  const ref = { $ref: "#/components/schemas/Tree" };
  const catalogue = await openUnion(ref, {
    Tree: {
      anyOf: [
        object({ a: integer, next: ref }),
        object({ a: text, next: ref }),
        object({ a: { type: "array" }, next: ref }),
      ],
    },
  });
  const nested = (depth: number, leaf: unknown): unknown => {
    let value = leaf;
    for (let i = 0; i < depth; i++) value = { a: "x", next: value };
    return value;
  };
  expect(judged(catalogue, { of: nested(200, { a: 1 }) })).toMatchObject({ findings: [], tooMuch: false });
  const { findings } = judged(catalogue, { of: nested(60, { a: true }) });
  expect(brief({ findings })).toEqual(["error /of/next/…/a: an integer"]);
  await demandProof(catalogue);
});

test("tries 500 alternatives", async () => {
  const alternatives = Array.from({ length: 500 }, (_, i) =>
    object({ id: integer, value: i % 2 ? object({ [`m${i}`]: text }, [`m${i}`]) : { type: "integer", maximum: i } }, [
      "value",
    ]),
  );
  const catalogue = await openUnion({ anyOf: alternatives });
  expect(brief(judged(catalogue, { of: { value: { m499: "x" } } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { value: 499 } }))).toEqual(["error /of/value: at most 0"]);
});

test("stops where many alternatives are tried on a large value", async () => {
  const alternatives = Array.from({ length: 500 }, (_, i) =>
    object({ list: { type: "array", items: { type: "integer", minimum: i + 1 } } }, ["list"]),
  );
  const catalogue = await openUnion({ anyOf: alternatives });
  expect(judged(catalogue, { of: { list: Array.from({ length: 100_000 }, () => 0) } }).tooMuch).toBe(true);
});

test("judges texts and numbers by alternatives with different rules", async () => {
  const catalogue = await openUnion({
    anyOf: [
      { type: "string", maxLength: 3 },
      { type: "string", pattern: "^id-[0-9]{8}$" },
      { type: "number", maximum: 5 },
      { type: "number", minimum: 10 },
    ],
  });
  for (const of of ["abc", "id-12345678", 5, 10]) expect(brief(judged(catalogue, { of }))).toEqual([]);
  expect(brief(judged(catalogue, { of: "abcd" }))).toEqual(["error /of: at most 3 characters"]);
  expect(brief(judged(catalogue, { of: 7 }))).toEqual(["error /of: at most 5"]);
  await demandProof(catalogue);
});

test("tries the alternatives that a discriminator without a mapping leaves together", async () => {
  const catalogue = await openUnion(
    {
      anyOf: [
        { $ref: "#/components/schemas/A" },
        { $ref: "#/components/schemas/B" },
        object({ kind: text, z: text }, ["z"]),
      ],
      discriminator: { propertyName: "kind" },
    },
    { A: object({ kind: text, x: integer }, ["x"]), B: object({ kind: text, x: text }, ["x"]) },
  );
  expect(brief(judged(catalogue, { of: { kind: "A", x: 1 } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { kind: "other", z: "x" } }))).toEqual([]);
  expect(judged(catalogue, { of: { x: true } }).findings).toHaveLength(1);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("keeps what a tag says before it tries the alternatives of the tag", async () => {
  const catalogue = await openUnion({
    anyOf: [
      object({ role: { const: "user" }, content: text }, ["role", "content"]),
      object({ role: { const: "tool" }, content: text, id: text }, ["role", "content", "id"]),
      object({ role: text, content: { type: "array", items: text } }, ["role", "content"]),
    ],
  });
  expect(brief(judged(catalogue, { of: { role: "user", content: ["x"] } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { role: "user", content: 1 } }))).toEqual(["error /of/content: a string"]);
  expect(brief(judged(catalogue, { of: { role: "other", content: "x" } }))).toEqual(["error /of/content: an array"]);
  await demandProof(catalogue);
});

test("tells two alternatives apart by which of two members is null", async () => {
  const failed = object({ data: { type: "null" }, errors: { type: "array", items: text } }, ["data", "errors"]);
  const done = object({ data: object({ id: text }, ["id"]), errors: { type: "null" } }, ["data", "errors"]);
  const catalogue = await openUnion({ oneOf: [done, failed] });
  expect(brief(judged(catalogue, { of: { data: { id: "a" }, errors: null } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { data: null, errors: ["x"] } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { data: {}, errors: null } }))).toEqual([
    "error /of/data/id: this member to be present",
  ]);
  expect(brief(judged(catalogue, { of: { data: null, errors: null } }))).toEqual(["error /of/errors: an array"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("proves alternatives that are told apart by a member which may be missing", async () => {
  const metric = (name: string, more: object) =>
    object({ metric: { enum: [name] }, target: { type: "number" }, ...more });
  const catalogue = await openUnion({
    oneOf: [metric("queue", { depth: integer }), metric("http", { window: integer })],
  });
  expect(brief(judged(catalogue, { of: { metric: "http", window: 1 } }))).toEqual([]);
  expect(brief(judged(catalogue, { of: { target: "x" } }))).toEqual(["error /of/target: a number"]);
  await demandProof(catalogue);
});
