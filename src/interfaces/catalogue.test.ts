/** Users' own documents beside those that ship with touchstone: whose a request is, by what it is judged, and what is replaced. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { describedIn } from "../documents/folder.test-kit.ts";
import { jsonRequest } from "../wire/build.ts";
import { openCatalogue } from "./catalogue.ts";
import { openClauses } from "./open-clauses.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-documents-"));
afterAll(() => rmSync(folder, { recursive: true }));

const embeddings = describedIn(folder, "embeddings", "POST /v1/embeddings", "input");
const messages = describedIn(folder, "messages", "POST /v1/messages", "model");
const shipped = await openCatalogue();

const clausesFoundIn = async (documents: readonly string[], path: string, body: object): Promise<string[]> => {
  const exchange = { request: jsonRequest(path, [], body), response: null };
  const catalogue = await openCatalogue(documents);
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
  return findings.map(({ clause }) => clause);
};

test("an interface of one's own is judged by its clauses, and the others are as they were", async () => {
  const faulty = { model: 3, messages: [] };
  expect(await clausesFoundIn([embeddings], "/v1/embeddings", { input: 3 })).toEqual(["embeddings.request.input-type"]);
  expect(await clausesFoundIn([], "/v1/embeddings", { input: 3 })).toEqual([]);
  expect(await clausesFoundIn([embeddings], "/v1/messages", faulty)).toEqual(
    await clausesFoundIn([], "/v1/messages", faulty),
  );
});

test("an interface of one's own takes the place of one of its name, with all of its clauses", async () => {
  const catalogue = await openCatalogue([messages]);
  expect(catalogue.clauses.filter((clause) => clause.interface === "messages").map(({ id }) => id)).toEqual([
    "messages.request.model-type",
  ]);
  expect(catalogue.interfaces.filter(({ name }) => name === "messages")).toHaveLength(1);
  expect(await clausesFoundIn([messages], "/v1/messages", { model: 3 })).toEqual(["messages.request.model-type"]);
  expect((await catalogue.examples()).exchanges["messages"]).toBeUndefined();
});

test("an operation of one's own counts before a shipped one of its path", async () => {
  const chat = describedIn(folder, "our-chat", "POST /v1/chat/completions", "model");
  const { interfaces } = await openCatalogue([chat]);
  expect(routeOf(interfaces, "POST", "/v1/chat/completions")?.interface.name).toBe("our-chat");
  expect(routeOf(shipped.interfaces, "POST", "/v1/chat/completions")?.interface.name).toBe("chat-completions");
});

test("the interfaces that are one's own, and the digests of their documents, are known without a rule or validator", async () => {
  const { own, digests, clauses } = await openClauses([embeddings]);
  expect([...own]).toEqual(["embeddings"]);
  const { "our embeddings": digest, ...others } = digests();
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(others).toEqual(shipped.digests());
  expect(clauses).toEqual((await openCatalogue([embeddings])).clauses);
});

test.each([
  ["a missing folder", join(folder, "nowhere"), "there is no such file or folder"],
  ["an interface without a name", "nameless", '"name" is missing'],
  ["a schema whose keyword has no clause", "unowned", "nobody owns type"],
])("%s is told in one line", async (_what, name, says) => {
  const at = name === "nameless" || name === "unowned" ? describedIn(folder, name, "POST /x", "x") : name;
  if (name === "nameless") writeFileSync(join(at, "interface.json"), "{}");
  if (name === "unowned") writeFileSync(join(at, "request.schema.json"), JSON.stringify({ type: "object" }));
  await expect(openCatalogue([at])).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringContaining(says),
    remedy: expect.any(String),
  });
});
