/** Events that are not JSON are found where a document describes their data as anything but a text. */
import { describe, expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { jsonRequest, utf8 } from "../wire/build.ts";
import { documentOf, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const sse = "text/event-stream";
const ndjson = "application/x-ndjson";

function opened(type: string, schema: object) {
  const document = documentOf({ type: "object" });
  document.paths["/things"].post.responses = { 200: { description: "", content: { [type]: { schema } } } } as never;
  return openDocument(document);
}

/** Positions of events that are no JSON; null for the whole body. */
function found(catalogue: Catalogue, type: string, body: string): (number | null)[] {
  const exchange = {
    request: jsonRequest("/v1/things", [], {}),
    response: { status: 200, headers: [["content-type", type]] as [string, string][], body: utf8(body) },
  };
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
  return findings.filter(({ clause }) => clause === "things.stream.event-json").map(({ event }) => event);
}

const events = (...data: string[]): string => data.map((one) => `data: ${one}\n\n`).join("");

test.each([sse, ndjson])("a document of %s is proven", async (type) => {
  const catalogue = await opened(type, { type: "object", properties: { id: { type: "string" } } });
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

describe("server-sent events", () => {
  test("broken JSON and texts are found, ends of streams and events of other names are not", async () => {
    const catalogue = await opened(sse, { type: "object" });
    expect(found(catalogue, sse, events("{}", "{broken", "a text", "{}"))).toEqual([1, 2]);
    expect(found(catalogue, sse, events("{}", "[DONE]"))).toEqual([]);
    expect(found(catalogue, sse, events("{}", "[END]", "done"))).toEqual([]);
    expect(found(catalogue, sse, `: hello\n\nevent: ping\ndata: now\n\n${events("", "{}")}`)).toEqual([]);
    expect(found(catalogue, sse, `${events("{}")}data: {"a":`)).toEqual([]);
  });

  test("a page is no stream, an empty body and comments may be one", async () => {
    const catalogue = await opened(sse, { type: "object" });
    expect(found(catalogue, sse, "<html></html>")).toEqual([null]);
    expect(["", "\n", ": hello\n\n", "retry: 5\n\n"].map((body) => found(catalogue, sse, body))).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  test("a document that allows texts demands no JSON", async () => {
    for (const schema of [{ type: "string" }, {}, { type: ["object", "string"] }]) {
      const catalogue = await opened(sse, schema);
      expect(found(catalogue, sse, events("a text", "{}"))).toEqual([]);
      expect(ownClauses(catalogue).filter(({ id }) => id.endsWith("event-json"))).toEqual([]);
    }
  });
});

test("a line that is no JSON is found, and one that was cut off is not", async () => {
  const catalogue = await opened(ndjson, { type: "object" });
  expect(found(catalogue, ndjson, "{}\n{broken\n{}\n")).toEqual([1]);
  expect(found(catalogue, ndjson, "{}\n{broken")).toEqual([]);
});
