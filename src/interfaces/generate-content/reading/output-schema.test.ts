/** Holds what a Schema object demands of a value, and that samples made from schemas obey them. */
import { expect, test } from "vitest";
import { sampleOf } from "../../../reference/generate-content/sample.ts";
import { createMatching, mismatches } from "./output-schema.ts";

const places = (value: unknown, schema: unknown): string[] =>
  [...mismatches(value, schema, createMatching({ take: () => true }))].map(({ pointer }) => pointer);

const fruit = {
  type: "OBJECT",
  properties: {
    name: { type: "STRING", enum: ["apple", "pear"] },
    weight: { type: "number", minimum: 1, maximum: 9 },
    seeds: { type: "ARRAY", items: { type: "INTEGER" }, minItems: 1, maxItems: 2 },
    note: { type: "STRING", nullable: true, minLength: 2, maxLength: 3 },
  },
  required: ["name"],
};

test.each<[string, unknown, string[]]>([
  ["a good value", { name: "pear", weight: 9, seeds: [1], note: null, more: 1 }, []],
  ["another type", [], [""]],
  ["a missing member", {}, ["/name"]],
  ["no value of the enum", { name: "plum" }, ["/name"]],
  ["numbers out of range", { name: "pear", weight: 10 }, ["/weight"]],
  ["a fraction for an integer", { name: "pear", seeds: [1.5] }, ["/seeds/0"]],
  ["too many items", { name: "pear", seeds: [1, 2, 3] }, ["/seeds"]],
  ["a text too short", { name: "pear", note: "a" }, ["/note"]],
  ["characters, not code units", { name: "pear", note: "😀😀😀" }, []],
])("%s", (_what, value, expected) => {
  expect(places(value, fruit)).toEqual(expected);
});

test.each([[null], ["x"], [{ type: 3 }], [{ type: "thing" }], [{ type: "OBJECT", anyOf: [{ type: "STRING" }] }], [{}]])(
  "a schema that demands nothing clear accuses nothing: %j",
  (schema) => {
    expect(places("text", schema)).toEqual([]);
  },
);

test.each([
  fruit,
  { type: "array", items: { type: "string", format: "date" }, minItems: 3 },
  { type: "STRING", minLength: 12 },
  { type: "INTEGER", minimum: 7.5 },
  { type: "NUMBER", maximum: -3 },
])("a sample obeys its schema", (schema) => {
  expect(places(sampleOf(schema), schema)).toEqual([]);
});
