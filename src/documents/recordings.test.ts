/** Recordings in a folder of documents: what proves clauses, what a run sends, and what the reference answers. */
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import type { CassetteHeader, Recorded } from "../cassette/format.ts";
import { formatCassette } from "../cassette/write.ts";
import { run, serve } from "../index.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { documentOf, folderOf, proofOf } from "./documents.test-kit.ts";

const order = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
/** No value that is made matches: what has to be is nowhere said. */
const secretive = { type: "string", pattern: "^(?=.*7)(?=.*q)[a-z0-9]{5}$" };
const thing = { type: "object", required: ["id"], properties: { id: { type: "string" }, code: secretive } };

const asked = jsonRequest("/v1/things", [], { name: "n" });
const cassette = (header: CassetteHeader, ...exchanges: Recorded[]): string => formatCassette({ header, exchanges });
const folder = (recordings: Readonly<Record<string, string>>): string =>
  folderOf({
    "interface.json": { name: "things", openapi: "api.json" },
    "api.json": documentOf(order, thing),
    ...Object.fromEntries(Object.entries(recordings).map(([name, text]) => [`recordings/${name}`, text])),
  });

const reply = jsonResponse({ id: "i", code: "abc7q" });
const zipped = {
  ...reply,
  headers: [...reply.headers, ["content-encoding", "gzip"] as const],
  body: gzipSync(reply.body),
};

test("a passing recording proves what no made value shows, also where its reply is compressed", async () => {
  const gaps = async (recordings: Readonly<Record<string, string>>): Promise<string[]> =>
    (await proofOf(await openCatalogue([folder(recordings)]))).gaps.map(({ clause }) => clause);
  expect(await gaps({})).toEqual(["things.response.code-pattern", "things.response.code-type"]);
  expect(await gaps({ "own.json": cassette({}, { exchange: { request: asked, response: reply } }) })).toEqual([]);
  expect(await gaps({ "a/b.json": cassette({}, { exchange: { request: asked, response: zipped } }) })).toEqual([]);
});

test("a recording that breaks its document is told, and proves nothing", async () => {
  const exchange = { request: asked, response: jsonResponse({ id: 1 }) };
  const catalogue = await openCatalogue([folder({ "own.json": cassette({}, { exchange }) })]);
  const { left, exchanges } = await catalogue.examples();
  expect(left).toEqual([
    expect.stringMatching(/own\.json #0 breaks things\.response\.id-type: nothing is proven on it$/),
  ]);
  expect(exchanges["things"]!.some(({ recorded }) => recorded)).toBe(false);
});

test("a run sends recordings whole, and the reference answers them as they were answered", async () => {
  const documents = [
    folder({ "good/own.json": cassette({ title: "T" }, { exchange: { request: asked, response: reply } }) }),
  ];
  const server = await serve({ documents });
  onTestFinished(() => server.close());
  const answer = await fetch(`${server.url}/v1/things`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "n" }),
  });
  expect(await answer.json()).toEqual({ id: "i", code: "abc7q" });
  const { plan, clauses } = await run(server.url, { documents });
  expect(plan.cassettes.map(({ source }) => source)).toContain("things/good/own.json");
  expect(clauses.filter(({ verdict }) => verdict === "fail")).toEqual([]);
});

test("a file there that is no cassette is one clear line", async () => {
  const catalogue = await openCatalogue([folder({ "own.json": "{}" })]);
  await expect(catalogue.examples()).rejects.toThrow(/own\.json: neither a cassette nor a HAR file/);
});
