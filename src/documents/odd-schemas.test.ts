/** Schemas as generators and people write them: what they allow passes, what they rule out is found, and all of it is proven. */
import { expect, test } from "vitest";
import { documentOf, errorsIn, openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const str = { type: "string" };
const int = { type: "integer" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

interface Row {
  readonly schema: unknown;
  readonly good: readonly unknown[];
  readonly bad?: readonly unknown[];
  /** Words of the contradiction that is named. */
  readonly contradicts?: string;
}

/** By the name of a member, which says what is odd about it. */
const rows: Readonly<Record<string, Row>> = {
  fractionBetween: { schema: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, good: [0.5], bad: [0, 1] },
  wholeBetween: { schema: { ...int, exclusiveMinimum: 1, exclusiveMaximum: 3 }, good: [2], bad: [1, 3] },
  tinySteps: { schema: { ...int, multipleOf: 1e-8 }, good: [1, 7] },
  onlyTrue: { schema: { type: "boolean", enum: [true] }, good: [true], bad: [false] },
  listedObject: {
    schema: { type: "object", properties: { a: int }, enum: [{ a: 1 }] },
    good: [{ a: 1 }],
    bad: [{ a: 2 }, {}],
  },
  listedList: { schema: { enum: [[1], ["x"]] }, good: [[1]], bad: [[2]] },
  withoutSigns: { schema: { ...str, pattern: "^[^<>]*$" }, good: ["a b!"], bad: ["<a>"] },
  constNull: { schema: { const: null }, good: [null], bad: [1] },
  tuple: { schema: { type: "array", prefixItems: [str, int], items: { type: "boolean" } }, good: [["a", 1, true]] },
  oldTuple: { schema: { type: "array", items: [str, int] }, good: [["a", 1, "more"]] },
  noItems: { schema: { type: "array", items: false }, good: [[]] },
  everything: { schema: { ...str, pattern: "" }, good: ["x", ""] },
  lookahead: { schema: { ...str, pattern: "^(?=.*[A-Z])(?=.*\\d).{3,}$" }, good: ["A1b"], bad: ["x"] },
  lookaheadOfCharacters: {
    schema: { ...str, pattern: "^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d@!]{8,16}$" },
    good: ["Abcdefg1"],
    bad: ["abcdefgh"],
  },
  forbiddenStart: { schema: { ...str, pattern: "^(?!forbidden)", maxLength: 20 }, good: ["x"], bad: ["forbidden x"] },
  forbiddenNames: { schema: { ...str, pattern: "^(?!(con|prn)$).*$" }, good: ["cons"], bad: ["con", "prn"] },
  forbiddenAnywhere: { schema: { ...str, pattern: "^((?!secret).)*$" }, good: ["x"], bad: ["a secret"] },
  boundedByPattern: { schema: { ...str, pattern: "^[\\s\\S]{0,300}$" }, good: ["x"], bad: ["x".repeat(301)] },
  withoutRepetition: { schema: { ...str, pattern: "^(?!.*([a-z])\\1)[a-z]+$" }, good: ["aba"], bad: ["abb"] },
  patternSaysLength: {
    schema: { ...str, pattern: "^[a-z]{5,7}$", minLength: 5, maxLength: 7 },
    good: ["abcde"],
    bad: ["ABCDE"],
  },
  formatSaysLength: {
    schema: { ...str, format: "uuid", minLength: 36, maxLength: 36 },
    good: ["123e4567-e89b-42d3-a456-426614174000"],
    bad: ["x".repeat(36)],
  },
  addressesOfOne: {
    schema: { ...str, format: "email", pattern: "@corp\\.com$" },
    good: ["a@corp.com"],
    bad: ["a@b.com", "a b@corp.com"],
  },
  shortAddress: { schema: { ...str, format: "uri", maxLength: 12 }, good: ["http://a.b/"], bad: ["http://a.bcdef"] },
  longAddress: { schema: { ...str, format: "uri", minLength: 60 }, good: [], bad: ["https://example.com/"] },
  inSlashes: { schema: { ...str, pattern: "/^foo$/" }, good: ["foo"], contradicts: "No text matches it" },
  patternBesideLength: {
    schema: { ...str, pattern: "^([0-9a-f]{2})+$", minLength: 9, maxLength: 9 },
    good: ["x", "123456789"],
    contradicts: "has the length",
  },
  dateOfDigits: { schema: { ...str, format: "date", pattern: "^\\d{8}$" }, good: ["20241231", "2024-12-31"] },
  twoPatterns: { schema: { ...str, allOf: [{ pattern: "^a" }, { pattern: "b$" }] }, good: ["ab", "a"], bad: ["b"] },
  datesTooShort: { schema: { ...str, format: "date", maxLength: 3 }, good: ["abcd"] },
  lengths: {
    schema: { ...str, minLength: 5, maxLength: 2 },
    good: ["abc"],
    contradicts: "minLength is above maxLength",
  },
  limits: { schema: { ...int, minimum: 5, maximum: 3 }, good: [4], contradicts: "No number lies within" },
  noWholeNumber: {
    schema: { ...int, exclusiveMinimum: 1, exclusiveMaximum: 2 },
    good: [1],
    contradicts: "No number lies within",
  },
  noMultiple: { schema: { ...int, multipleOf: 7, minimum: 8, maximum: 13 }, good: [9], contradicts: "No number lies" },
  counts: {
    schema: { type: "array", items: str, minItems: 4, maxItems: 1 },
    good: [["a", "b"]],
    contradicts: "minItems is above maxItems",
  },
  constOfAnotherType: { schema: { ...str, const: 5 }, good: ["x"], contradicts: "No value that it lists" },
  constBesideList: { schema: { enum: ["x"], const: "y" }, good: ["x", "y"], contradicts: "No value that it lists" },
  twoConstants: {
    schema: { allOf: [{ const: 1 }, { const: 2 }] },
    good: [1, 2],
    contradicts: "one value, and another",
  },
  listsApart: {
    schema: { allOf: [{ enum: ["a"] }, { enum: ["b"] }] },
    good: ["a", "b"],
    contradicts: "No value is allowed by all lists",
  },
  listedTooLong: {
    schema: { ...str, enum: ["abcd"], maxLength: 3 },
    good: ["abc"],
    contradicts: "No value that it lists",
  },
};

const schema = {
  type: "object",
  properties: Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.schema])),
};
const opened = openDocument(documentOf(schema));

test.each(Object.entries(rows))("%s", async (name, { good, bad = [], contradicts }) => {
  const catalogue = await opened;
  for (const value of good) expect([value, errorsIn(catalogue, { [name]: value })]).toEqual([value, []]);
  for (const value of bad) expect(errorsIn(catalogue, { [name]: value }), JSON.stringify(value)).toHaveLength(1);
  const { things = [] } = catalogue.contradictions?.() ?? {};
  const named = things.filter(({ place }) => place.includes(`/properties/${name}`)).map(({ says }) => says);
  expect(named).toEqual(contradicts === undefined ? [] : [expect.stringContaining(contradicts)]);
});

test("what no example can be made of says what is wrong with those that are made", async () => {
  const list = { type: "array", items: { enum: ["a", "b"] }, minItems: 3, uniqueItems: true };
  const { gaps } = await proofOf(await openDocument(documentOf({ type: "object", properties: { list } })));
  const told = gaps.map(({ clause, kind, why }) => [clause, kind, why]);
  const why = 'no value of it can be made: ["a","b","a"] violates uniqueItems';
  expect(told).toContainEqual(["things.request.list-unique-items", "unexampled", why]);
  expect(told).toContainEqual(["things.request.list-items-enum", "unexampled", why]);
});

test("each of these clauses is proven, or says why it is not judged", async () => {
  const catalogue = await opened;
  const gaps = (await proofOf(catalogue)).gaps.map(({ clause, kind }) => [clause, kind]);
  // It matches every text.
  expect(gaps).toEqual([["things.request.everything-pattern", "unexampled"]]);
  for (const { opaque, reason } of ownClauses(catalogue)) if (opaque) expect(reason).toMatch(/\w{3}/);
});

test("only what cannot be decided is left undecided", async () => {
  const opaque = ownClauses(await opened).filter((one) => one.opaque);
  const names = opaque.map(({ id }) => id.replace("things.request.", ""));
  const ofTexts = names.filter((name) => /-(?:pattern|format|min-length|max-length)(?:-\d)?$/.test(name));
  expect(ofTexts.sort()).toEqual([
    ...["date-of-digits-format", "date-of-digits-pattern", "dates-too-short-format", "dates-too-short-max-length"],
    ...["in-slashes-pattern", "lengths-max-length", "lengths-min-length", "pattern-beside-length-max-length"],
    ...["pattern-beside-length-min-length", "pattern-beside-length-pattern", "two-patterns-pattern-2"],
  ]);
});

test("a limit that a list of different listed values cannot exceed is left undecided", async () => {
  const list = (most: number) => ({ type: "array", items: { enum: ["a", "b"] }, uniqueItems: true, maxItems: most });
  const union = { oneOf: [str, list(2)] };
  const properties = { plain: list(2), union };
  const catalogue = await openDocument(documentOf({ type: "object", properties }));
  const opaque = ownClauses(catalogue).filter((one) => one.opaque);
  expect(opaque.map(({ id }) => id)).toEqual(["things.request.plain-max-items", "things.request.union-max-items"]);
  expect(errorsIn(catalogue, { plain: ["a", "a"], union: ["a", "b"] })).toEqual(["things.request.plain-unique-items"]);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("children that refer to a parent which lists them are told apart, however they are nested", async () => {
  const child = (own: object) => ({ type: "object", allOf: [ref("Pet"), { type: "object", properties: own }] });
  const pet = {
    type: "object",
    required: ["type"],
    discriminator: { propertyName: "type" },
    properties: { type: str },
    oneOf: [ref("Dog"), ref("Cat"), ref("Fox")],
  };
  const components = {
    Pet: pet,
    Dog: child({ bark: { type: "boolean" } }),
    Cat: child({ lives: int }),
    Fox: child({ friend: ref("Pet") }),
  };
  const catalogue = await openDocument(documentOf(ref("Pet"), ref("Dog"), components));
  expect(errorsIn(catalogue, { type: "Cat", lives: 9 }, { type: "Dog", bark: true })).toEqual([]);
  expect(errorsIn(catalogue, { type: "Cat", lives: "nine" })).toHaveLength(1);
  expect(errorsIn(catalogue, { type: "Fox", friend: { type: "Dog", bark: 1 } })).toHaveLength(1);
  expect(errorsIn(catalogue, { type: "Dog" }, { bark: 1 })).toHaveLength(2);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});

test("alternatives that list each other end", async () => {
  const names = Array.from({ length: 9 }, (_, i) => `A${i}`);
  const components = Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: "object",
        required: ["kind"],
        properties: { kind: { type: "string", enum: [name] }, [`of${name}`]: int },
        oneOf: names.filter((other) => other !== name).map(ref),
      },
    ]),
  );
  const catalogue = await openDocument(documentOf(ref("A0"), undefined, components));
  expect(ownClauses(catalogue).length).toBeGreaterThan(2);
});
