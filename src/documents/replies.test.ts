/** Replies of derived operations: each status is judged by what the document says of it, and by nothing else. */
import { expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { documentOf, openDocument, proofOf } from "./documents.test-kit.ts";

const text = { type: "object", required: ["text"], properties: { text: { type: "string" } } };
const job = { type: "object", required: ["job"], properties: { job: { type: "string" } } };
const content = (schema: object) => ({ description: "A reply.", content: { "application/json": { schema } } });
const withReplies = async (responses: object): Promise<Catalogue> => {
  const document = documentOf({ type: "object" });
  const { post } = document.paths["/things"];
  return openDocument({ ...document, paths: { "/things": { post: { ...post, responses } } } });
};
const found = (catalogue: Catalogue, body: unknown, status: number): string[] => {
  const exchange = { request: jsonRequest("/v1/things", [], {}), response: jsonResponse(body, status) };
  return judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient }).findings.map(
    ({ clause }) => clause,
  );
};

test("each status is judged by its own schema, and one that is not described by none", async () => {
  const catalogue = await withReplies({ 200: content(text), 202: content(job) });
  expect(found(catalogue, { text: "t" }, 200)).toEqual([]);
  expect(found(catalogue, { job: "j" }, 202)).toEqual([]);
  expect(found(catalogue, { text: "t" }, 202)).toEqual(["things.response.make-thing-job-required"]);
  expect(found(catalogue, { odd: 1 }, 201)).toEqual([]);
});

test("a default is of success where none is described, and of failures elsewhere", async () => {
  const alone = await withReplies({ default: content(text) });
  expect(found(alone, {}, 200)).toEqual(["things.response.text-required"]);
  expect(found(alone, { error: "e" }, 500)).toEqual([]);
  const beside = await withReplies({ 200: content(text), default: content(job) });
  expect(found(beside, {}, 500)).toEqual(["things.error.job-required"]);
  expect(found(beside, { text: "t" }, 200)).toEqual([]);
});

test("all of them are proven", async () => {
  const { gaps } = await proofOf(await withReplies({ 200: content(text), 202: content(job), default: content(job) }));
  expect(gaps).toEqual([]);
});

test("a stream is asked for with a member called stream, where the document has one that may be true", async () => {
  const asked = async (stream: object): Promise<unknown[]> => {
    const document = documentOf({ type: "object", properties: { stream } });
    const { post } = document.paths["/things"];
    const events = { description: "OK", content: { "text/event-stream": { schema: text } } };
    const responses = { 200: { ...events, content: { ...events.content, ...content(text).content } } };
    const catalogue = await openDocument({ ...document, paths: { "/things": { post: { ...post, responses } } } });
    const { exchanges } = await catalogue.examples();
    return exchanges["things"]!.filter(({ name }) => name.includes("stream")).map(({ exchange }) =>
      JSON.parse(Buffer.from(exchange.request.body).toString("utf8")),
    );
  };
  expect(await asked({ type: "boolean" })).toEqual([{ stream: true }]);
  expect(await asked({ const: false })).toEqual([{}]);
});
