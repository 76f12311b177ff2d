/** Parameters in path, query and headers are judged as the values that their texts stand for, in whatever legal spelling. */
import { describe, expect, test } from "vitest";
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

describe("parameters in the path", () => {
  const inPath = (name: string, schema: object, more: object = {}) => ({
    name,
    in: "path",
    required: true,
    schema,
    ...more,
  });
  const withPaths = (paths: Readonly<Record<string, readonly object[]>>): Promise<Catalogue> => {
    const responses = { 200: { description: "OK" } };
    const items = Object.entries(paths).map(([path, parameters]) => [
      path,
      { get: { tags: ["things"], parameters, responses } },
    ]);
    const info = { title: "T", version: "1" };
    return openDocument({ openapi: "3.1.0", info, paths: Object.fromEntries(items) });
  };
  const found = (catalogue: Catalogue, target: string): string[] => {
    const request = { method: "GET", target, headers: [], body: new Uint8Array() };
    const at = { source: "", exchange: 0 };
    const { findings } = judge({ request, response: null }, at, catalogue, { names: namesFrom(), policy: lenient });
    return findings.map(({ clause }) => clause.replace("things.request.", ""));
  };

  test("are judged by what they stand for, behind whatever a gateway puts before them", async () => {
    const catalogue = await withPaths({
      "/v1/things/{id}/parts/{part}": [
        inPath("id", { type: "string", pattern: "^[a-z/ é]+$", minLength: 1, maxLength: 9 }),
        inPath("part", { type: "integer", minimum: 1 }),
      ],
    });
    for (const target of [
      "/v1/things/a%2Fb/parts/01",
      "/gateway/v1/things/%C3%A9%20/parts/7?x=1",
      "/v1/things/z/parts/2/",
    ])
      expect(found(catalogue, target), target).toEqual([]);
    expect(found(catalogue, "/v1/things/A/parts/0")).toEqual(["path-id-pattern", "path-part-minimum"]);
    expect(found(catalogue, "/v1/things/a/parts/first")).toEqual(["path-part-type"]);
    expect((await proofOf(catalogue)).gaps).toEqual([]);
  });

  test("that redaction took out, or whose percent escapes are broken, accuse nobody", async () => {
    const catalogue = await withPaths({ "/v1/{key}": [inPath("key", { type: "string", maxLength: 5 })] });
    expect(found(catalogue, "/v1/%5Bredacted%5D")).toEqual([]);
    expect(found(catalogue, "/v1/%zz")).toEqual([]);
  });

  test("of two in one step nothing is said", async () => {
    const catalogue = await withPaths({
      "/v1/{from}...{to}": [inPath("from", { type: "integer" }), inPath("to", { type: "integer" })],
    });
    expect(found(catalogue, "/v1/a...b")).toEqual([]);
    expect(ownClauses(catalogue).filter(({ opaque }) => opaque !== undefined).length).toBe(2);
  });

  test("that another path of the document names literally are that path's", async () => {
    const catalogue = await withPaths({
      "/v1/things/{id}": [inPath("id", { type: "integer" })],
      "/v1/things/latest": [],
    });
    expect(found(catalogue, "/v1/things/latest")).toEqual([]);
    expect(found(catalogue, "/v1/things/newest")).toEqual(["get-v1-things-id-path-id-type"]);
  });
});
