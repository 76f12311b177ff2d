/** Holds that a secret is found however a body says it: in pieces, in other spellings, cut off, and where it is short. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sseEvent } from "../wire/build.ts";
import type { Exchange, HeaderPairs } from "../wire/exchange.ts";
import { redact } from "./redact.ts";

const secret = "Zk3v9QpLm27TbXe1aGh5";

function answered(body: string | Buffer, key = secret, more: Partial<Exchange> = {}, status = 200): Buffer {
  const headers: HeaderPairs = [["Authorization", `Bearer ${key}`]];
  const request = { method: "POST", target: "/v1/x", headers, body: Buffer.alloc(0) };
  const { response } = redact({ request, response: { status, headers: [], body: Buffer.from(body) }, ...more });
  return Buffer.from(response!.body);
}

const pieces = (size = 3): string[] => secret.match(new RegExp(`.{1,${size}}`, "g"))!;
const delta = (text: string, i: number): object => ({ choices: [{ index: i % 2, delta: { content: text } }] });

describe("in pieces", () => {
  test.each([
    [
      "lines of JSON",
      pieces()
        .map((response) => `${JSON.stringify({ model: "m", response, done: false })}\n`)
        .join(""),
    ],
    [
      "events of plain text",
      pieces()
        .map((text) => `data: ${text}\n\n`)
        .join(""),
    ],
    ["lines of one event", `data: ${secret.slice(0, 9)}\ndata: ${secret.slice(9)}\n\n`],
    [
      "events that are strings",
      pieces()
        .map((text) => sseEvent(text))
        .join(""),
    ],
    [
      "members told by number",
      pieces()
        .map((text, i) => sseEvent({ [i]: text }))
        .join(""),
    ],
    [
      "two members in turn",
      pieces(7)
        .map((text, i) => sseEvent(i % 2 ? { a: text } : { b: text }))
        .join(""),
    ],
    ["parts of a reply", JSON.stringify({ content: pieces(9).map((text) => ({ type: "text", text })) })],
    [
      "choices among each other",
      pieces()
        .flatMap((text, i) => [sseEvent(delta(text, 0)), sseEvent(delta(`no${i}`, 1))])
        .join(""),
    ],
    ["numbers of bytes", JSON.stringify({ index: [...Buffer.from(secret)] })],
  ])("of %s", (_, body) => {
    const safe = answered(body);
    expect(safe).toHaveLength(Buffer.byteLength(body));
    const changed = Array.from(safe, (byte, i) => byte !== Buffer.from(body)[i]).filter(Boolean).length;
    expect(changed).toBeGreaterThanOrEqual(Math.min(17, secret.length));
  });
});

describe("in other spellings", () => {
  const code = (format: (hex: string, byte: number) => string): string =>
    Array.from(Buffer.from(secret), (byte) => format(byte.toString(16).padStart(2, "0"), byte)).join("");
  const base64 = Buffer.from(secret).toString("base64");
  test.each([
    ["capitals", secret.toUpperCase()],
    ["hexadecimal", code((hex) => hex)],
    ["base64 twice", Buffer.from(base64).toString("base64")],
    ["lines of base64", `${base64.slice(0, 18)}\\n${base64.slice(18)}`],
    ["HTML", code((hex) => `&#x${hex};`)],
    ["decimal HTML", code((_, byte) => `&#${byte};`)],
    ["escapes of programs", code((hex) => `\\\\x${hex}`)],
    ["wide escapes", code((hex) => `\\\\U000000${hex}`)],
    ["escapes in braces", code((hex) => `\\\\u{${hex}}`)],
    ["octal", code((_, byte) => `\\\\${byte.toString(8)}`)],
    ["mail", code((hex) => `=${hex.toUpperCase()}`)],
    ["URLs, twice", code((hex) => `%25${hex}`)],
    ["old URLs", code((hex) => `%u00${hex}`)],
  ])("%s", (_, spelled) => {
    const safe = answered(`{"text":"see ${spelled} there"}`).toString();
    expect(safe).toMatch(/^\{"text":"see x{6}.* there"\}$/);
    expect(safe).not.toContain(spelled.slice(8, 24));
  });

  test("UTF-16", () => {
    const safe = answered(Buffer.from(`{"text":"${secret}"}`, "utf16le")).toString("utf16le");
    expect(safe).toBe(`{"text":"${"x".repeat(secret.length)}"}`);
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["gzip thrice", (bytes: Buffer) => gzipSync(gzipSync(gzipSync(bytes)))],
  ])("%s that nobody names; the body is then dropped", (_, compress) => {
    expect(answered(compress(Buffer.from(`it was ${secret} ${"that ".repeat(20)}`)))).toHaveLength(0);
    const other = compress(Buffer.from(`it was ${"that ".repeat(20)}`));
    expect(answered(other)).toEqual(other);
  });
});

describe("cut off", () => {
  test.each([
    ["a secret", `it is ${secret.slice(0, 9)}`, secret, 9],
    ["a key of a service", "it is sk-proj-Zk3v9", "unused-key-1", 13],
    ["what is named so", '{"password":"Zk3v9', "unused-key-1", 5],
  ])("the start of %s is hidden where the message lacks its end", (_, body, key, hidden) => {
    expect(answered(body, key, { aborted: "upstream" }).toString()).toBe(body.slice(0, -hidden) + "x".repeat(hidden));
    if (key === secret) expect(answered(body, key).toString()).toBe(body);
  });
});

describe("short", () => {
  test.each([
    ["s3cr3t", "no s3cr3t, but s3cr3ts", 200, "no xxxxxx, but s3cr3ts"],
    ["hunter", "the key hunter of hunters", 401, "the key xxxxxx of hunters"],
    ["hunter", "the hunter of hunters", 200, "the hunter of hunters"],
    ["test-key", "a test-key works", 200, "a test-key works"],
    ["anything", "Incorrect API key provided: anything", 401, "Incorrect API key provided: xxxxxxxx"],
    ["key", "a key", 401, "a key"],
  ])("%s in %j, status %d", (key, body, status, safe) => {
    expect(answered(body, key, {}, status).toString()).toBe(safe);
  });
});

test("thousands of secrets are looked for at once", () => {
  const members = Array.from({ length: 20_000 }, (_, i) => ({ password: `word-${i}-of-pass${i}` }));
  const request = { method: "POST", target: "/", headers: [], body: Buffer.from(JSON.stringify({ members })) };
  const body = Buffer.from(`${"word-1-of-none ".repeat(20_000)} word-19999-of-pass19999`);
  const { response } = redact({ request, response: { status: 200, headers: [], body } });
  expect(Buffer.from(response!.body).toString().slice(-26)).toBe(`e  ${"x".repeat(23)}`);
});
