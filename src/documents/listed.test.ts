/** Statuses, media types and methods that a document does not list are found, and those that any server may add are not. */
import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { jsonRequest, jsonResponse, utf8 } from "../wire/build.ts";
import type { WireResponse } from "../wire/exchange.ts";
import { documentOf, folderOf, openDocument, proofOf } from "./documents.test-kit.ts";

const description = "";
const object = { schema: { type: "object" } };
const json = { description, content: { "application/json": object } };

const opened = (responses: object) => {
  const document = documentOf({ type: "object" });
  document.paths["/things"].post.responses = responses as never;
  return openDocument(document);
};

type Catalogue = Awaited<ReturnType<typeof openDocument>>;

/** Level and clause of what an exchange violates. */
function found(catalogue: Catalogue, response: WireResponse | null, method = "POST", strict = false): string[] {
  const exchange = { request: jsonRequest("/v1/things", [], {}, method), response };
  const policy = strict ? { ...lenient, strict: "all" as const } : lenient;
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
  return findings.map(({ level, clause, actual }) => `${level} ${clause} ${String(actual).replaceAll('"', "")}`);
}

const status = (code: number): WireResponse => jsonResponse({}, code);
const typed = (type: string | undefined, body = "{}"): WireResponse => ({
  status: 200,
  headers: type === undefined ? [] : [["content-type", type]],
  body: utf8(body),
});

test("a status that is not listed is an error, if it is a success or a failure that no server adds by itself", async () => {
  const catalogue = await opened({ 200: json, 422: json });
  for (const code of [200, 301, 304, 400, 401, 402, 403, 404, 405, 422, 429, 499, 500, 502, 503, 529])
    expect(found(catalogue, status(code)), String(code)).toEqual([]);
  for (const code of [202, 299, 409, 418])
    expect(found(catalogue, status(code))).toEqual([`error things.response.reply-status ${code}`]);
  expect(found(catalogue, status(503), "POST", true)).toEqual(["error things.response.reply-status 503"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a status beside listed ranges warns, and beside a default all are listed", async () => {
  const ranges = await opened({ "2xx": json, 400: json });
  expect(found(ranges, status(202))).toEqual([]);
  expect(found(ranges, status(418))).toEqual(["warning things.response.reply-status 418"]);
  expect((await proofOf(ranges)).gaps).toEqual([]);
  const fallback = await opened({ 200: json, default: json });
  expect(found(fallback, status(418))).toEqual([]);
  expect(found(await opened({ default: json }), status(299))).toEqual([]);
});

test.each([
  ["307", 307],
  ["101", 101],
  ["400", 400],
])("makes no reply with a success for a document that lists %s alone", async (listed, code) => {
  const catalogue = await opened({ [listed]: { description } });
  const { exchanges } = await catalogue.examples();
  const statuses = exchanges["things"]!.flatMap(({ exchange: { response } }) => response?.status ?? []);
  expect(new Set(statuses)).toEqual(new Set([code]));
  expect(found(catalogue, status(200))).toEqual(["error things.response.reply-status 200"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a media type that is not listed is an error, and a warning if only the label of JSON is another", async () => {
  const catalogue = await opened({ 200: json, 400: json });
  for (const type of [
    "application/json; charset=utf-8",
    "application/vnd.a+json",
    "application/x-ndjson",
    "text/event-stream",
  ])
    expect(found(catalogue, typed(type)), type).toEqual([]);
  const media = "things.response.reply-media-type";
  expect(found(catalogue, typed("text/html"))).toEqual([`warning ${media} text/html`]);
  expect(found(catalogue, typed(undefined))).toEqual([`warning ${media} nothing`]);
  expect(found(catalogue, typed("text/html", "<html>"))).toHaveLength(1);
  const free = await opened({ 200: { description, content: { "application/json": {} } } });
  expect(found(free, typed("text/html", "<html>"))).toEqual([`error ${media} text/html`]);
  expect(found(catalogue, { ...typed("text/html", "<html>"), status: 400 })).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("JSON in place of audio is an error, and another kind of audio is none", async () => {
  const catalogue = await opened({ 200: { description, content: { "audio/mpeg": { schema: { type: "string" } } } } });
  expect(found(catalogue, typed("audio/wav", "sound"))).toEqual([]);
  expect(found(catalogue, typed("application/json"))).toEqual([
    "error things.response.reply-media-type application/json",
  ]);
  const bytes = await opened({ 200: { description, content: { "application/octet-stream": {} } } });
  expect(found(bytes, typed("application/json"))).toEqual([]);
});

test("a page in place of JSON or a stream is an error, and a stream under the name of a text warns", async () => {
  const either = { "application/json": object, "text/event-stream": object };
  const catalogue = await opened({ 200: { description, content: either } });
  const media = "things.response.reply-media-type";
  expect(found(catalogue, typed("text/html", "<html>"))).toEqual([`error ${media} text/html`]);
  expect(found(catalogue, typed("text/event-stream", "data: {}\n\n"))).toEqual([]);
  expect(found(catalogue, typed("text/plain", "data: {}\n\n"))).toEqual([`warning ${media} text/plain`]);
});

test("a method that is not listed is found, and the request is judged by no other operation", async () => {
  const needs = { type: "object", required: ["a"], properties: { a: {} } };
  const document = documentOf(needs);
  const catalogue = await openDocument(document);
  expect(found(catalogue, null, "DELETE")).toEqual(["warning things.request.things-method DELETE"]);
  for (const method of ["HEAD", "OPTIONS"]) expect(found(catalogue, null, method)).toEqual([]);
  const { post } = document.paths["/things"];
  const both = { ...document, paths: { "/things": { post, get: { operationId: "listThings", responses: {} } } } };
  const one = folderOf({
    "interface.json": { name: "one", openapi: "openapi.json", operations: ["makeThing"] },
    "openapi.json": both,
  });
  const folder = await openCatalogue([one]);
  expect(found(folder, null, "GET")).toEqual([]);
  expect(found(folder, null, "PUT")).toEqual(["warning one.request.things-method PUT"]);
});
