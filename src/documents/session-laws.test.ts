/** Laws on sessions in folders of users: proven, and judged in recordings and in exchanges in memory. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { check, serve } from "../index.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { documentOf, folderOf, proofOf } from "./documents.test-kit.ts";

const text = { type: "string" };
const document = documentOf(
  { type: "object", required: ["text"], properties: { text, number: { type: "integer" } } },
  { type: "object", required: ["id"], properties: { id: text, said: { enum: ["yes", "no"] } } },
);
const law = { kind: "unique", of: { response: "/id" }, within: "session" };
const folderWith = (ofLaw: object) =>
  folderOf({
    "interface.json": { name: "things", openapi: "openapi.json" },
    "ids.clauses.json": {
      document: "Things",
      clauses: [{ name: "unique", at: "Ids", says: "Ids are not reused.", on: "exchange", level: "must", law: ofLaw }],
    },
    "openapi.json": document,
  });
const folder = folderWith(law);

const exchange = (asked: string, id: string, said: string) => ({
  request: jsonRequest("/v1/things", [], { text: asked }),
  response: jsonResponse({ id, said }),
});
const session = ["x1", "x2", "x1", "x3", "x2"].map((id, i) => exchange(`question ${i}`, id, i < 2 ? "yes" : "no"));

test("a law on sessions is proven on two exchanges", async () => {
  const { gaps, proven } = await proofOf(await openCatalogue([folder]));
  expect(gaps).toEqual([]);
  expect(proven).toContain("things.ids.unique");
});

test("exchanges in memory are judged together", async () => {
  const { findings, clauses, summary } = await check(session, { documents: [folder] });
  expect(findings.map((one) => `${one.exchange}${one.pointer}`)).toEqual(["2/id", "4/id"]);
  expect(findings[0]!.message).toContain("exchange 0, which is another response, has it too");
  expect(clauses.find(({ id }) => id === "things.ids.unique")).toMatchObject({ verdict: "fail", failed: 2 });
  expect(summary.errors).toBe(2);
});

test("a recording is judged together, from batch to batch and apart from others", async () => {
  const line = ({ request, response }: ReturnType<typeof exchange>) =>
    JSON.stringify({
      request: {
        method: "POST",
        target: request.target,
        headers: request.headers,
        body: { text: Buffer.from(request.body).toString() },
      },
      response: { status: 200, headers: response.headers, body: { text: Buffer.from(response.body).toString() } },
    });
  // More than a batch of exchanges, so that the last one is in another batch than the first one.
  const all = [
    ...Array.from({ length: 600 }, (_, i) => exchange(`q${i}`, `id-${i}`, "yes")),
    exchange("again", "id-0", "no"),
  ];
  const recording = folderOf({ "a.jsonl": "", "b.jsonl": "" });
  for (const name of ["a.jsonl", "b.jsonl"])
    writeFileSync(join(recording, name), [JSON.stringify({ touchstone: 1 }), ...all.map(line), ""].join("\n"));
  const { findings, clauses } = await check([join(recording, "a.jsonl"), join(recording, "b.jsonl")], {
    documents: [folder],
  });
  expect(findings.map((one) => [one.source.slice(-7), one.exchange])).toEqual([
    ["a.jsonl", 600],
    ["b.jsonl", 600],
  ]);
  expect(clauses.find(({ id }) => id === "things.ids.unique")).toMatchObject({ exercised: 1200, failed: 2 });
});

test("serve answers each request with an id of its own", async () => {
  const { url, close } = await serve({ documents: [folder] } as never);
  const idOf = async (asked: string): Promise<string> => {
    const body = JSON.stringify({ text: asked });
    const headers = { "content-type": "application/json" };
    return ((await (await fetch(`${url}/v1/things`, { method: "POST", headers, body })).json()) as { id: string }).id;
  };
  const ids = [await idOf("a"), await idOf("b"), await idOf("a")];
  await close();
  expect(new Set(ids).size).toBe(2);
  expect(ids[2]).toBe(ids[0]);
});

test("serve that breaks the law answers every request with the same id", async () => {
  const server = await serve({ documents: [folder], break: ["things.ids.unique"] });
  onTestFinished(server.close);
  const ids: string[] = [];
  for (const text of ["a", "b", "c"]) {
    const response = await fetch(`${server.url}/v1/things`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text }),
    });
    ids.push(((await response.json()) as { id: string }).id);
  }
  expect(new Set(ids).size).toBe(1);
});

test.each([
  [{ ...law, within: "sesion" }, /Did you mean session\?/u],
  [{ kind: "equal", of: { response: "/id" }, within: "session" }, /Members: /u],
  [{ ...law, of: { request: "/id" } }, /Select values of responses/u],
])("refuses the law %j in one line", async (wrong, remedy) => {
  const failure = await openCatalogue([folderWith(wrong)]).catch((error: unknown) => error as { remedy: string });
  expect((failure as { remedy: string }).remedy).toMatch(remedy);
});
