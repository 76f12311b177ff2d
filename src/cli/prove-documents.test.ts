/** `touchstone prove` of an own document that contradicts itself. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Clause } from "../check/clause.ts";
import { documentOf, folderOf } from "../documents/documents.test-kit.ts";
import { blameDocument, type Gap } from "../prove/proof-record.ts";
import { touchstoneHere } from "./here.test-kit.ts";

const text = { type: "string" };
const faulty = documentOf(
  {
    type: "object",
    properties: { a: { type: "integer", example: "x" }, b: { type: "string", minLength: 5, maxLength: 3 } },
  },
  { type: "object", properties: { c: { allOf: [text, { type: "integer" }] }, d: text }, required: ["c", "d"] },
);
const path = join(folderOf({ "openapi.json": faulty }), "openapi.json");

test("exits with 0 if only the document is to blame, and lists its contradictions", async () => {
  const { code, stdout } = await touchstoneHere(["prove", "--documents", path]);
  expect(stdout).toContain("contradictions of the document, which are no gaps:\n");
  expect(stdout).toContain(`This example violates its schema: "x" is no integer.`);
  expect(stdout).toContain("No value obeys it: minLength is above maxLength.");
  expect(stdout).toContain("No type is allowed by all schemas that hold for the value.");
  expect(code).toBe(0);
});

test("lists contradictions in JSON", async () => {
  const { code, stdout } = await touchstoneHere(["prove", "--documents", path, "--format", "json"]);
  const { contradictions, silent, dead } = JSON.parse(stdout) as Record<string, unknown[]>;
  expect([code, silent, dead, contradictions?.length]).toEqual([0, [], [], 3]);
});

test("blames the document for a gap only where it contradicts itself", () => {
  const clause = (section: string) => ({ document: { name: "things", section } }) as Clause;
  const gap: Gap = { clause: "things.response.a-type", kind: "dead", why: "no example exercises it" };
  const contradictions = [{ place: "/components/schemas/A/allOf/1/type", says: "No type is allowed." }];
  expect(blameDocument(gap, clause("/components/schemas/A/properties/x/type"), contradictions).kind).toBe(
    "contradicted",
  );
  expect(blameDocument(gap, clause("/components/schemas/A/allOf/0/minLength"), contradictions).kind).toBe(
    "contradicted",
  );
  expect(blameDocument(gap, clause("/components/schemas/B/type"), contradictions)).toBe(gap);
  expect(blameDocument(gap, clause("/components/schemas/AB/type"), contradictions)).toBe(gap);
});
