/** A request lacks its body, or has it in a media type that the document does not describe: told where nothing else can be meant. */
import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { groundOf } from "../prove/ground.ts";
import { probesOf } from "../prove/probes.ts";
import { utf8 } from "../wire/build.ts";
import type { Exchange } from "../wire/exchange.ts";
import { openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const json = "application/json";
const urlencoded = "application/x-www-form-urlencoded";
const present = "body-present";
const media = "body-media-type";

const documentOf = (types: readonly string[], required = true, method = "post") => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const operation = { requestBody: { required, content }, responses: { 200: { description: "OK" } } };
  return { openapi: "3.1.0", info: { title: "T", version: "1" }, paths: { "/things": { [method]: operation } } };
};

async function found(document: unknown, type: string | undefined, text: string, more: Partial<Exchange> = {}) {
  const catalogue = await openDocument(document);
  const headers: [string, string][] = type === undefined ? [] : [["Content-Type", type]];
  const request = { method: "POST", target: "/things", headers, body: utf8(text) };
  const exchange = { request, response: null, ...more };
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
  return findings.map(({ clause }) => clause.replace("things.request.", ""));
}

test.each<[what: string, types: readonly string[], type: string | undefined, body: string, clauses: readonly string[]]>(
  [
    ["no body", [json], json, "", [present]],
    ["no body and no type", [json], undefined, "", [present]],
    ["JSON", [json], "application/json; charset=utf-8", "{}", []],
    ["JSON under the name of a form, as of curl", [json], urlencoded, "{}", []],
    ["JSON without a name", [json], undefined, "{}", []],
    ["JSON of a vendor", [json], "application/vnd.api+json", "{}", []],
    ["XML", [json], "application/xml", "<a/>", [media]],
    ["a form", [json], urlencoded, "a=b", [media]],
    ["bytes of any kind", [json], "application/octet-stream", "x", []],
    ["an empty form", [urlencoded], urlencoded, "", []],
    ["one kind of form for another", [urlencoded], "multipart/form-data; boundary=x", "--x--\r\n", []],
    ["JSON for a form", [urlencoded], json, "{}", [media]],
    ["anything where all is taken", ["*/*", json], "application/xml", "<a/>", []],
    ["anything where texts are taken", ["text/plain", json], "application/xml", "<a/>", []],
    ["a picture of another kind", ["image/png"], "image/jpeg", "x", []],
    ["one of two", [json, "application/xml"], "text/xml", "<a/>", []],
  ],
)("%s", async (_what, types, type, body, clauses) => {
  expect(await found(documentOf(types), type, body)).toEqual(clauses);
});

test("a body that may be left out, that a method rarely has, or that a format or an end cut off, is not missed", async () => {
  expect(await found(documentOf([json], false), json, "")).toEqual([]);
  expect(await found(documentOf([json]), json, "", { imported: "HAR" })).toEqual([]);
  expect(await found(documentOf([json]), json, "", { aborted: "client" })).toEqual([]);
  const ids = ownClauses(await openDocument(documentOf([json], true, "delete"))).map(({ id }) => id);
  expect(ids).not.toContain(`things.request.${present}`);
});

test.each([[[json]], [["multipart/form-data"]], [[json, "application/xml"]]])(
  "%j are proven, and probed",
  async (types) => {
    const catalogue = await openDocument(documentOf(types));
    expect((await proofOf(catalogue)).gaps).toEqual([]);
    const { probes } = probesOf(catalogue, await groundOf(catalogue), catalogue.own);
    const beyond = probes.filter(({ kind }) => kind === "beyond").map(({ clause }) => clause);
    expect(beyond).toEqual(expect.arrayContaining([present, media].map((one) => `things.request.${one}`)));
  },
);

test("operations that share a body share its clauses", async () => {
  const document = documentOf([json]);
  const { requestBody, responses } = document.paths["/things"]!["post"]!;
  const operation = { tags: ["things"], requestBody: { $ref: "#/components/requestBodies/Thing" }, responses };
  const paths = { "/things": { post: operation }, "/others": { post: operation } };
  const catalogue = await openDocument({ ...document, paths, components: { requestBodies: { Thing: requestBody } } });
  const ids = ownClauses(catalogue).map(({ id }) => id);
  expect(ids.filter((id) => id.includes("present"))).toEqual(["things.request.post-things-body-present"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});
