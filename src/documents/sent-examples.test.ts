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
