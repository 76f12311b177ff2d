/** Laws in folders of users: they judge, are proven on examples made from the document, and are served. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { mistakeIn } from "../check/laws/law-schema.ts";
import { namesFrom } from "../check/names.ts";
import { home } from "../home.ts";
import { serve } from "../index.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { jsonRequest, jsonResponse, sseEvent, streamResponse } from "../wire/build.ts";
import { parseEvents } from "../wire/sse.ts";
import { documentOf, folderOf, proofOf } from "./documents.test-kit.ts";
import { packNames, startFromPack } from "./write.ts";

const event = (type: string, more: object = {}) => ({
  type: "object",
  required: ["type", "n", ...Object.keys(more)],
  properties: { type: { const: type }, n: { type: "integer" }, ...more },
});
const text = { type: "string" };

/** A document whose operation streams: started, any number of deltas, ended with the joined text. */
const document = () => {
  const base = documentOf({ type: "object", properties: { stream: { type: "boolean" }, model: text } });
  const { post } = base.paths["/things"];
  const events = { oneOf: [event("started", { model: text }), event("delta", { text }), event("ended", { text })] };
  const content = {
    ...post.responses[200].content,
    "text/event-stream": { itemSchema: { properties: { data: events } } },
  };
  return {
    ...base,
    openapi: "3.2.0",
    paths: { "/things": { post: { ...post, responses: { 200: { description: "OK", content } } } } },
  };
};

const clause = (name: string, law: object, on = "stream") => ({
  ...{ name, at: "Streaming", says: `It says ${name}.`, on, level: "must", law },
});
const laws = [
  clause("first", { kind: "order", of: { event: "started" }, first: true }),
  clause("last", { kind: "order", of: { event: "ended" }, last: true }),
  clause("end", { kind: "count", of: { event: "ended" }, is: 1 }),
  clause("numbers", { kind: "sequence", of: { event: "*", at: "/n" }, from: 0 }),
  clause("joined", { kind: "concat", of: { event: "delta", at: "/text" }, to: { event: "ended", at: "/text" } }),
  clause("model", { kind: "equal", of: { event: "started", at: "/model" }, to: { request: "/model" } }),
];

const folder = (clauses: readonly object[]) =>
  folderOf({
    "interface.json": { name: "things", openapi: "openapi.json" },
    "streaming.clauses.json": { document: "Things", clauses },
    "openapi.json": document(),
  });

test("every clause is proven on streams that follow the laws", async () => {
  const { gaps } = await proofOf(await openCatalogue([folder(laws)]));
  expect(gaps).toEqual([]);
});

const violated = async (events: readonly unknown[]): Promise<string[]> => {
  const exchange = {
    request: jsonRequest("/v1/things", [], { stream: true, model: "m" }),
    response: streamResponse(events.map((data) => sseEvent(data))),
  };
  const catalogue = await openCatalogue([folder(laws)]);
  const at = { source: "", exchange: 0 };
  const { findings } = judge(exchange, at, catalogue, { names: namesFrom(), policy: lenient });
  return findings.map((one) => `${one.clause} ${one.event}${one.pointer}`);
};

test("violations are found at their places", async () => {
  const started = { type: "started", n: 0, model: "m" };
  expect(await violated([started, { type: "delta", n: 1, text: "a" }, { type: "ended", n: 2, text: "a" }])).toEqual([]);
  expect(await violated([started, { type: "delta", n: 1, text: "a" }, { type: "ended", n: 3, text: "b" }])).toEqual([
    "things.streaming.numbers 2/n",
    "things.streaming.joined 2/text",
  ]);
  expect(await violated([{ ...started, model: "x" }])).toEqual([
    "things.streaming.end 0",
    "things.streaming.model 0/model",
  ]);
});

test("a value of the wrong shape is reported once, by the clause on its shape", async () => {
  const found = await violated([
    { type: "started", n: "0", model: "m" },
    { type: "ended", n: 1, text: "" },
  ]);
  expect(found).toEqual([expect.stringMatching(/^things\.stream\..*-type 0\/n$/)]);
});

test("serve sends streams that follow the laws and repeat the request", async () => {
  const { url, close } = await serve({ documents: [folder(laws)] } as never);
  const response = await fetch(`${url}/v1/things`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ stream: true, model: "my-model" }),
  });
  const { events } = parseEvents(new Uint8Array(await response.arrayBuffer()));
  await close();
  const sent = events.map(({ data }) => JSON.parse(data) as Record<string, unknown>);
  expect(sent.map(({ type, n }) => `${type} ${n}`)).toEqual(["started 0", "delta 1", "ended 2"]);
  expect(sent[0]!["model"]).toBe("my-model");
});

test.each([
  [{ kind: "sequense", of: { event: "*" } }, /unknown kind "sequense"/],
  [{ kind: "sequence", off: { event: "*" } }, /streaming\.clauses\.json: the clause x: its law/],
  [{ kind: "sequence", of: { event: "*", response: "/n", query: "n" } }, /has both/],
])("refuses the law %j in one line", async (law, message) => {
  await expect(openCatalogue([folder([clause("x", law)])])).rejects.toThrow(message);
});

test("packs have laws that can be read", () => {
  for (const pack of packNames()) {
    const files = readdirSync(join(home, "schemas", "packs", pack)).filter((name) => name.endsWith(".clauses.json"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const { clauses } = JSON.parse(readFileSync(join(home, "schemas", "packs", pack, file), "utf8"));
      for (const { name, law } of clauses) expect([name, mistakeIn(law)]).toEqual([name, undefined]);
    }
  }
});

test("an unknown pack is refused with the names of those that exist", async () => {
  const own = folderOf({ "openapi.json": document() });
  await expect(startFromPack(join(own, "new"), join(own, "openapi.json"), "open-response")).rejects.toThrow(
    /no pack open-response/,
  );
});

test("types with a name of their implementor are notes where interface.json says what separates it", async () => {
  const item = (type: string) => event(type, { text });
  const doc = documentOf(
    {},
    { required: ["items"], properties: { items: { items: { oneOf: [item("a"), item("b")] } } } },
  );
  const catalogueOf = (more: object) =>
    openCatalogue([
      folderOf({
        "interface.json": { name: "things", openapi: "openapi.json", ...more },
        "openapi.json": doc,
      }),
    ]);
  const [closed, open] = await Promise.all([catalogueOf({}), catalogueOf({ extensions: ":" })]);
  const levelsOf = (catalogue: typeof open, items: readonly object[], strict: "all" | Set<string> = new Set()) => {
    const exchange = { request: jsonRequest("/v1/things", [], {}), response: jsonResponse({ items }) };
    const options = { names: namesFrom(), policy: { ...lenient, strict } };
    const { findings } = judge(exchange, { source: "s", exchange: 0 }, catalogue, options);
    return findings.map(({ level, pointer }) => `${level} ${pointer}`);
  };
  const good = { type: "a", n: 1, text: "x" };
  expect(levelsOf(open, [good, { type: "acme:c", n: "1" }])).toEqual(["note /items/1/type"]);
  expect(levelsOf(open, [good, { type: "acme:c" }], "all")).toContain("error /items/1/type");
  expect(levelsOf(closed, [good, { type: "acme:c" }])).toContain("error /items/1/type");
  expect(levelsOf(open, [{ ...good, n: "1" }, { type: "acme:c" }])).toEqual(["error /items/0/n", "note /items/1/type"]);
  for (const type of ["c", ":c", "acme:"]) expect(levelsOf(open, [{ ...good, type }])).toEqual(["error /items/0/type"]);
});
