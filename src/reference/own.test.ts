/** `serve --documents` answers with replies that keep the document, refuses requests that do not, and violates on demand. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { documentOf, folderOf } from "../documents/documents.test-kit.ts";
import { run, serve } from "../index.ts";

const thing = {
  type: "object",
  required: ["id", "parts"],
  properties: {
    id: { type: "string", minLength: 1 },
    parts: { type: "array", items: { type: "object", required: ["size"], properties: { size: { type: "integer" } } } },
  },
};
const order = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
const documents = [join(folderOf({ "openapi.json": documentOf(order, thing) }), "openapi.json")];

async function served(broken: readonly string[] = []) {
  const server = await serve({ documents, break: broken });
  onTestFinished(() => server.close());
  return server;
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(`${url}/v1/things`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("a request that keeps the document gets a reply that keeps it, and one that breaks it is refused", async () => {
  const { url } = await served();
  const good = await post(url, { name: "n" });
  expect(good.status).toBe(200);
  const made = (await good.json()) as { parts: unknown[] };
  expect(made.parts.length).toBeGreaterThan(0);
  const bad = await post(url, { name: 7 });
  expect([bad.status, await bad.json()]).toEqual([
    400,
    { error: expect.objectContaining({ code: "things.request.name-type" }) },
  ]);
  expect((await fetch(`${url}/v1/nothing`)).status).toBe(404);
});

test("a run of the documents passes there, and names the one clause that is broken on demand", async () => {
  const failing = async (broken: readonly string[]): Promise<string[]> => {
    const { clauses } = await run((await served(broken)).url, { documents });
    return clauses.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  };
  expect(await failing([])).toEqual([]);
  expect(await failing(["things.response.id-type"])).toEqual(["things.response.id-type"]);
});

test("an operation that describes nothing but a redirection is redirected", async () => {
  const document = documentOf(order);
  const location = { required: true, schema: { type: "string", format: "uri" } };
  document.paths["/things"].post.responses = { 307: { description: "", headers: { location } } } as never;
  const own = [join(folderOf({ "openapi.json": document }), "openapi.json")];
  const server = await serve({ documents: own });
  onTestFinished(() => server.close());
  const response = await fetch(`${server.url}/v1/things`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "n" }),
    redirect: "manual",
  });
  expect(response.status).toBe(307);
  expect(response.headers.get("location")).toMatch(/^http/);
});

test("a documented member error of a successful reply is no server error", async () => {
  const error = { type: "object", required: ["code"], properties: { code: { type: "string" } } };
  const job = { type: "object", required: ["error"], properties: { error } };
  const own = [join(folderOf({ "openapi.json": documentOf(order, job) }), "openapi.json")];
  const server = await serve({ documents: own });
  onTestFinished(() => server.close());
  const { incidents } = await run(server.url, { documents: own, probes: false });
  expect(incidents).toEqual([]);
});

test("a run without probes sends each different request of the examples once", async () => {
  const { url, requests } = await served();
  const { plan, clauses } = await run(url, { documents, probes: false });
  expect(plan.cassettes.map(({ interface: of, section }) => `${of}/${section}`)).toEqual(["things/examples"]);
  // The first question of a run asks the same once more.
  expect(requests.map(({ method, target, body }) => [method, target, body])).toEqual(
    Array(2).fill(["POST", "/v1/things", { name: "text" }]),
  );
  expect(clauses.filter(({ verdict }) => verdict === "pass").map(({ id }) => id)).toContain("things.response.id-type");
});

test("a service that refuses a request whose values were made up is not accused of it", async () => {
  const optional = { ...order, properties: { ...order.properties, color: { type: "string" } } };
  const own = [join(folderOf({ "openapi.json": documentOf(optional, thing) }), "openapi.json")];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const isRefused = request.url !== "/v1/things" || body.includes("color");
    response.writeHead(isRefused ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isRefused ? { error: { message: "there is no such color" } } : { id: "i", parts: [] }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { incidents, clauses } = await run(`http://127.0.0.1:${port}`, { documents: own, probes: false });
  expect(incidents).toEqual([]);
  expect(clauses.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  expect(clauses.find(({ id }) => id === "things.response.id-type")?.verdict).toBe("pass");
});
