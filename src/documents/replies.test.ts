/** Replies of derived operations: each status is judged by what the document says of it, and by nothing else. */
import { describe, expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
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

test("each status is judged by its own schema, and one that is not listed is no success", async () => {
  const catalogue = await withReplies({ 200: content(text), 202: content(job) });
  expect(found(catalogue, { text: "t" }, 200)).toEqual([]);
  expect(found(catalogue, { job: "j" }, 202)).toEqual([]);
  expect(found(catalogue, { text: "t" }, 202)).toEqual(["things.response.make-thing-job-required"]);
  expect(found(catalogue, { odd: 1 }, 201)).toEqual(["things.response.reply-status"]);
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

describe("headers of replies", () => {
  const ofReply = (status: string, headers: object, more: object = {}) => ({
    [status]: { description: "d", headers, ...more },
  });
  const open = (responses: object, components: object = {}): Promise<Catalogue> => {
    const paths = { "/v1/things": { get: { tags: ["things"], responses } } };
    return openDocument({ openapi: "3.0.3", info: { title: "T", version: "1" }, paths, components });
  };
  const found = (catalogue: Catalogue, status: number, headers: HeaderPairs): string[] => {
    const request = { method: "GET", target: "/v1/things", headers: [], body: new Uint8Array() };
    const response = { status, headers, body: new Uint8Array() };
    const at = { source: "", exchange: 0 };
    const options = { names: namesFrom(), policy: lenient };
    return judge({ request, response }, at, catalogue, options).findings.map(({ clause, in: place }) => {
      expect(place).toBe("headers");
      return clause.replace("things.", "");
    });
  };

  test("are judged by what their texts stand for, for the statuses that they are described of", async () => {
    const catalogue = await open(
      {
        ...ofReply("200", {
          "X-Request-Id": { required: true, schema: { type: "string", pattern: "^req_" } },
          "X-Left": { $ref: "#/components/headers/Left" },
          "X-Cached": { schema: { type: "boolean" } },
          "Content-Type": { required: true, schema: { enum: ["never/judged"] } },
        }),
        ...ofReply("4XX", { "Retry-After": { required: true, schema: { type: "integer", minimum: 1 } } }),
        ...ofReply("404", {}),
      },
      { headers: { Left: { schema: { type: "integer", minimum: 0 } } } },
    );
    expect(
      found(catalogue, 200, [
        ["x-request-id", "req_1"],
        ["X-LEFT", "007"],
        ["x-cached", "True"],
      ]),
    ).toEqual([]);
    expect(
      found(catalogue, 200, [
        ["x-request-id", "[redacted]"],
        ["x-left", "[redacted]"],
      ]),
    ).toEqual([]);
    expect(
      found(catalogue, 200, [
        ["x-left", "-1"],
        ["x-cached", "yes"],
      ]),
    ).toEqual([
      "response.header-x-cached-type",
      "response.header-x-left-minimum",
      "response.header-x-request-id-required",
    ]);
    expect(found(catalogue, 429, [["retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"]])).toEqual([
      "error.4xx-header-retry-after-type",
    ]);
    for (const status of [404, 500, 301]) expect(found(catalogue, status, []), String(status)).toEqual([]);
    expect((await proofOf(catalogue)).gaps).toEqual([]);
  });

  test("that are lists are read between commas", async () => {
    const ids = { type: "array", items: { type: "integer" }, maxItems: 2 };
    const catalogue = await open(ofReply("200", { "X-Ids": { schema: ids } }));
    expect(found(catalogue, 200, [["x-ids", "1, 2"]])).toEqual([]);
    expect(found(catalogue, 200, [["x-ids", "a"]])).toEqual(["response.header-x-ids-items-type"]);
    expect(found(catalogue, 200, [["x-ids", "1,2,3"]])).toEqual(["response.header-x-ids-max-items"]);
    expect((await proofOf(catalogue)).gaps).toEqual([]);
  });
});
