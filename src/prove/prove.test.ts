/** A tiny catalogue whose clauses each have a flaw of another kind: proving names every one, and passes the sound ones. */
import { describe, expect, test } from "vitest";
import type { Catalogue } from "../check/catalogue.ts";
import { compile, liveValidators } from "../check/compile.ts";
import type { Example } from "../check/example.ts";
import type { Interface } from "../check/interface.ts";
import type { Rule } from "../check/rule.ts";
import type { SchemaSource } from "../check/schema-files.ts";
import { jsonRequest } from "../wire/build.ts";
import { editJson } from "../wire/edit.ts";
import { mutantsOf } from "./mutants.ts";
import { prove } from "./prove.ts";
import { createTracer } from "./trace.ts";

type Body = Record<string, unknown>;

const names = [
  ...[
    "size-type",
    "size-limit",
    "unseen-limit",
    "never-met",
    "strict-limit",
    "shadowed",
    "too-strict-limit",
    "odd",
    "lazy",
    "idle",
  ],
];
const clauses: SchemaSource = {
  path: "tiny/a.clauses.json",
  content: {
    document: "tiny",
    clauses: names.map((name) => ({ name, at: "Body", says: `${name}.`, on: "request", level: "must" })),
  },
};
const own = (keyword: string, name: string) => ({ clause: { [keyword]: `tiny.a.${name}` } });
const schema: SchemaSource = {
  path: "tiny/a.schema.json",
  content: {
    properties: {
      // Sound: a type and a limit.
      size: { type: "integer", maximum: 10, clause: { type: "tiny.a.size-type", maximum: "tiny.a.size-limit" } },
      // No reading ever reports it.
      unseen: {
        maximum: 10,
        reading: { id: "T-OFF", default: "off", strict: "off" },
        ...own("maximum", "unseen-limit"),
      },
      // No example has it.
      missing: { type: "string", ...own("type", "never-met") },
      // Only the strict reading reports it, which is enough.
      strict: {
        maximum: 10,
        reading: { id: "T-STRICT", default: "off", strict: "error" },
        ...own("maximum", "strict-limit"),
      },
      // A value that breaks it always breaks the rule `odd` as well.
      count: { enum: [2, 4], ...own("enum", "shadowed") },
      // Says at most 10 in one place and less than 10 in another, in the name of one clause.
      tooStrict: {
        maximum: 10,
        ...own("maximum", "too-strict-limit"),
        allOf: [{ exclusiveMaximum: 10, ...own("exclusiveMaximum", "too-strict-limit") }],
      },
    },
  },
};

const rule = (name: string, applies: boolean, isBad: (body: Body) => boolean, spoil: (body: Body) => void): Rule => ({
  clause: `tiny.a.${name}`,
  applies: () => applies,
  *check(subject) {
    if (isBad(subject.requestJson)) yield { side: "request", in: "body", expected: "otherwise", actual: "so" };
  },
  spoil: (exchange) => editJson(exchange, "request", (body: Body) => spoil(body)),
});

const tiny: Interface = {
  name: "tiny",
  document: "tiny",
  operations: [
    { name: "POST /a", method: "POST", at: (path) => path.search(/\/a$/), schemas: { request: "/tiny/a.schema.json" } },
  ],
  streams: () => false,
  refusalBody: () => ({}),
  rules: [
    rule(
      "odd",
      true,
      ({ count }) => count !== 2 && count !== 4,
      (body) => void (body["count"] = 3),
    ),
    // Finds nothing, whatever is done.
    rule(
      "lazy",
      true,
      () => false,
      (body) => void (body["lazy"] = true),
    ),
    rule(
      "idle",
      false,
      () => true,
      (body) => void (body["idle"] = true),
    ),
  ],
};

const sources = [clauses, schema];
const compiled = compile(sources, { source: false });
const validators = liveValidators(compiled);
const catalogue: Catalogue = {
  clauses: compiled.clauses,
  interfaces: [tiny],
  indexOf: (id) => compiled.clauses.findIndex((clause) => clause.id === id),
  validator: (id) => validators[id]!,
  readings: {},
  own: new Set(),
  digests: () => ({}),
  sources: () => sources,
  examples: async () => ({ exchanges: {}, conversations: {} }),
  recordings: async () => ({}),
};
const good: Example = {
  name: "good",
  exchange: {
    request: jsonRequest("/a", [], { size: 3, unseen: 3, strict: 3, count: 2, tooStrict: 3 }),
    response: null,
  },
};

const ground = { exchanges: { tiny: [good] }, conversations: {}, tracer: createTracer(sources) };

describe("proving", () => {
  const proof = prove(catalogue, ground);
  const gaps = Object.fromEntries(
    proof.gaps.map(({ clause, kind, why }) => [clause.replace("tiny.a.", ""), `${kind}: ${why}`]),
  );

  test("names a schema keyword that no violation makes speak", () => {
    expect(gaps["unseen-limit"]).toBe("silent: maximum at /unseen");
  });

  test("names a rule that does not see its own spoil", () => {
    expect(gaps["lazy"]).toBe("silent: the rule's spoil");
  });

  test("names what no example exercises, by shape and by rule", () => {
    expect(gaps["never-met"]).toBe("dead: no example exercises it");
    expect(gaps["idle"]).toBe("dead: no example exercises it");
  });

  test("names clauses that cannot be broken alone", () => {
    expect(gaps["shadowed"]).toMatch(/^collateral: enum at \/count also breaks tiny\.a\.odd$/);
    expect(gaps["odd"]).toMatch(/^collateral: the rule's spoil also breaks tiny\.a\.shadowed$/);
  });

  test("names a limit that accuses what it allows", () => {
    expect(gaps["too-strict-limit"]).toBe("false-positive: maximum at /tooStrict");
  });

  test("passes the sound ones, with an exchange that breaks each", () => {
    expect(proof.proven).toEqual(["tiny.a.size-limit", "tiny.a.size-type", "tiny.a.strict-limit"]);
    const broken = proof.counterexamples.get("tiny.a.size-limit")!;
    expect(JSON.parse(Buffer.from(broken.request.body).toString("utf8"))["size"]).toBe(11);
    expect(proof.origins.get("tiny.a.size-limit")).toBe(good);
  });

  test("accepts what is declared to break along", () => {
    const declared: Catalogue = {
      ...catalogue,
      clauses: catalogue.clauses.map((clause) => ({ ...clause, alsoBreaks: ["tiny.a.odd", "tiny.a.shadowed"] })),
    };
    const of = prove(declared, ground, ({ id }) => /odd|shadowed/.test(id));
    expect(of.gaps).toEqual([]);
  });
});

describe("boundaries come in threes", () => {
  const tries = (keyword: string, limit: unknown, value: unknown, more: object = {}) =>
    mutantsOf({ clause: "", keyword, node: { [keyword]: limit, ...more }, pointer: "", value, isName: false });
  const sizes = (values: readonly unknown[]): number[] => values.map((value) => Object.keys(value as object).length);

  test.each([
    ["minimum", 5, [4], [5, 6]],
    ["maximum", 5, [6], [5, 4]],
  ] as const)("of %s", (keyword, limit, beyond, within) => {
    expect(tries(keyword, limit, 5)).toEqual({ beyond, within });
  });

  test("of limits that exclude their end", () => {
    expect(tries("exclusiveMinimum", 0, 1, { type: "integer" })).toEqual({ beyond: [0, -1], within: [1] });
    expect(tries("exclusiveMaximum", 1, 0.5, { type: "number" }).within).toEqual([1 - 1 / 1024]);
  });

  test("of lengths, counted in characters and not in their units", () => {
    const { beyond, within } = tries("maxLength", 4, "abc");
    expect(beyond.map((text) => [...(text as string)].length)).toEqual([5, 5]);
    expect(within.map((text) => [...(text as string)].length)).toEqual([4, 4, 3]);
    expect(within.map((text) => (text as string).length)).toContain(8);
    expect(tries("minLength", 1, "abc")).toEqual({ beyond: [""], within: ["x", "xx"] });
  });

  test("of lists and maps", () => {
    expect(sizes(tries("maxItems", 2, [1]).beyond)).toEqual([3]);
    expect(sizes(tries("maxItems", 2, [1]).within)).toEqual([2, 1]);
    expect(sizes(tries("minItems", 2, [1, 2]).beyond)).toEqual([1]);
    expect(sizes(tries("minItems", 2, [1, 2]).within)).toEqual([2, 3]);
    expect(sizes(tries("maxProperties", 2, { a: 1 }).beyond)).toEqual([3]);
    expect(sizes(tries("maxProperties", 2, { a: 1 }).within)).toEqual([2, 1]);
    expect(sizes(tries("minProperties", 1, { a: 1 }).beyond)).toEqual([0]);
    expect(sizes(tries("minProperties", 1, { a: 1 }).within)).toEqual([1, 2]);
  });

  test("and every value of an enum is tried, null apart", () => {
    expect(tries("enum", ["a", "b", null], "a").within).toEqual(["a", "b"]);
  });
});
