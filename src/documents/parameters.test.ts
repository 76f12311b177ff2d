/** Parameters in query and headers are judged as the values that their texts stand for, in whatever legal spelling. */
import { expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const withParameters = (...parameters: object[]): Promise<Catalogue> => {
  const responses = { 200: { description: "OK" } };
  const paths = { "/v1/things": { get: { tags: ["things"], parameters, responses } } };
  return openDocument({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths });
};
const errors = (catalogue: Catalogue, search: string, headers: HeaderPairs = []): string[] => {
  const request = { method: "GET", target: `/v1/things${search}`, headers, body: new Uint8Array() };
  const response = { status: 200, headers: [], body: new Uint8Array() };
  const at = { source: "", exchange: 0 };
  const { findings } = judge({ request, response }, at, catalogue, { names: namesFrom(), policy: lenient });
  return findings.map(({ clause }) => clause.replace("things.request.", ""));
};
const inQuery = (name: string, schema: object, more: object = {}) => ({ name, in: "query", schema, ...more });

test("numbers and booleans are judged by what they stand for", async () => {
  const catalogue = await withParameters(
    inQuery("limit", { type: "integer", minimum: 1, maximum: 100 }),
    inQuery("share", { type: "number", maximum: 1 }),
    inQuery("deep", { type: "boolean" }),
  );
  for (const search of [
    "",
    "?limit=1&share=.5&deep=true",
    "?limit=%31%30&share=1e-3&deep=True",
    "?limit=7.0&deep=0&other=x",
  ])
    expect(errors(catalogue, search), search).toEqual([]);
  expect(errors(catalogue, "?limit=0")).toEqual(["query-limit-minimum"]);
  expect(errors(catalogue, "?limit=101&share=2")).toEqual(["query-limit-maximum", "query-share-maximum"]);
  expect(errors(catalogue, "?limit=ten&deep=yes")).toEqual(["query-deep-type", "query-limit-type"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("texts keep their digits, and what redaction took out is not judged", async () => {
  const catalogue = await withParameters(inQuery("id", { type: "string", pattern: "^0\\d{2}$" }, { required: true }));
  expect(errors(catalogue, "?id=007")).toEqual([]);
  expect(errors(catalogue, "?id=7")).toEqual(["query-id-pattern"]);
  expect(errors(catalogue, "?id=%5Bredacted%5D")).toEqual([]);
  expect(errors(catalogue, "")).toEqual(["query-id-required"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("headers have no case, and those that are described elsewhere are left out", async () => {
  const catalogue = await withParameters(
    { name: "X-Version", in: "header", required: true, schema: { type: "string", enum: ["2024-01-01"] } },
    { name: "Authorization", in: "header", required: true, schema: { type: "string" } },
  );
  expect(errors(catalogue, "", [["x-VERSION", "2024-01-01"]])).toEqual([]);
  expect(errors(catalogue, "", [["X-Version", "2023-01-01"]])).toEqual(["header-x-version-enum"]);
  expect(errors(catalogue, "")).toEqual(["header-x-version-required"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("lists, objects and alternatives in parameters are opaque", async () => {
  const catalogue = await withParameters(
    inQuery("ids", { type: "array", items: { type: "integer" } }),
    inQuery("filter", { type: "object" }, { style: "deepObject", required: true }),
    inQuery("either", { oneOf: [{ type: "integer" }, { type: "string" }] }),
    { name: "json", in: "query", required: true, content: { "application/json": { schema: { type: "object" } } } },
  );
  expect(errors(catalogue, "?ids=x&filter[a]=1&either=z&json={}")).toEqual([]);
  expect(ownClauses(catalogue).filter(({ opaque }) => opaque !== undefined).length).toBe(3);
});
