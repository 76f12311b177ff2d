import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "../../dev/random.test-kit.ts";
import { sampleOf } from "../../reference/sample.ts";
import { createMatch } from "./schema-match.ts";

const mismatch = createMatch({ take: () => true });

const ajv = new Ajv2020({ strict: false });
const places = {
  type: "object",
  properties: { city: { type: "string", minLength: 2 }, near: { $ref: "#/$defs/near" } },
  required: ["city"],
  additionalProperties: false,
  $defs: { near: { type: ["array", "null"], items: { $ref: "#" }, maxItems: 3 } },
};

test.each<[string, object, unknown, string | undefined]>([
  ["a value that follows", places, { city: "Oslo", near: [{ city: "Moss" }] }, undefined],
  ["a wrong type in depth", places, { city: "Oslo", near: [{ city: 7 }] }, "/near/0/city"],
  ["a member missing", places, { near: null }, "/city"],
  ["a member too many", places, { city: "Oslo", "a/b": 1 }, "/a~1b"],
  ["too many items", places, { city: "Oslo", near: Array(4).fill({ city: "Moss" }) }, "/near"],
  ["an enum of objects, members in another order", { enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, undefined],
  ["no alternative", { anyOf: [{ type: "string" }, { const: 1 }] }, 2, ""],
  ["an unknown keyword", { type: "string", format: "date" }, "soon", undefined],
])("%s", (_what, schema, value, pointer) => {
  expect(mismatch(schema, value)?.pointer).toBe(pointer);
});

test.each([
  places,
  { type: "object", properties: { when: { enum: ["now", "later"] }, count: { type: "integer", minimum: 3 } } },
  { type: "array", items: { type: "number", exclusiveMinimum: 0, maximum: 0.5 }, minItems: 2 },
  { anyOf: [{ type: "object", properties: { self: { $ref: "#" } }, required: ["self"] }, { type: "null" }] },
])("a sample follows its schema: %j", (schema) => {
  const sample = sampleOf(schema);
  expect(mismatch(schema, sample)).toBeUndefined();
  expect(ajv.validate(schema, sample)).toBe(true);
});

const leaf = fc.oneof(
  fc.record({ type: fc.constantFrom("string", "integer", "boolean", "null", "object", "array") }),
  fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 0 }), { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constant("number"), minimum: fc.integer({ min: -2, max: 2 }) }),
);
const ofKind = fc.oneof(
  fc.record({ const: fc.constantFrom(0, "x", true, null) }),
  fc.record({ enum: fc.subarray([0, "x", true, [], null], { minLength: 1 }) }),
);
const schemas = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat(2) }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
      required: fc.subarray(["a", "b"]),
      additionalProperties: fc.boolean(),
    }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({
      anyOf: fc.array(
        fc.oneof(
          { weight: 5, arbitrary: fc.record({ properties: fc.record({ a: ofKind, b: tie("schema") }) }) },
          { weight: 1, arbitrary: tie("schema") },
        ),
        { minLength: 4, maxLength: 6 },
      ),
    }),
  ),
})).schema as fc.Arbitrary<object>;
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue({ maxDepth: 1 })),
);

test("it agrees with a full validator on the keywords it knows", () => {
  fc.assert(
    fc.property(schemas, values, (schema, value) => {
      expect(mismatch(schema, value) === undefined).toBe(ajv.validate(schema, value));
    }),
    fuzz(400),
  );
});
