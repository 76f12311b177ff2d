/** Holds that long parts of a secret are found wherever they stand, and that what is in common by accident is not. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { createPartSearch, shortestPart } from "./partial-secrets.ts";

const found = (text: string, secrets: readonly string[]): string[] => {
  const parts: string[] = [];
  createPartSearch(secrets.map((one) => Buffer.from(one)))(Buffer.from(text), (from, to) =>
    parts.push(text.slice(from, to)),
  );
  return parts;
};
const secret = "sk-proj-4Rt9zQ7mV2xK8pLw3NbY6cHd";

test.each([0, 5, 20])("a part of a key is found after %i other characters, whole, from twelve on", (before) => {
  const around = (part: string): string => `${"-".repeat(before)}${part}" and more`;
  expect(found(around(secret.slice(0, 20)), [secret])).toEqual([secret.slice(0, 20)]);
  expect(found(around(secret.slice(9, 9 + shortestPart)), ["other", secret])).toEqual([
    secret.slice(9, 9 + shortestPart),
  ]);
  expect(found(around(secret.slice(9, 20)), [secret])).toEqual([]);
});

test("no part is missed, wherever it stands", () => {
  const part = fc.tuple(fc.nat(secret.length - shortestPart), fc.integer({ min: shortestPart, max: secret.length }));
  fc.assert(
    fc.property(
      part,
      fc.string({ unit: fc.constantFrom("4", "R", "t", "9", " "), maxLength: 60 }),
      ([at, size], text) => {
        const shown = secret.slice(Math.max(at, 8), Math.max(at, 8) + size);
        fc.pre(shown.length >= shortestPart);
        expect(found(`${text}|${shown}|${text}`, [secret]).some((one) => one.includes(shown))).toBe(true);
      },
    ),
    fuzz(200),
  );
});

test("a part without digits is one where its capitals are no word's, or where it is long", () => {
  const [mixed, small] = ["cnryQwxErTyuIop", "qwxertyuiopasdfghjklzxcv"];
  expect(found(`key ${mixed}`, [`${mixed}7Kq9LmN2pR4sT6v`])).toEqual([mixed]);
  expect(found(`key ${small}`, [`${small}7kq9lmn2pr4st6v`])).toEqual([small]);
});

test("the beginning of a vendor's keys, and words, are no part of one", () => {
  expect(found("Keys begin with sk-ant-api03- here.", ["sk-ant-api03-x7Kq9LmN2pR4sT6v"])).toEqual([]);
  expect(found("the production-gateway answers", ["production-gateway-7f3K9q2LmX"])).toEqual([]);
});

test("a text that is nearly a secret everywhere costs a few steps a byte", () => {
  expect(found("a1".repeat(200_000), [`${"a1".repeat(2000)}b`]).join("").length).toBeGreaterThan(390_000);
  expect(found("ab".repeat(200_000), [`${"abab1".repeat(800)}`])).toEqual([]);
});
