/** The examples that a document gives of its requests: a run sends those that keep to their schema, and no others. */
import { expect, test } from "vitest";
import { ownRecordings } from "../run/plan/own-recordings.ts";
import { parseJsonBytes } from "../wire/json.ts";
import { documentOf, openDocument, proofOf } from "./documents.test-kit.ts";

const order = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, stream: { type: "boolean" } },
};

async function sentOf(media: object): Promise<unknown[]> {
  const document = documentOf(order);
  Object.assign(document.paths["/things"].post.requestBody.content["application/json"], media);
  const catalogue = await openDocument(document);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
  const recordings = await ownRecordings(catalogue, new Set());
  return recordings.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ exchange }) => {
      const body = parseJsonBytes(exchange.request.body);
      return body.ok ? [body.value] : [];
    }),
  );
}

const good = { name: "From the document" };

test.each<[string, object]>([
  ["one example", { example: good }],
  ["several examples", { examples: { first: { value: { name: 1 } }, second: { value: good } } }],
  ["an example that asks for a stream", { example: { ...good, stream: true } }],
])("a run sends %s of the document", async (_title, media) => {
  expect(await sentOf(media)).toContainEqual(expect.objectContaining(good));
});

test("an example that violates its schema is not sent", async () => {
  expect(await sentOf({ example: { name: 1 } })).not.toContainEqual({ name: 1 });
});

const jobs = (parameter: object) => ({
  openapi: "3.1.0",
  info: { title: "Jobs", version: "1" },
  paths: {
    "/jobs/{id}": {
      get: {
        parameters: [
          { name: "id", in: "path", required: true, schema: { $ref: "#/components/schemas/Id" }, ...parameter },
          { name: "part", in: "query", schema: { type: "integer" }, example: 7 },
        ],
        responses: {
          200: { description: "OK", content: { "application/json": { schema: { type: "object" } } } },
        },
      },
    },
  },
  components: { schemas: { Id: { type: "string", pattern: "^j\\d+$" } } },
});

async function targetsOf(parameter: object): Promise<Set<string>> {
  const recordings = await ownRecordings(await openDocument(jobs(parameter)), new Set());
  return new Set(recordings.flatMap(({ exchanges }) => exchanges.map(({ exchange }) => exchange.request.target)));
}

test.each<[string, object]>([
  ["one example", { example: "j12" }],
  ["the first of several examples that keeps to the schema", { examples: { a: { value: "x" }, b: { value: "j12" } } }],
])("a run sends %s of a parameter", async (_title, parameter) => {
  expect(await targetsOf(parameter)).toEqual(new Set(["/jobs/j12", "/jobs/j12?part=7"]));
});

test("an example of a parameter that violates its schema is not sent, and is named", async () => {
  expect(await targetsOf({ example: "no job" })).not.toContain("/jobs/no%20job");
  const named = Object.values((await openDocument(jobs({ example: "no job" }))).contradictions?.() ?? {}).flat();
  expect(named.map(({ place }) => place)).toEqual(["/paths/~1jobs~1{id}/get/parameters/0/example"]);
});
