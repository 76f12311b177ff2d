/** A reply that is not JSON is an error where the document describes nothing else, or where it is labelled JSON. */
import { expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { jsonRequest, utf8 } from "../wire/build.ts";
import { documentOf, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

interface Given {
  readonly status?: number;
  readonly type?: string;
  readonly asked?: object;
}

function errorsIn(catalogue: Catalogue, body: string, { status = 200, type = "text/html", asked = {} }: Given = {}) {
  const exchange = {
    request: jsonRequest("/v1/things", [], asked),
    response: { status, headers: [["content-type", type]] as [string, string][], body: utf8(body) },
  };
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
  return findings.filter(({ level }) => level === "error").map(({ clause }) => clause);
}

/** A document whose successful reply has this content. */
function withContent(content: object) {
  const document = documentOf({ type: "object" });
  const { post } = document.paths["/things"];
  return { ...document, paths: { "/things": { post: { ...post, responses: { 200: { description: "", content } } } } } };
}

const thing = { schema: { type: "object" } };
const clause = "things.response.body-json";

test("a page, broken JSON and nothing at all are no JSON", async () => {
  const catalogue = await openDocument(withContent({ "application/json": thing }));
  expect(["<html>", "{", ""].map((body) => errorsIn(catalogue, body))).toEqual([[clause], [clause], [clause]]);
  expect(errorsIn(catalogue, "{}")).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
  expect(ownClauses(catalogue).find(({ id }) => id === clause)?.document.section).toBe(
    "/paths/~1things/post/responses/200/content",
  );
});

test("other statuses, streams and lines of JSON are left alone", async () => {
  const catalogue = await openDocument(withContent({ "application/json": thing }));
  expect(errorsIn(catalogue, "<html>", { status: 502 })).toEqual([]);
  expect(errorsIn(catalogue, "created", { status: 201 })).toEqual(["things.response.reply-status"]);
  expect(errorsIn(catalogue, "data: {}\n\n", { type: "text/event-stream" })).toEqual([]);
  expect(errorsIn(catalogue, "{}\n{}\n", { type: "application/x-ndjson" })).toEqual([]);
});

test("a document that describes another media type, any, or a text demands no JSON", async () => {
  for (const content of [
    { "application/json": thing, "text/plain": { schema: { type: "string" } } },
    { "*/*": thing },
    { "application/json": { schema: { type: "string" } } },
    { "application/json": {} },
  ]) {
    const catalogue = await openDocument(withContent(content));
    expect(errorsIn(catalogue, "a text", { type: "text/plain" })).toEqual([]);
    expect(errorsIn(catalogue, "", { type: "text/plain" })).toEqual([]);
  }
});

test("a reply beside a stream is JSON if it is labelled so", async () => {
  const catalogue = await openDocument(withContent({ "application/json": thing, "text/event-stream": thing }));
  const type = "application/json; charset=utf-8";
  for (const asked of [{}, { stream: true }])
    expect(["<html>", "{", ""].map((body) => errorsIn(catalogue, body, { type, asked }))).toEqual([
      [clause],
      [clause],
      [clause],
    ]);
  expect(errorsIn(catalogue, "{}", { type })).toEqual([]);
  expect(errorsIn(catalogue, "data: {}\n\n", { type: "text/event-stream" })).toEqual([]);
  expect(errorsIn(catalogue, "", { type: "text/event-stream" })).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a failure is JSON if the document describes it and it is labelled so", async () => {
  const document = withContent({ "application/json": thing });
  document.paths["/things"].post.responses = {
    422: { description: "", content: { "application/json": thing } },
    "5XX": { description: "", content: { "application/json": thing } },
  } as never;
  const catalogue = await openDocument(document);
  const type = "application/json";
  for (const status of [422, 502]) {
    expect(errorsIn(catalogue, "", { status, type }), String(status)).toEqual([clause]);
    expect(errorsIn(catalogue, "{}", { status, type })).toEqual([]);
    expect(errorsIn(catalogue, "<html>", { status })).toEqual([]);
  }
  expect(errorsIn(catalogue, "", { status: 404, type })).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});
