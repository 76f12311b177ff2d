/** Holds that a list of byte values behind the name of a credential is masked, and that other lists of numbers stay. */
import { expect, test } from "vitest";
import { withoutKeys } from "./mask.ts";

const bytes = [...Buffer.from("maplewindow")];
const key = Array.from({ length: 32 }, (_, i) => (i * 89 + 7) % 256);
const inHex = bytes.map((byte) => byte.toString(16));

test.each<[string, (list: readonly (number | string)[]) => string, readonly number[]]>([
  ["a member of JSON", (list) => `{"password":[${list.join()}],"n":[1,2]}`, bytes],
  ["the bytes of a key", (list) => `{"secretKey":[${list.join()}]}`, key],
  ["a buffer in JSON", (list) => `{"password":{"type":"Buffer","data":[${list.join()}]}}`, bytes],
  ["JSON in JSON over lines", (list) => JSON.stringify({ a: `{\n"password": [\n  ${list.join(",\n  ")}\n]}` }), bytes],
  ["a list of Python", (list) => `password = [${list.join(", ")}]`, bytes],
  ["bytes of Python", (list) => `{'password': bytes([${list.join(", ")}])}`, bytes],
  ["an array of Node", (list) => `password: Uint8Array(11) [\n  ${list.join(",  ")}\n]`, bytes],
])("%s is masked", (_, write, list) => {
  expect(withoutKeys(write(list))).toBe(write(list.map((byte) => "1".repeat(String(byte).length))));
});

test("a buffer as Node prints it is masked", () => {
  const write = (pairs: readonly string[]) => `{ password: <Buffer ${pairs.join(" ")}>, n: 1 }`;
  expect(withoutKeys(write(inHex))).toMatch(/^\{ password: <Buffer (?:(?:11|xx)[ >]){11}, n: 1 \}$/);
});

test("a slice of Go is masked", () => {
  expect(withoutKeys(`password := []byte{${bytes.join(", ")}}`)).toMatch(/^password := \[\]byte\{xxx(?:, 1+){10}\}$/);
});

test.each([
  `{"pixels":[${key}],"password_lengths":[${bytes}]}`,
  `{"max_tokens":[1024,2048],"tokens":[${bytes}],"prompt_token_ids":[${key}]}`,
  `{"password":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}`,
  `{"token":"map","logprob":-0.1,"bytes":[109,97,112]}`,
  `{"api_key":{"type":"Buffer","data":[]},"password":[]}`,
])("%s stays", (text) => expect(withoutKeys(text)).toBe(text));

test.each(["password:[", "password:[80,", "password:<Buffer 5a ", "password=[80 ", "*:*:*:a:", "a:5432:b:c:"])(
  "a body of nothing but %j is read in a few steps a byte",
  (text) => {
    const body = text.repeat(Math.ceil(400_000 / text.length));
    expect(withoutKeys(body)).toHaveLength(body.length);
  },
);
test("a list of a megabyte is read up to a bound", () => {
  const body = `password=[${"80,".repeat(350_000)}`;
  expect(withoutKeys(body)).toHaveLength(body.length);
});
