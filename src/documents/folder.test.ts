/** Folders and files of documents: operations that are chosen, clauses that are written, contradictions, and complaints of one line. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { documentOf, errorsIn, folderOf, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";
import { openDocuments } from "./documents.ts";
import { startFolder, writeClauses } from "./write.ts";

const text = { type: "string" };
const simple = documentOf({
  type: "object",
  required: ["input"],
  properties: { input: { type: "string", maxLength: 9 } },
});
const clauseIds = async (path: string): Promise<string[]> =>
  ownClauses(await openCatalogue([path])).map(({ id }) => id);

test("clauses that are written out are the same when they are read again, and one that is edited counts instead", async () => {
  const folder = folderOf({ "interface.json": { name: "things", openapi: "api.json" }, "api.json": simple });
  const before = await clauseIds(folder);
  await writeClauses([folder]);
  expect(await clauseIds(folder)).toEqual(before);
  const file = join(folder, "request.clauses.json");
  const content = JSON.parse(readFileSync(file, "utf8"));
  const edited = content.clauses.map((one: { name: string }) =>
    one.name === "input-max-length" ? { ...one, name: "short", level: "should" } : one,
  );
  writeFileSync(file, JSON.stringify({ ...content, clauses: edited }));
  const catalogue = await openCatalogue([folder]);
  expect(ownClauses(catalogue).map(({ id }) => id)).toContain("things.request.short");
  expect(ownClauses(catalogue).map(({ id }) => id)).not.toContain("things.request.input-max-length");
  expect(errorsIn(catalogue, { input: "longer than nine" })).toEqual([]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test.each([
  ["level", "warning", "Write one of must, should, may."],
  ["on", "reply", "Write one of request, response, stream, exchange, error."],
])("a written clause with an unknown %s is refused", async (member, word, remedy) => {
  const clause = { name: "short", at: "Request", says: "It is short.", on: "request", level: "must", [member]: word };
  const folder = folderOf({
    "interface.json": { name: "things", openapi: "api.json" },
    "api.json": simple,
    "request.clauses.json": { document: "Things", clauses: [clause] },
  });
  await expect(openCatalogue([folder])).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringContaining(`request.clauses.json: the clause short has "${word}" as its "${member}"`),
    remedy,
  });
});

test("a folder is started with a copy of the document and the operations that are asked for", async () => {
  const source = join(folderOf({ "api.json": simple }), "api.json");
  const folder = join(folderOf({ x: "" }), "own");
  expect(await startFolder(folder, source, ["POST /v1/things"])).toEqual(new Map([["things", folder]]));
  expect(await clauseIds(folder)).toContain("things.request.input-required");
  await expect(startFolder(folder, source, [])).rejects.toMatchObject({ name: "UserError" });
  await expect(startFolder(`${folder}2`, source, ["POST /nothing"])).rejects.toThrow("has no operation POST /nothing");
});

test("a folder for a document with several tags has the clauses of the document alone", async () => {
  const { paths, ...rest } = simple;
  const { post } = paths["/things"];
  const named = { ...post, operationId: "nameThing", tags: ["Names", "Things"] };
  const plain = { ...post, operationId: undefined, tags: [] };
  const several = { ...rest, paths: { ...paths, "/things/{id}/name": { post: named }, "/others": { post: plain } } };
  const source = join(folderOf({ "api.json": several }), "api.json");
  const folder = join(folderOf({ x: "" }), "own");
  const started = await startFolder(folder, source, []);
  expect([...started]).toEqual(["things", "names", "others"].map((name) => [name, join(folder, name)]));
  const alone = await clauseIds(source);
  expect(alone.length).toBeGreaterThan(10);
  expect((await clauseIds(folder)).sort()).toEqual(alone.sort());
  expect(await writeClauses([folder])).toContain(join(folder, "names", "request.clauses.json"));
  expect((await clauseIds(folder)).sort()).toEqual(alone);
  expect(await clauseIds(join(folder, "names"))).toEqual(alone.filter((id) => id.startsWith("names.")));
  await expect(startFolder(folder, source, ["makeThing"])).rejects.toThrow("is there already");
});

test("two operations that a fragment tells apart are one, with a whole reply and a stream", async () => {
  const { paths, ...rest } = documentOf(
    { type: "object" },
    { type: "object", required: ["whole"], properties: { whole: text } },
  );
  const event = { type: "object", properties: { event: text, data: { type: "object", properties: { piece: text } } } };
  const streamed = {
    ...paths["/things"].post,
    operationId: "streamThing",
    responses: { 200: { description: "OK", content: { "text/event-stream": { schema: event } } } },
  };
  const catalogue = await openDocument({ ...rest, paths: { ...paths, "/things#stream": { post: streamed } } });
  expect(catalogue.interfaces[0]?.operations.map(({ name }) => name)).toEqual(["POST /v1/things"]);
  expect(ownClauses(catalogue).map(({ id }) => id)).toEqual(
    expect.arrayContaining(["things.response.whole-type", "things.stream.piece-type"]),
  );
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("what a document says against itself is named, with its place", async () => {
  const schema = {
    type: "object",
    required: ["ghost"],
    properties: {
      n: { type: "integer", default: "none" },
      gone: { $ref: "#/components/schemas/Gone" },
      none: { oneOf: [] },
      kind: {
        oneOf: [{ type: "object" }, { type: "string" }],
        discriminator: { propertyName: "k", mapping: { a: "Lost" } },
      },
    },
  };
  const file = join(folderOf({ "api.json": documentOf(schema) }), "api.json");
  const { contradictions } = await openDocuments([file]);
  expect(
    contradictions["things"]!.map(({ place, says }) => `${place.replace(/.*schema\//, "")}: ${says}`).sort(),
  ).toEqual([
    "properties/gone/$ref: It refers to #/components/schemas/Gone, which is not in this document.",
    'properties/kind/discriminator/mapping/a: It maps "a" to Lost, which is not in this document.',
    'properties/n/default: This default violates its schema: "none" is no integer.',
    "properties/none/oneOf: It lists no alternative, so that nothing can be valid.",
    'required/0: It demands "ghost", which nothing describes.',
  ]);
});

test("a request is for the longest path that fits, whatever stands before it", async () => {
  const get = (operationId: string) => ({
    get: { operationId, tags: ["Files"], responses: { 200: { description: "OK" } } },
  });
  const paths = { "/files/{id}": get("one"), "/stores/{store}/files/{id}": get("other"), "/files/all": get("all") };
  const catalogue = await openDocument({ ...simple, paths });
  const found = (path: string) => catalogue.interfaces[0]!.operations.find(({ at }) => at(path) >= 0)?.name;
  expect(found("/v1/files/x")).toBe("GET /v1/files/{id}");
  expect(found("/v1/files/all")).toBe("GET /v1/files/all");
  expect(found("/gateway/v1/stores/s/files/x")).toBe("GET /v1/stores/{store}/files/{id}");
  expect(found("/v1/other/x")).toBeUndefined();
});

test.each([
  ["{", "is not JSON"],
  ["a: [", "is not YAML"],
  ["[1]", "is no OpenAPI document"],
  ['{"swagger": "2.0"}', "of version 2.0"],
  ['{"openapi": "3.1.0", "paths": {}}', "describes no operation"],
  ["&a [*a, *a]", "is no OpenAPI document"],
  ["openapi: 3.0.0\npaths:\n\t/a: {}", "is not YAML: Tabs are not allowed as indentation at line 3, column 1"],
  ["openapi: 3.0.0\n---\nopenapi: 3.0.0", "holds several YAML documents"],
  ["\u0000o\u0000p", "is no text in UTF-8"],
  ["openapi: 4.0.0", 'has no "openapi" of version 3'],
])("a file with %s is told in one line", async (content, what) => {
  const file = join(folderOf({ "api.yaml": content }), "api.yaml");
  await expect(openDocuments([file])).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringContaining(what),
  });
});

test.each<[text: string, name: string, says: string]>([
  [
    "openapi: 3.1.0\npaths:\n  /things:\n    get:\n      operationId: a\n      operationId: b\n      responses: {}\n",
    "api.yaml",
    "Its key stands twice in one object, again in line 6: the last one counts.",
  ],
  [
    '{"openapi":"3.1.0","paths":{"/things":{"get":{"operationId":"a","operationId":"b","responses":{}}}}}',
    "api.json",
    "Its key stands twice in one object: the last one counts.",
  ],
])("a key that stands twice is named, and the last one counts", async (text, name, says) => {
  const file = join(folderOf({ [name]: text }), name);
  const { contradictions } = await openDocuments([file]);
  expect(contradictions).toEqual({ things: [{ place: "/paths/~1things/get/operationId", says }] });
});
