/** Streams of JSON lines: each line is an event, judged by the schema of the media type. */
import { describe, expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { jsonRequest, utf8 } from "../wire/build.ts";
import { documentOf, openDocument, proofOf } from "./documents.test-kit.ts";

const line = { type: "object", required: ["done"], properties: { done: { type: "boolean" } } };

function catalogueOf(type: string, media: object) {
  const document = documentOf({ type: "object" });
  const content = { "application/json": { schema: { type: "object" } }, [type]: media };
  const { post } = document.paths["/things"];
  return openDocument({
    ...document,
    paths: { "/things": { post: { ...post, responses: { 200: { description: "", content } } } } },
  });
}

async function findingsIn(type: string, body: string | Uint8Array, media: object = { schema: line }) {
  const exchange = {
    request: jsonRequest("/v1/things", [], {}),
    response: {
      status: 200,
      headers: [["content-type", type]] as [string, string][],
      body: typeof body === "string" ? utf8(body) : body,
    },
  };
  const catalogue = await catalogueOf(type, media);
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
  return findings.filter(({ level }) => level === "error").map(({ event, pointer }) => [event, pointer]);
}

const ndjson = "application/x-ndjson";

describe.each([ndjson, "application/jsonl", "application/json-seq"])("%s", (type) => {
  const mark = type === "application/json-seq" ? "\x1e" : "";
  const bodyOf = (...lines: string[]): string => lines.map((one) => `${mark}${one}\n`).join("");

  test("locates a violation by event and pointer", async () => {
    expect(await findingsIn(type, bodyOf('{"done":false}', '{"done":"yes"}', '{"done":true}'))).toEqual([[1, "/done"]]);
    expect(await findingsIn(type, bodyOf('{"done":1}'))).toEqual([[0, "/done"]]);
  });

  test("judges lines by itemSchema, too", async () => {
    expect(await findingsIn(type, bodyOf('{"done":1}'), { itemSchema: line })).toEqual([[0, "/done"]]);
  });

  test("has counterexamples for all clauses", async () => {
    expect((await proofOf(await catalogueOf(type, { schema: line }))).gaps).toEqual([]);
  });
});

test("blank lines, CR LF and a last line without an end are allowed", async () => {
  expect(await findingsIn(ndjson, '{"done":false}\r\n\r\n\n{"done":true}')).toEqual([]);
});

test("the torn last line of a response is not judged", async () => {
  expect(await findingsIn(ndjson, '{"done":1}\n{"done":"y')).toEqual([[0, "/done"]]);
});
