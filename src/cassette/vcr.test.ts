/** Holds the import of VCR cassettes to what the Ruby gem, vcrpy and go-vcr write. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { replaceText } from "../replace-text.test-kit.ts";
import { UserError } from "../user-error.ts";
import type { Exchange } from "../wire/exchange.ts";
import { readCassette } from "./read.ts";
import { looksLikeVcr } from "./vcr.ts";

const read = async (text: string): Promise<Exchange[]> =>
  (await readCassette(Buffer.from(text), "x.yml")).exchanges.map(({ exchange }) => exchange);
const bodyText = (message: { body: Uint8Array } | null): string => Buffer.from(message!.body).toString("utf8");

const ruby = `---
http_interactions:
- request:
    method: post
    uri: https://api.h.com/v1/chat/completions?a=1
    body:
      encoding: UTF-8
      string: '{"model":"m","text":"é"}'
    headers:
      Content-Type:
      - application/json
      Accept:
      - "*/*"
      - text/plain
  response:
    status:
      code: 200
      message: OK
    headers:
      Content-Type:
      - application/json
      Content-Length:
      - '7'
    body:
      encoding: ASCII-8BIT
      BODY
    http_version:
  recorded_at: Thu, 01 Jan 2026 00:00:00 GMT
recorded_with: VCR 6.2.0
`;

describe("the Ruby gem's cassettes", () => {
  test("are read with method, address, headers, status and time", async () => {
    expect(await read(replaceText(ruby, "BODY", `string: '{"a":1}'`))).toMatchObject([
      {
        origin: "https://api.h.com",
        started: Date.UTC(2026, 0, 1),
        request: {
          method: "POST",
          target: "/v1/chat/completions?a=1",
          headers: [
            ["Content-Type", "application/json"],
            ["Accept", "*/*"],
            ["Accept", "text/plain"],
          ],
        },
        response: {
          status: 200,
          reason: "OK",
          headers: [
            ["Content-Type", "application/json"],
            ["Content-Length", "7"],
          ],
        },
      },
    ]);
  });

  test.each([
    ["a text", `string: '{"a":1}'`],
    ["a folded text", `string: "{\\"a\\"\\\n        :1}"`],
    ["tagged binary", "string: !binary |-\n        eyJhIjox\n        fQ=="],
    ["preserved bytes", "base64_string: |\n        eyJhIjoxfQ=="],
  ])("keep a body that is %s", async (_kind, body) => {
    const [exchange] = await read(replaceText(ruby, "BODY", body));
    expect(bodyText(exchange!.request)).toBe('{"model":"m","text":"é"}');
    expect(bodyText(exchange!.response)).toBe('{"a":1}');
  });

  test("name the charset of a text", async () => {
    const [exchange] = await read(replaceText(replaceText(ruby, "ASCII-8BIT", "ISO-8859-1"), "BODY", "string: é"));
    expect([...exchange!.response!.body]).toEqual([0xe9]);
  });
});

describe("vcrpy's cassettes", () => {
  const python = (body: string, encoding = ""): string => `interactions:
- request:
    body: '{"model": "m"}'
    headers:
      x-n: [1]
    method: POST
    uri: https://h/v1/messages
  response:
    body:
      string: ${body}
    headers:
      content-type: [text/event-stream]
${encoding}    status: {code: 429, message: Too Many Requests}
version: 1
`;

  test("keep compressed bodies compressed", async () => {
    const bytes = gzipSync("data: 1\n\n");
    const yaml = python(`!!binary |\n        ${bytes.toString("base64")}`, "      content-encoding: [gzip]\n");
    const [{ response, request }] = (await read(yaml)) as [Exchange];
    expect(Buffer.from(response!.body)).toEqual(bytes);
    expect(response).toMatchObject({
      status: 429,
      headers: [
        ["content-type", "text/event-stream"],
        ["content-encoding", "gzip"],
      ],
    });
    expect(request.headers).toEqual([["x-n", "1"]]);
  });

  test("that were decoded lose the coding they had", async () => {
    const [{ response }] = (await read(python('"data: 1\\n\\n"', "      content-encoding: [gzip]\n"))) as [Exchange];
    expect([bodyText(response), response!.headers]).toEqual(["data: 1\n\n", [["content-type", "text/event-stream"]]]);
  });

  test("may be JSON, have no body, and be written the old way", async () => {
    const interactions = [
      { request: { method: "GET", uri: "/v1/models", body: null, headers: {} }, response: { status: { code: 204 } } },
      { request: { method: "GET", uri: "/x" }, response: { status_code: 200, content: "hi" } },
    ];
    expect(await read(JSON.stringify({ version: 1, interactions }))).toMatchObject([
      { request: { body: { length: 0 } }, response: { status: 204, body: { length: 0 } } },
      { response: { status: 200, body: Buffer.from("hi") } },
    ]);
  });
});

test("go-vcr's cassettes are read", async () => {
  const yaml = `---
version: 2
interactions:
    - id: 0
      request:
        body: '{"a":1}'
        headers: {Accept: ["*/*"]}
        url: https://h/v1/x
        method: POST
      response:
        body: '{"b":2}'
        headers: {Content-Type: [application/json]}
        status: 201 Created
        code: 201
`;
  const [exchange] = await read(yaml);
  expect(exchange).toMatchObject({ request: { target: "/v1/x" }, response: { status: 201, reason: "Created" } });
  expect(bodyText(exchange!.response)).toBe('{"b":2}');
});

describe("what is no VCR cassette", () => {
  const bomb = `interactions:\n- &a [${"x,".repeat(9)}]\n${[..."bcdefghij"].map((c, i) => `- &${c} [${`*${"abcdefghij"[i]},`.repeat(9)}]`).join("\n")}`;
  test.each([
    ["other YAML", "name: ci\non: push\n"],
    ["broken YAML", "interactions:\n- [a\n- }"],
    ["an alias bomb", bomb],
    ["endless nesting", `interactions: ${"[".repeat(10_000)}`],
    ["an interaction without an address", "interactions:\n- request: {}\n"],
    ["an interaction that is none", "interactions:\n- 7\n- null"],
    ["no list", "interactions: 7\n"],
  ])("is refused as unreadable: %s", async (_kind, text) => {
    await expect(read(text)).rejects.toThrow(UserError);
  });

  test("tags of languages are read as plain data", async () => {
    const yaml =
      "http_interactions:\n- request: !ruby/object:Foo {uri: /a, method: !!python/name:os.system ''}\n  response: {status: {code: 200}}\n";
    expect(await read(yaml)).toMatchObject([{ request: { target: "/a" }, response: { status: 200 } }]);
  });
});

test("a text that begins with nothing but blank lines is soon known not to be one", () => {
  expect(looksLikeVcr(`# a\n${"\n".repeat(4000)}x`)).toBe(false);
  expect(looksLikeVcr(`# a\n${"\n \n".repeat(1000)}---\nrecorded_with: x\ninteractions:\n`)).toBe(true);
});
