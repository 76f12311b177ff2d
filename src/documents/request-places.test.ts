/** Key, model and streams of a folder: a run puts its own where `interface.json` says, and probes of keys are sent. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { formatCassette } from "../cassette/write.ts";
import { run, serve } from "../index.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { modelOf, withModel } from "../interfaces/model.ts";
import { jsonRequest, jsonResponse, sseEvent, streamResponse } from "../wire/build.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import { documentOf, errorsIn, folderOf, ownClauses, proofOf } from "./documents.test-kit.ts";

const description = {
  name: "answers",
  operations: [
    {
      name: "POST /v2/models/{model}:answer",
      schemas: { request: "ask.schema.json", response: "reply.schema.json", event: "reply.schema.json" },
    },
  ],
  key: { header: "X-Things-Key" },
  model: { path: "model" },
  stream: { body: "/options/stream", end: "END" },
};
const clause = (name: string, on: string) => ({ name, at: "Body", says: "It is a text.", on, level: "must" });
const text = (id: string) => ({ type: "string", clause: { type: id } });
const target = "/v2/models/answer-1:answer";
const ask = (body: object): WireRequest => jsonRequest(target, [["x-things-key", "[redacted]"]], body);
const exchanges: Exchange[] = [
  { request: ask({ input: "a" }), response: jsonResponse({ output: "b" }) },
  {
    request: ask({ input: "a", options: { stream: true } }),
    response: streamResponse([sseEvent({ output: "b" }), sseEvent("END")]),
  },
];
const folder = (own: object = description): string =>
  folderOf({
    "interface.json": own,
    "body.clauses.json": { document: "answers", clauses: [clause("input", "request"), clause("output", "response")] },
    "ask.schema.json": { properties: { input: text("answers.body.input") } },
    "reply.schema.json": { properties: { output: text("answers.body.output") } },
    "recordings/both.json": formatCassette({ header: {}, exchanges: exchanges.map((exchange) => ({ exchange })) }),
  });

/** A server that keeps what it was asked, and answers like the recordings where the key is right. */
async function started() {
  const asked: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url!, headers: request.headers });
    const isKnown = request.headers["x-things-key"] === "right-key";
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    request.resume().on("end", () => response.end(JSON.stringify(isKnown ? { output: "b" } : { error: "no key" })));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("a run puts its key and model where the folder says, and shows that a wrong key and none are refused", async () => {
  const { asked, url } = await started();
  const { clauses } = await run(url, { documents: [folder()], key: ["right-key"], model: ["answers=own-model"] });
  expect(asked.length).toBeGreaterThan(3);
  expect(new Set(asked.map((one) => one.url))).toEqual(new Set(["/v2/models/own-model:answer"]));
  expect(new Set(asked.map(({ headers }) => headers["x-things-key"]))).toEqual(
    new Set(["right-key", "wrong-key", undefined]),
  );
  const verdicts = Object.fromEntries(clauses.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toMatchObject({ "answers.auth.key-present": "pass", "answers.auth.unknown-key": "pass" });
});

test("the reference streams where the folder says that a request asks for it, and refuses a wrong key", async () => {
  const { url, close } = await serve({ documents: [folder()] });
  onTestFinished(close);
  const post = (key: string, body: object) =>
    fetch(url + target, { method: "POST", headers: { "x-things-key": key }, body: JSON.stringify(body) });
  expect(await (await post("k", { input: "x", options: { stream: true } })).text()).toContain("data: END");
  expect(await (await post("k", { input: "x", stream: true })).json()).toEqual({ output: "b" });
  expect((await post("wrong-key", { input: "x" })).status).toBe(401);
});

test("the key of a folder is proven; one that is optional, or has clauses of its own, adds none", async () => {
  const catalogue = await openCatalogue([folder()]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
  expect(errorsIn(catalogue, { input: "a" }, undefined, target)).toEqual(["answers.auth.key-present"]);
  const ids = async (own: string) => ownClauses(await openCatalogue([own])).map(({ id }) => id);
  const without = ["answers.body.input", "answers.body.output"];
  expect(await ids(folder({ ...description, key: { header: "k", optional: true } }))).toEqual(without);
});

test("derived examples carry the key where the folder says, and ask for streams by its member", async () => {
  const document = documentOf({
    type: "object",
    properties: { options: { type: "object", properties: { stream: { type: "boolean" } } } },
  });
  const responses = document.paths["/things"].post.responses as Record<string, { content: object }>;
  responses[200]!.content = {
    "application/json": { schema: { type: "object" } },
    "text/event-stream": { schema: { type: "object" } },
  };
  const { name: _name, ...places } = { ...description, operations: ["makeThing"], key: { query: "k" } };
  const own = folderOf({
    "interface.json": { name: "things", openapi: "api.json", ...places, model: { body: "/options/model" } },
    "api.json": document,
  });
  const catalogue = await openCatalogue([own]);
  const { things = [] } = (await catalogue.examples()).exchanges;
  expect(things.every(({ exchange }) => exchange.request.target === "/v1/things?k=a-key")).toBe(true);
  const asking = things.filter(({ name }) => name.includes("stream"));
  expect(asking.map(({ exchange }) => JSON.parse(Buffer.from(exchange.request.body).toString()))).toContainEqual({
    options: { stream: true },
  });
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("a model is read and replaced at its pointer, in the path, and nowhere else", () => {
  const place = { body: "/options/model" };
  const request = jsonRequest("/v1/things", [], { model: "a", options: { model: "b" } });
  expect(modelOf(request, place)).toBe("b");
  expect(JSON.parse(Buffer.from(withModel(request, "c", place).body).toString())).toEqual({
    model: "a",
    options: { model: "c" },
  });
  expect(modelOf(jsonRequest("/v1/things", [], { model: "a" }), place)).toBeUndefined();
});

test("a parameter that no path has, and a schema file that is not there, are told by member and file", async () => {
  await expect(openCatalogue([folder({ ...description, model: { path: "id" } })])).rejects.toThrow(
    /interface\.json: "model\.path" is id, which is no parameter/,
  );
  const operations = [{ name: "POST /v2/answers", schemas: { error: "gone.schema.json" } }];
  await expect(openCatalogue([folder({ ...description, operations, model: { body: "/m" } })])).rejects.toThrow(
    /"operations\[0\]\.schemas\.error" is gone\.schema\.json, which is not in the folder/,
  );
});
