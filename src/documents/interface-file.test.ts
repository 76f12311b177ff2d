/** Members of `interface.json`: those that are read, and one clear line for each that cannot be. The schema for editors agrees. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { home } from "../home.ts";
import { descriptionIn } from "./interface-file.ts";

const validate = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(join(home, "schemas", "formats", "interface.schema.json"), "utf8")),
);
const byHand = { name: "things", operations: [{ name: "POST /v1/things" }] };

test.each([
  [{ name: "things", openapi: "api.yaml" }],
  [{ name: "things", openapi: "api.yaml", operations: ["makeThing"], document: "Our API", $schema: "x.json" }],
  [{ name: "things", openapi: { file: "api.yaml", operations: ["POST /things"] }, "x-owner": "us" }],
  [{ name: "t", operations: [{ name: "POST /a/{b}", schemas: { request: "a.schema.json", event: "b.schema.json" } }] }],
  [{ ...byHand, key: { header: "X-Api-Key", otherHeaders: ["Authorization"], optional: true } }],
  [{ ...byHand, key: { query: "key" } }],
  [{ ...byHand, key: { cookie: "session", optional: true } }],
  [{ ...byHand, model: { body: "/options/model", path: "model" }, stream: { body: "/options/stream", end: "END" } }],
  [{ ...byHand, stream: { path: ":stream" }, extensions: ":" }],
])("%j is read, and passes its schema", (content) => {
  expect(descriptionIn(content, "interface.json")).toMatchObject({ name: content.name });
  expect(validate(content), JSON.stringify(validate.errors)).toBe(true);
});

test.each<[unknown, RegExp]>([
  [[], /^f is not a JSON object$/],
  [{}, /^f: "name" is missing$/],
  [{ name: 5, openapi: "a" }, /^f: "name" is no name of an interface$/],
  [{ name: "Things", openapi: "a" }, /"name" is no name/],
  [{ name: "t" }, /"operations" is missing, and so is "openapi"/],
  [{ name: "t", operations: [] }, /"operations" is no list of operations/],
  [{ ...byHand, extensions: true }, /"extensions" is no text that separates names/],
  [{ name: "t", operations: ["POST /a"] }, /"operations\[0\]" is no object/],
  [{ name: "t", operations: [{ name: "post /a" }] }, /"operations\[0\]\.name" is no method and path/],
  [{ name: "t", operations: [{ name: "GET /a", schemas: { body: "a.schema.json" } }] }, /schemas\.body" is no member/],
  [{ name: "t", operations: [{ name: "GET /a", schemas: { request: "../a.schema.json" } }] }, /request" names no/],
  [{ name: "t", operations: [{ name: "GET /a" }, { name: "GET /b", schema: {} }] }, /"operations\[1\]\.schema" is no/],
  [{ name: "t", openapi: 5 }, /"openapi" names no file/],
  [{ name: "t", openapi: { file: "a", operations: [] } }, /"openapi.operations" is no list of names/],
  [{ name: "t", openapi: "a", document: "" }, /"document" is no name/],
  [{ ...byHand, modle: {} }, /"modle" is no member that is read/],
  [{ ...byHand, key: "x-api-key" }, /"key" is no object/],
  [{ ...byHand, key: {} }, /"key" has to have one of/],
  [{ ...byHand, key: { header: "a", query: "b" } }, /"key" has to have one of/],
  [{ ...byHand, key: { header: "a", cookie: "b" } }, /"key" has to have one of/],
  [{ ...byHand, key: { header: "x api key" } }, /"key.header" is no name of a header/],
  [{ ...byHand, key: { cookie: "a;b" } }, /"key.cookie" is no name of a cookie/],
  [{ ...byHand, key: { query: "k", optional: "yes" } }, /"key.optional" is neither/],
  [{ ...byHand, key: { header: "k", otherHeaders: "a" } }, /"key.otherHeaders" is no list/],
  [{ ...byHand, model: {} }, /"model" has neither/],
  [{ ...byHand, model: { body: "model" } }, /"model.body" is no JSON Pointer/],
  [{ ...byHand, model: { path: "{model}" } }, /"model.path" is no name of a parameter/],
  [{ ...byHand, stream: true }, /"stream" is no object/],
  [{ ...byHand, stream: { member: "/s" } }, /"stream.member" is no member that is read/],
  [{ ...byHand, stream: { end: "" } }, /"stream.end" is no text/],
])("%j is refused in one line, and by its schema", (content, what) => {
  let refused: unknown;
  try {
    descriptionIn(content, "f");
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject({ name: "UserError", message: expect.stringMatching(what) });
  expect((refused as Error).message).not.toContain("\n");
  expect(validate(content)).toBe(false);
});

test("a member that is misspelt is told with the one that is meant, and an operation that stands twice by its name", () => {
  expect(() => descriptionIn({ ...byHand, modle: {} }, "f")).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining("Did you mean model?") }),
  );
  const operations = [{ name: "GET /a" }, { name: "GET /a" }];
  expect(() => descriptionIn({ name: "t", operations }, "f")).toThrow('f: "operations" has GET /a twice');
});
