/** Holds base64 to reading X-BASE64. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { base64Blemish, base64Problem, decodeBase64 } from "./base64.ts";

test.each(["QQ==", "QQ", "QUI=", "QUI", "QUJD", "-_-_", "+/+/", "QUJDRA=="])("%s is data", (text) => {
  expect(base64Problem(text)).toBeUndefined();
});

test.each([
  ["", "empty"],
  ["Q", "cannot stand for whole bytes"],
  ["QUJDR", "cannot stand for whole bytes"],
  ["QQ===", "character 2"],
  ["Q=Q=", "character 1"],
  ["==", "cannot stand"],
  ["QU JD", 'character 2 (" ")'],
  ["QUJD\n", "character 4"],
  ["QUJDé", "character 4"],
  ["data:image/png;base64,QUJD", 'character 4 (":")'],
])("%j is none: %s", (text, problem) => {
  expect(base64Problem(text)).toContain(problem);
  expect(decodeBase64(text)).toBeUndefined();
});

describe("a blemish", () => {
  test.each(["QQ==", "QQ", "QUI=", "QUI", "QUJD", "-_-_", "+/+/"])("is none in %s by default", (text) => {
    expect(base64Blemish(text)).toBeUndefined();
  });

  test.each([
    ["+_+_", "mixed"],
    ["QUJD=", "instead of 0"],
    ["QQ=", "instead of 2"],
    ["QR==", "no byte"],
    ["QUJ", "no byte"],
  ])("in %s: %s", (text, blemish) => expect(base64Blemish(text)).toContain(blemish));

  test.each(["QQ", "QUI", "-_-_"])("in %s only when strict", (text) => {
    expect(base64Blemish(text, true)).toBeDefined();
  });
});

test("encoded bytes are flawless and decode to themselves", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      expect(base64Blemish(text, true)).toBeUndefined();
      expect(base64Blemish(Buffer.from(bytes).toString("base64url"))).toBeUndefined();
      expect(Buffer.from(decodeBase64(text)!)).toEqual(Buffer.from(bytes));
    }),
    fuzz(100),
  );
});

test("25 MB are judged without overflowing anything", () => {
  const text = "QUJD".repeat(6 << 20);
  expect(base64Problem(text)).toBeUndefined();
  expect(base64Problem(`${text}!`)).toContain(`character ${text.length}`);
});
