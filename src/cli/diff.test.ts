/** Holds the command line of `touchstone diff`: what it takes, its formats and exit codes. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { formatCassette } from "../cassette/write.ts";
import { folderOf } from "../documents/documents.test-kit.ts";
import { home } from "../home.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { serveReference } from "../reference/serve.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { green } from "../report/results.test-kit.ts";
import { jsonRequest, jsonResponse } from "../wire/build.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-diff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const recorded = join(home, "recordings", "messages", "response", "text.json");
const isDocument = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(join(home, "schemas", "formats", "diff.schema.json"), "utf8")),
);

function fileWith(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** The recording without a member that its document demands, and its text changed. */
const drifted = replaceText(
  replaceText(readFileSync(recorded, "utf8"), /"stop_reason":\s*"end_turn",/, ""),
  /weather/g,
  "news",
);

test("two recordings of any format: exit 0 without changes, 1 with changes; every format says the same", async () => {
  const other = fileWith("other.json.gz", gzipSync(drifted));
  expect(await touchstoneHere(["diff", recorded, recorded])).toMatchObject({ code: 0, stderr: "" });
  const out = join(folder, "out");
  const { code, stdout, stderr } = await touchstoneHere(["diff", recorded, other, "--format", "json", "--out", out]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const document = JSON.parse(stdout);
  expect(isDocument(document), JSON.stringify(isDocument.errors)).toBe(true);
  expect(document.changes).toMatchObject([
    { kind: "removed", pointer: "/stop_reason", allowed: false, clause: "messages.response.stop-reason-required" },
  ]);
  expect(readdirSync(out).sort()).toEqual(["diff.html", "diff.json", "diff.md", "diff.txt"]);
  expect(readFileSync(join(out, "diff.json"), "utf8")).toBe(stdout);
  for (const name of ["diff.md", "diff.txt"]) {
    const text = readFileSync(join(out, name), "utf8");
    expect(text).toContain("/stop_reason");
    expect(text).toContain("messages.response.stop-reason-required");
  }
});

test("recordings of an own interface are compared by the schemas of its folder", async () => {
  const typed = { type: "string", clause: { type: "things.response.state-type" } };
  const own = folderOf({
    "interface.json": {
      name: "things",
      operations: [{ name: "POST /v1/things", schemas: { response: "response.schema.json" } }],
    },
    "response.schema.json": { properties: { state: { $ref: "parts.schema.json#/$defs/state" } } },
    "parts.schema.json": {
      $defs: {
        state: { ...typed, enum: ["on", "off"], clause: { ...typed.clause, enum: "things.response.state-values" } },
      },
    },
    "response.clauses.json": {
      document: "Things",
      clauses: ["state-type", "state-values"].map((name) => ({
        ...{ name, at: "Body", says: `It says ${name}.`, on: "response", level: "must" },
      })),
    },
  });
  const [before, after] = ["on", 1].map((state) => {
    const exchange = { request: jsonRequest("/v1/things", [], {}), response: jsonResponse({ state }) };
    return fileWith(`state-${state}.json`, formatCassette({ header: {}, exchanges: [{ exchange }] }));
  });
  const { code, stdout } = await touchstoneHere([...["diff", before!, after!, "--documents", own, "--format", "json"]]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).changes).toMatchObject([
    { pointer: "/state", allowed: false, clause: "things.response.state-type" },
  ]);
});

test("two results: verdicts lost first, then won; a folder of results is one unless told otherwise", async () => {
  const verdicts = green.clauses.map(({ id }) => id);
  const turned = (lost: string, won: string) =>
    JSON.stringify({
      ...green,
      clauses: green.clauses.map((clause) => ({
        ...clause,
        verdict: clause.id === lost ? "fail" : clause.id === won ? "warning" : "pass",
      })),
    });
  const [first = "", second = ""] = verdicts;
  const before = join(folder, "before");
  mkdirSync(before);
  writeFileSync(join(before, "results.json"), turned("", first));
  writeFileSync(join(before, "exchanges.jsonl"), "");
  const after = fileWith("after.json", turned(second, ""));
  const { code, stdout } = await touchstoneHere(["diff", before, after, "--format", "json"]);
  expect(code).toBe(1);
  expect(isDocument(JSON.parse(stdout))).toBe(true);
  expect(JSON.parse(stdout).verdicts).toEqual([
    { clause: second, before: "pass", after: "fail" },
    { clause: first, before: "warning", after: "pass" },
  ]);
  expect(await touchstoneHere(["diff", after, after])).toMatchObject({ code: 0, stdout: "No verdict changed.\n" });
  expect(await touchstoneHere(["diff", before, recorded])).toMatchObject({ code: 2 });
  expect(await touchstoneHere(["diff", before, recorded, "--as", "recordings"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("exchanges.jsonl: the file is empty"),
  });
});

test.each([
  [["missing.json", recorded], "missing.json: cannot be read"],
  [[recorded], "nothing is given to compare"],
  [[recorded, recorded, "--against", "http://127.0.0.1:1"], "--against takes the place"],
  [[recorded, recorded, "--chance", "5"], "--chance must be a number from 0 to 1"],
  [[recorded, "-"], "- is read once"],
  [[recorded, "--against", "http://127.0.0.1:1", "--retries", "0"], "http://127.0.0.1:1 cannot be reached"],
])("%j is told in two lines, with exit 2", async (args, line) => {
  const { code, stdout, stderr } = await touchstoneHere(["diff", ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(line);
  expect(stderr.trim().split("\n")).toHaveLength(2);
});

test("recordings of which nothing can be compared: exit 2 with one line, unless it is allowed", async () => {
  const chat = join(home, "recordings", "chat-completions", "response", "text.json");
  const elsewhere = fileWith(
    "elsewhere.json",
    replaceText(readFileSync(recorded, "utf8"), /\/v1\/messages/g, "/v1/elsewhere"),
  );
  const broken = fileWith(
    "broken.json",
    JSON.stringify(
      JSON.parse(readFileSync(recorded, "utf8"), (name, value) =>
        name === "response" && value?.status ? { ...value, body: { text: "[".repeat(70_000) } } : value,
      ),
    ),
  );
  for (const [before, after, line] of [
    [recorded, chat, "have no operation in common"],
    [elsewhere, elsewhere, "elsewhere.json holds no request of a documented operation"],
    [broken, broken, "answers that cannot be read, or broke off: 1 of"],
  ] as const) {
    const { code, stdout, stderr } = await touchstoneHere(["diff", before, after]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringMatching(/^Nothing was compared\./) });
    expect(stderr).toContain("nothing was compared: ");
    expect(stderr).toContain(line);
    expect(stderr.trim().split("\n")).toHaveLength(2);
    expect(await touchstoneHere(["diff", before, after, "--allow-empty"])).toMatchObject({ code: 0, stderr: "" });
  }
});

test("a server that breaks off each response shows no change", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stdout, stderr } = await touchstoneHere(["diff", recorded, "--against", url]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^touchstone: http:\S+ sent no whole response: .+\n.+\n$/);
});

test("--against sends what was recorded with the target's key alone, and says whose move a change is", async () => {
  const seen: string[] = [];
  const reference = await serveReference(await openCatalogue(), {
    change(request, reply) {
      seen.push(JSON.stringify(request.headers), request.target);
      const [piece] = reply.pieces;
      const { stop_reason: _gone, ...body } = JSON.parse(Buffer.from(piece!.bytes).toString());
      return { ...reply, pieces: [{ bytes: Buffer.from(JSON.stringify(body)) }] };
    },
  });
  onTestFinished(() => reference.close());
  const key = "sk-ant-api03-of-whoever-recorded-it-0123456789";
  const own = fileWith(
    "own.json",
    replaceText(
      readFileSync(recorded, "utf8"),
      '["x-api-key", "[redacted]"]',
      `["x-api-key", "${key}"], ["x-team-token", "${key}"]`,
    ),
  );
  const args = ["diff", own, "--against", reference.url, "--key", "$TARGET_KEY", "--format", "json"];
  const { code, stdout } = await touchstoneHere(args, { TARGET_KEY: "key-of-the-target" });
  expect(code).toBe(1);
  const document = JSON.parse(stdout);
  expect(isDocument(document), JSON.stringify(isDocument.errors)).toBe(true);
  expect(document.changes.map(({ pointer, move }: { pointer: string; move: string }) => [pointer, move])).toEqual([
    ["/stop_reason", "target"],
  ]);
  expect(seen.join()).not.toContain(key);
  expect(seen.join()).toContain("key-of-the-target");
});

test("a target that refuses every request for its key is one line and exit 2; what is of other interfaces is compared", async () => {
  const catalogue = await openCatalogue();
  const reference = await serveReference(catalogue, {
    change: (request, reply) =>
      request.target.startsWith("/v1/messages")
        ? {
            ...reply,
            status: 401,
            pieces: [{ bytes: Buffer.from('{"type":"error","error":{"type":"authentication_error","message":"no"}}') }],
          }
        : reply,
  });
  onTestFinished(() => reference.close());
  const both = join(folder, "both");
  mkdirSync(both);
  writeFileSync(join(both, "messages.json"), readFileSync(recorded));
  const chat = join(home, "recordings", "chat-completions", "response", "text.json");
  for (const [path, what] of [
    [recorded, "nothing was compared"],
    [both, "not all was compared"],
  ] as const) {
    const { code, stdout, stderr } = await touchstoneHere([
      "diff",
      path,
      "--against",
      reference.url,
      "--format",
      "json",
    ]);
    expect(code).toBe(2);
    expect(isDocument(JSON.parse(stdout)), JSON.stringify(isDocument.errors)).toBe(true);
    expect(JSON.parse(stdout).changes).toEqual([]);
    expect(stderr).toContain(
      `${what}: ${reference.url} answers 401 to the only request of messages: the key is missing or not accepted`,
    );
    expect(stderr).toContain("--key");
    writeFileSync(join(both, "chat.json"), readFileSync(chat));
  }
});
