/** A clause that stands for several types or operations is worded for the one that was received. */

import { expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const text = { type: "string" };
const to = (name: string, kind = "schemas") => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: unknown) => ({ content: { "application/json": { schema } } });

/** A document with operations `POST /NAME`. */
const operations = (all: Readonly<Record<string, unknown>>, components: object) => ({
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  paths: Object.fromEntries(
    Object.entries(all).map(([name, operation]) => [
      `/${name}`,
      { post: { operationId: name, tags: ["Things"], ...(operation as object) } },
    ]),
  ),
  components,
});

/** The sentences of errors, without the place and the values. */
function sentences(catalogue: Catalogue, path: string, request: unknown, reply?: unknown, status = 200): string[] {
  const response = reply === undefined ? null : { ...jsonResponse(reply), status };
  const exchange = { request: jsonRequest(path, [], request), response };
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
  return findings.filter(({ level }) => level === "error").map(({ message }) => message.replace(/ In .*/s, ""));
}

test("names the type that was received if several extend one schema", async () => {
  const typed = (type: string) => ({
    allOf: [to("Event"), { type: "object", required: ["type"], properties: { type: { const: type } } }],
  });
  const catalogue = await openDocument(
    operations(
      { send: { requestBody: json({ oneOf: [to("Delta"), to("Done")] }), responses: {} } },
      {
        schemas: {
          Event: { type: "object", required: ["seq"], properties: { seq: { type: "integer" } } },
          Delta: typed("delta"),
          Done: typed("done"),
        },
      },
    ),
  );
  expect(sentences(catalogue, "/send", { type: "delta" })).toEqual(["`seq` of Delta is present."]);
  expect(sentences(catalogue, "/send", { type: "done" })).toEqual(["`seq` of Done is present."]);
  expect(sentences(catalogue, "/send", { type: "done", seq: "" })).toEqual(["`seq` of Done is an integer."]);
  const { says } = ownClauses(catalogue).find(({ id }) => id.endsWith("seq-required"))!;
  expect(says).toBe("`seq` of Event is present.");
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("names the member that was received if several refer to one schema", async () => {
  const catalogue = await openDocument(
    operations(
      {
        send: {
          requestBody: json({
            type: "object",
            properties: { a: to("Tags"), b: to("Tags"), c: { anyOf: [to("Tags"), text] } },
          }),
          responses: {},
        },
      },
      { schemas: { Tags: { type: "array", minItems: 1, items: text } } },
    ),
  );
  expect(sentences(catalogue, "/send", { a: 1 })).toEqual(["`a` is a list."]);
  expect(sentences(catalogue, "/send", { b: 1 })).toEqual(["`b` is a list."]);
  expect(ownClauses(catalogue).find(({ id }) => id.endsWith(".a-type"))?.says).toBe("Tags is a list.");
});

test("names a response that several operations share, and not the first of them", async () => {
  const problem = json({ type: "object", required: ["code"], properties: { code: text } });
  const responses = { 200: { description: "" }, default: to("Problem", "responses") };
  const catalogue = await openDocument(
    operations(
      { first: { responses }, second: { responses }, other: { responses: { ...responses, 400: json(to("Bad")) } } },
      {
        responses: { Problem: { description: "", ...problem } },
        schemas: { Bad: { type: "object", required: ["bad"], properties: { bad: text } } },
      },
    ),
  );
  const expected = ["`code` of the response Problem is present."];
  expect(sentences(catalogue, "/first", undefined, {}, 500)).toEqual(expected);
  expect(sentences(catalogue, "/second", undefined, {}, 500)).toEqual(expected);
  expect(ownClauses(catalogue).map(({ id }) => id)).toContain("things.error.problem-code-required");
});

test("has a clause for each member by which unions within one union are told apart", async () => {
  const kinds = (type: string, role: string) => ({
    type: "object",
    required: ["type", "role"],
    properties: { type: { const: type }, role: { const: role } },
  });
  const of = (type: string) => ({ type: "object", required: ["type"], properties: { type: { const: type } } });
  const catalogue = await openDocument(
    operations(
      {
        send: {
          requestBody: json({
            oneOf: [kinds("message", "user"), kinds("message", "system"), of("call"), of("output")],
          }),
          responses: {},
        },
      },
      {},
    ),
  );
  expect(sentences(catalogue, "/send", { type: "other" })).toEqual(['`type` is "message", "call" or "output".']);
  expect(sentences(catalogue, "/send", { type: "message", role: "other" })).toEqual(['`role` is "user" or "system".']);
  expect(sentences(catalogue, "/send", { type: "message" })).toEqual(["`role` is present."]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});
