/** Documents as people write them, with oddities of YAML, JSON Schema and OpenAPI, accuse nobody wrongly and still find what they can. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { documentOf, errorsIn, folderOf, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const opaque = (catalogue: Catalogue): string[] =>
  ownClauses(catalogue).flatMap(({ id, opaque: why }) => (why === undefined ? [] : [id]));

const data = { type: "object", required: ["data"], properties: { data: { type: "integer" } } };

const member = (schema: object) => documentOf({ type: "object", properties: { a: schema } });

test("a multiple of a fraction is one however the computer rounds it", async () => {
  const catalogue = await openDocument(member({ type: "number", multipleOf: 0.01 }));
  for (const a of [0.07, 4.35, 19.99, 1e15, 0]) expect(errorsIn(catalogue, { a })).toEqual([]);
  expect(errorsIn(catalogue, { a: 0.015 })).toEqual(["things.request.a-multiple-of"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a pattern whose ways multiply judges long texts, and one that cannot be tried is opaque", async () => {
  const slow = await openDocument(member({ type: "string", pattern: "^(a+)+$" }));
  expect(errorsIn(slow, { a: "a".repeat(50_000) })).toEqual([]);
  expect(errorsIn(slow, { a: `${"a".repeat(50_000)}!` })).toEqual(["things.request.a-pattern"]);
  expect(opaque(await openDocument(member({ type: "string", pattern: "^(?=(a+)+$)" })))).toEqual([
    "things.request.a-pattern",
  ]);
});

test("an enum whose values are not of its type, as YAML makes of words without quotes, is opaque", async () => {
  const catalogue = await openDocument(member({ type: "string", enum: [true, false, "auto"] }));
  expect(opaque(catalogue)).toEqual(["things.request.a-enum"]);
  expect(errorsIn(catalogue, { a: "on" })).toEqual([]);
});

test("references by anchor and by id lead where they name", async () => {
  const components = {
    Named: { $anchor: "named", type: "integer" },
    Own: {
      $id: "https://example.com/own",
      type: "object",
      properties: { b: { $ref: "#/$defs/b" } },
      $defs: { b: { type: "boolean" } },
    },
  };
  const properties = { a: { $ref: "#named" }, own: { $ref: "https://example.com/own" } };
  const catalogue = await openDocument(documentOf({ type: "object", properties }, undefined, components));
  expect(errorsIn(catalogue, { a: "1" }).length).toBe(1);
  expect(errorsIn(catalogue, { own: { b: 1 } }).length).toBe(1);
  expect(errorsIn(catalogue, { a: 1, own: { b: true } })).toEqual([]);
});

test("members that every object of JavaScript has are opaque", async () => {
  const properties = { toString: { type: "string" }, a: { type: "string" } };
  const catalogue = await openDocument(documentOf({ type: "object", required: ["constructor"], properties }));
  expect(opaque(catalogue).length).toBe(2);
  expect(errorsIn(catalogue, { a: "x" })).toEqual([]);
});

test("two operations of one path, told apart by a fragment, take the body of either", async () => {
  const document = documentOf({ type: "object", required: ["text"], properties: { text: { type: "string" } } });
  const { post } = document.paths["/things"];
  const schema = { type: "object", required: ["job"], properties: { job: { type: "string" } } };
  const other = { ...post, requestBody: { required: true, content: { "application/json": { schema } } } };
  const catalogue = await openDocument({
    ...document,
    paths: { "/things": { post }, "/things#jobs": { post: other } },
  });
  expect([errorsIn(catalogue, { text: "t" }), errorsIn(catalogue, { job: "j" })]).toEqual([[], []]);
  expect(errorsIn(catalogue, { text: 1 })).toEqual(["things.request.text-type"]);
});

test("two operations of one path, told apart by a query, are judged each by its own schema", async () => {
  const document = documentOf({ type: "object", required: ["text"], properties: { text: { type: "string" } } }, data);
  const { post } = document.paths["/things"];
  const schema = { type: "object", required: ["job"], properties: { job: { type: "string" } } };
  const content = { "application/json": { schema } };
  const other = { ...post, operationId: "makeJob", requestBody: { content }, responses: { 200: { content } } };
  const paths = { "/things": { post }, "/things?beta=true": { post: other } };
  const catalogue = await openDocument({ ...document, paths });
  const found = (query: string, body: object): string[] => errorsIn(catalogue, body, body, `/v1/things${query}`);
  expect(found("", { text: "t", data: 1 })).toEqual([]);
  expect(found("?a=1&beta=true", { job: "j" })).toEqual([]);
  expect(found("?beta=true", { text: "t", data: 1 })).toEqual([
    "things.request.make-job-job-required",
    "things.response.make-job-job-required",
  ]);
  expect(found("?beta=false", { job: "j" }).length).toBe(2);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("replies of two operations of one path bring what either describes", async () => {
  const document = documentOf({ type: "object" }, data);
  const { post } = document.paths["/things"];
  const schema = { type: "object", required: ["job"], properties: { job: { type: "string" } } };
  const other = { ...post, responses: { 200: { content: { "application/json": { schema } } } } };
  const catalogue = await openDocument({
    ...document,
    paths: { "/things": { post }, "/things#jobs": { post: other } },
  });
  expect([errorsIn(catalogue, {}, { data: 1 }), errorsIn(catalogue, {}, { job: "j" })]).toEqual([[], []]);
  expect(errorsIn(catalogue, {}, { job: 1 })).toEqual(["things.response.job-type"]);
});

test("versions without quotes, merged keys and anchors of YAML are read", async () => {
  const yaml = `openapi: 3.0
info: {title: T, version: 1}
paths:
  /v1/things:
    post:
      tags: [things]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                a: &limit {type: integer, maximum: 3}
                b:
                  <<: *limit
                  nullable: true
      responses: {"200": {description: OK}}
`;
  const catalogue = await openCatalogue([join(folderOf({ "t.yaml": yaml }), "t.yaml")]);
  expect(errorsIn(catalogue, { a: 3, b: null })).toEqual([]);
  expect(errorsIn(catalogue, { a: 4, b: 4 })).toEqual(["things.request.a-maximum", "things.request.b-maximum"]);
});

test("names of members that have to match a pattern are made to match it", async () => {
  const schema = {
    type: "object",
    propertyNames: { pattern: "^x-[a-z]+$" },
    minProperties: 2,
    additionalProperties: { type: "integer" },
  };
  const catalogue = await openDocument(documentOf(schema));
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("servers with variables, and servers of one path, say where operations are asked", async () => {
  const reply = (name: string) => ({
    content: { "application/json": { schema: { type: "object", required: [name], properties: { [name]: {} } } } },
  });
  const get = (name: string, more: object = {}) => ({
    get: { tags: ["things"], responses: { 200: reply(name) }, ...more },
  });
  const catalogue = await openDocument({
    ...documentOf({}),
    servers: [{ url: "https://{region}.example.com/{base}/v1/", variables: { base: { default: "api" } } }],
    paths: {
      "/a": get("a"),
      "/{any}": get("any"),
      "/{any}/{other}": get("two"),
      "/x:run": get("run"),
      "/far/{id}": get("far", { servers: [{ url: "/v9" }] }),
    },
  });
  const found = (path: string) =>
    catalogue.interfaces[0]!.operations.find(({ at }) => at(path) >= 0)?.name.replace("GET ", "");
  expect(found("/api/v1/a")).toBe("/api/v1/a");
  expect(found("/api/v1/b")).toBe("/api/v1/{any}");
  expect(found("/api/v1/x:run")).toBe("/api/v1/x:run");
  expect(found("/v9/far/1")).toBe("/v9/far/{id}");
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("the data of events is judged where alternatives describe events", async () => {
  const event = (name: string, data: object) => ({
    type: "object",
    required: ["event", "data"],
    properties: { event: { const: name }, data },
  });
  const piece = { type: "object", required: ["piece"], properties: { piece: { type: "string" } } };
  const text = { type: "string", contentMediaType: "application/json", contentSchema: piece };
  const streamed = async (schema: object) => {
    const document = documentOf({ type: "object" });
    document.paths["/things"].post.responses[200].content = { "text/event-stream": { schema } } as never;
    const catalogue = await openDocument(document);
    const told = Object.values(catalogue.contradictions?.() ?? {}).flat();
    const ids = ownClauses(catalogue).map(({ id }) => id);
    return [ids.filter((id) => /\.stream\.(?!event-json$)/.test(id)), told.length];
  };
  const pieces = ["things.stream.body-type", "things.stream.piece-required", "things.stream.piece-type"];
  const named = ["things.stream.body-event", ...pieces];
  expect(await streamed({ oneOf: [event("start", piece), event("end", { type: "string" })] })).toEqual([named, 0]);
  expect(await streamed({ oneOf: [event("start", piece), event("end", { const: "[DONE]" })] })).toEqual([named, 0]);
  const other = { type: "object", required: ["other"], properties: { other: { type: "string" } } };
  const nested = {
    anyOf: [
      { oneOf: [event("start", piece), { type: "object", properties: { event: { const: "ping" } } }] },
      event("more", other),
    ],
  };
  expect(await streamed(nested)).toEqual([
    [
      "things.stream.body-event",
      "things.stream.make-thing-other-required",
      "things.stream.make-thing-other-type",
      "things.stream.make-thing-piece-required",
      "things.stream.make-thing-piece-type",
      "things.stream.make-thing-type",
      "things.stream.make-thing-type-2",
    ],
    0,
  ]);
  expect(await streamed({ type: "object", properties: { event: { type: "string" } } })).toEqual([
    ["things.stream.body-type", "things.stream.event-type"],
    0,
  ]);
  expect(await streamed(event("start", { type: "string" }))).toEqual([[], 0]);
  expect(await streamed(event("start", text))).toEqual([named, 0]);
  expect(await streamed(piece)).toEqual([pieces, 0]);
});
