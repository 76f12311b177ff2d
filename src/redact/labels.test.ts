/** Holds what is a credential by the name beside it, in all notations, and that what only sounds so stays. */
import { describe, expect, test } from "vitest";
import { sseEvent } from "../wire/build.ts";
import { redact } from "./redact.ts";

const secret = "Zk3v9QpLm27TbXe1aGh5";
const hidden = (body: string): string => {
  const { request } = redact({
    request: { method: "POST", target: "/v1/x", headers: [], body: Buffer.from(body) },
    response: null,
  });
  return Buffer.from(request.body).toString("utf8");
};
const x = "x".repeat(secret.length);

describe("hidden is, and nothing else of it", () => {
  test.each([
    ["a member", `{"a":1,"db_password":"S","b":"kept"}`],
    ["a member with blanks in it", `{"password":"S"}`],
    ["a member of JSON in JSON", JSON.stringify({ arguments: JSON.stringify({ api_key: "S", n: 1 }, null, 2) })],
    ["and in that again", JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ github_token: "S" }) }) })],
    ["a list of them", `{"api_keys":["S","S"],"n":["kept"]}`],
    ["an object that holds one", `{"clientSecret":{"value":"S","expires_at":1,"name":"kept"}}`],
    ["a header in a configuration", `{"headers":{"X-Auth-Token":"S","Accept":"application/json"}}`],
    ["behind its scheme", `{"headers":{"Authorization":"Key S"}}`],
    ["an assignment of a shell", `{"c":"export OPENAI_API_KEY=S\\nexport HOME=/home/me12345678"}`],
    ["of code", `{"c":"client = OpenAI(api_key='S', timeout=20)"}`],
    ["a line of YAML", `{"c":"db:\\n  host: db1.example\\n  password: S\\n  port: 5432"}`],
    ["a header of a command", `{"c":"curl -H 'x-api-key: S' https://h/v1"}`],
    ["an argument of a command", `{"c":"curl -u me:S https://h/v1"}`],
    ["prose", `{"c":"My API key: S, please keep it."}`],
    ["a URL", `{"u":"https://me:S@h.example/i.png?n=1"}`],
    ["a connection string", `{"c":"postgres://u:S@db/x?sslmode=on"}`],
    ["and one of pairs", `{"c":"AccountName=x;AccountKey=S;EndpointSuffix=core"}`],
    ["a signed URL", `{"u":"https://b.example/x?X-Amz-Date=20260331&X-Amz-Signature=S"}`],
    ["XML", `<a><apiKey>S</apiKey><n>kept</n></a>`],
    ["a form", `a=1&password=S&b=kept`],
    ["percent-encoded", `a=1&pass%77ord=S&b=kept`],
    ["a field of a form", `--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nS\r\n--b--\r\n`],
    ["a key within quotes of another kind", `{"c":"{'api_key': 'S', 'n': 'kept'}"}`],
  ])("%s", (_, body) => {
    const filled = body.replace(/(?<![A-Za-z])S(?![A-Za-z])/g, secret);
    expect(hidden(filled)).toBe(filled.replaceAll(secret, x));
  });

  test("a whole value with quotes, blanks and backslashes in it", () => {
    const password = `my "pass" \\ ${secret}`;
    for (const value of [{ password }, { a: JSON.stringify({ password, n: 1 }) }]) {
      const body = hidden(JSON.stringify(value));
      expect(body).not.toContain("pass\\");
      expect(body).toMatch(/password\\*":\\*"x+\\*"[,}]/);
      expect(() => JSON.parse(body)).not.toThrow();
    }
  });

  test("a number", () => expect(hidden('{"api_key":1234567890,"n":5}')).toBe('{"api_key":1111111111,"n":5}'));

  test("what a stream says bit by bit", () => {
    const pieces = `export OPENAI_API_KEY=${secret} and on`.match(/.{1,3}/g)!;
    const body = pieces.map((content) => sseEvent({ choices: [{ index: 0, delta: { content } }] })).join("");
    const said = Array.from(hidden(body).matchAll(/"content":"([^"]*)/g), ([, text]) => text).join("");
    expect(said).toBe(`export OPENAI_API_KEY=${x} and on`);
  });
});

describe("nothing is hidden of", () => {
  test.each([
    ["counts", `{"max_tokens":4096,"usage":{"prompt_tokens":12345678,"total_tokens":123456789}}`],
    ["tokens and their probabilities", `{"token":"0123456789abcdef01","logprob":-0.1,"bytes":[48,49,50,51,52,53]}`],
    [
      "ids and digests",
      `{"id":"chatcmpl-9aB8cD7eF6gH5iJ4kL3mN2","sha256":"${"a1b2".repeat(16)}","session_id":"s-12345678"}`,
    ],
    ["marks", `{"bos_token":"<|begin_of_text|>","stop_sequence":"END_OF_TEXT_12345678"}`],
    ["signatures of thoughts", `{"signature":"${"EqoB9xYz".repeat(20)}","thoughtSignature":"${"Ab12".repeat(20)}"}`],
    [
      "schemas",
      `{"properties":{"password":{"type":"string","description":"At least 8 characters, 1 digit"},"api_key":{"type":"string"}},"required":["password","api_key"]}`,
    ],
    [
      "metadata",
      `{"metadata":[{"key":"order-2024-000123-abcdef","value":"1"}],"prompt_cache_key":"user-1234567890abcdef"}`,
    ],
    [
      "code without values",
      `{"c":"api_key=os.environ['OPENAI_API_KEY']; password = getpass.getpass(); token=settings.token"}`,
    ],
    ["stand-ins", `{"c":"OPENAI_API_KEY=YOUR_API_KEY, password: <your password>, token: \${TOKEN}, secret: ****"}`],
    ["prose", `{"c":"The password: it must be long. Use an API key: see the docs. Bearer authentication is needed."}`],
    ["pages", `{"nextPageToken":"CAUQAAdefghijk1234567890lmnop"}`],
    ["images", `{"b64_json":"${Buffer.alloc(3000, "\u0001sk-AKIA eyJ\u00ffpassword").toString("base64")}"}`],
    ["addresses", `{"u":"https://h.example/a@b/c?x=1","v":"mail me@h.example","w":"http://h:8080/x@1.2.3"}`],
  ])("%s", (_, body) => expect(hidden(body)).toBe(body));
});

test.each([
  '"a":\\',
  "password=",
  'x="',
  '{"secret":',
  "key=a&",
  "://a:",
  "Bearer ",
  '"secret":["',
  "form-data; name=token\n",
  "-----BEGIN PRIVATE KEY-----",
])("a body of nothing but %j is read in a few steps a byte", (piece) => {
  const body = piece.repeat(60_000);
  expect(hidden(body)).toHaveLength(body.length);
});

test("a name of the same digest, sent before it, hides no credential's name", () => {
  expect(hidden(`{"apiKFz":"kept","apiKey":"${secret}"}`)).toBe(`{"apiKFz":"kept","apiKey":"${x}"}`);
});
