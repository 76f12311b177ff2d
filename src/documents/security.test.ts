/** Where keys of users' own interfaces stand: read from security schemes, and sent there by a run. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run, serve } from "../index.ts";
import { documentOf, folderOf } from "./documents.test-kit.ts";
import { keyOf } from "./security.ts";

const bearer = { type: "http", scheme: "bearer" };
const inHeader = { type: "apiKey", in: "header", name: "X-Api-Key" };
const inQuery = { type: "apiKey", in: "query", name: "key" };
const inCookie = { type: "apiKey", in: "cookie", name: "session" };

test.each([
  ["a bearer token", { a: bearer }, [{ a: [] }], { header: "authorization" }],
  ["a header", { a: inHeader }, [{ a: [] }], { header: "x-api-key" }],
  ["the query", { a: inQuery }, [{ a: [] }], { query: "key" }],
  ["the first that is no cookie", { a: inCookie, b: bearer }, [{ a: [] }, { b: [] }], { header: "authorization" }],
  ["nothing where none is demanded", { a: bearer }, undefined, undefined],
  ["nothing for a scheme that is described nowhere", {}, [{ toString: [] }], undefined],
])("%s is read", (_what, securitySchemes, security, expected) => {
  const root = { components: { securitySchemes }, paths: {}, ...(security && { security }) };
  expect(keyOf({ root })).toEqual(expected);
});

test.each([
  ["authorization", bearer, "Bearer my-key"],
  ["x-api-key", inHeader, "my-key"],
])("a run sends the key of its target in %s", async (header, scheme, expected) => {
  const document = {
    ...documentOf({ type: "object" }),
    security: [{ a: [] }],
    components: { securitySchemes: { a: scheme } },
  };
  const documents = [join(folderOf({ "openapi.json": document }), "openapi.json")];
  const server = await serve({ documents });
  onTestFinished(() => server.close());
  process.env["OWN_DOCUMENTS_KEY"] = "my-key";
  await run(server.url, { documents, key: ["$OWN_DOCUMENTS_KEY"], probes: false });
  const sent = server.requests.flatMap(({ headers }) => headers.filter(([name]) => name.toLowerCase() === header));
  expect(new Set(sent.map(([, value]) => value))).toEqual(new Set([expected]));
});
