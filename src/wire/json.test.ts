/** Holds what JSON parsing hides: repeated keys and integers written with a fraction; and that nothing throws. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { beyondIn, jsonFault, maxDepth, parseJson } from "./json.ts";
import { duplicateKeys, fractionalIntegers, lexicalIssuesIn } from "./json-issues.ts";
import { lintJson, lintText } from "./json-lint.ts";
import { resolvePointer } from "./pointer.ts";
import { createSameShapeLint } from "./same-shape.ts";

const deep = 100_000;

describe("parsing", () => {
  test("skips one byte order mark", () => {
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(parseJson("\uFEFF\uFEFF1")).toMatchObject({ ok: false });
  });

  test.each(["", "NaN", "[Infinity]", "{'a':1}", "[1,]", "01", '"\n"', "undefined", '{"a":1}x'])(
    "refuses %j",
    (text) => {
      expect(parseJson(text)).toMatchObject({ ok: false, problem: /./ });
    },
  );

  test("nesting that nobody sends is not read, closed or not", () => {
    const beyond = { ok: false, beyond: true, problem: `it nests deeper than ${maxDepth} levels` };
    expect(parseJson(`${"[".repeat(deep)}${"]".repeat(deep)}`)).toEqual(beyond);
    expect(parseJson("[".repeat(deep))).toEqual(beyond);
    expect(parseJson('{"a":'.repeat(deep))).toEqual(beyond);
    const [opening, closing] = ["[".repeat(maxDepth), "]".repeat(maxDepth)];
    expect(beyondIn(opening + closing)).toBeUndefined();
    expect(beyondIn(`[${opening}${closing}]`)).toBe(beyond.problem);
  });

  test("brackets within texts are no nesting, and more values than are read are not read", () => {
    const text = JSON.stringify(["[{".repeat(deep), '\\"[', "\\\\"]);
    expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
    const values = JSON.stringify(Array(deep).fill(0));
    expect(parseJson(values, deep)).toMatchObject({ ok: true });
    expect(parseJson(values, deep - 1)).toMatchObject({ ok: false, beyond: true });
  });
});

describe("repeated keys", () => {
  test.each([
    ['{"a":1,"b":2,"a":3}', ["/a"]],
    ['{"a":1,"\\u0061":2}', ["/a"]],
    ['{"a":{"b":1},"c":{"b":1}}', []],
    ['[{"a":1},{"a":1,"a":{"a":1}}]', ["/1/a"]],
    ['{"x":[0,{"a/b~":1,"a/b~":2}]}', ["/x/1/a~1b~0"]],
    ['{"a":"a","b":"a\\",\\"a\\":1","c":["a","a"]}', []],
    ['{"a\\\\":1,"a\\\\":2}', ["/a\\"]],
    ['{"":1,"":2,"__proto__":1,"__proto__":2}', ["/", "/__proto__"]],
    [' { "a" : 1 ,\n"a" : 2 } ', ["/a"]],
    ["[]", []],
    ['"a"', []],
  ])("of %s", (text, pointers) => expect(duplicateKeys(text)).toEqual(pointers));

  test("are found among many", () => {
    const keys = Array.from({ length: 5000 }, (_, i) => `"k${i}":0`);
    expect(duplicateKeys(`{${[...keys, '"k4711":1'].join()}}`)).toEqual(["/k4711"]);
  });
});

describe("integers with fraction or exponent", () => {
  test.each([
    ['{"a":1.0,"b":1.5,"c":1e3,"d":-0.0,"e":15E-1,"f":150e-1}', ["/a", "/c", "/d", "/f"]],
    ["[1,2.50,1.50e1,10]", ["/2"]],
    ["1.0", [""]],
    ["[ 1.0 ]", ["/0"]],
    ['{"a":"1.0","b":", 1.0,","c":1}', []],
    ['{"a":"\\", 1.0 ,\\"","b":"\\\\","c":2.0}', ["/c"]],
    ["[0.1,1.01,1e-3,1e400]", []],
  ])("of %s", (text, pointers) => expect(fractionalIntegers(text)).toEqual(pointers));
});

test("neither is bothered by depth, and the list of pointers is bounded", () => {
  const text = `${'{"a":1,"a":[2,1.0,'.repeat(deep)}0${"]}".repeat(deep)}`;
  for (const find of [duplicateKeys, fractionalIntegers]) {
    const found = find(text);
    expect(found.length).toBeLessThanOrEqual(100);
    expect(found[1]).toMatch(/^\/a\/2\/a/);
  }
});

test("JSON as it is usually written has neither, whatever it says", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(duplicateKeys(text)).toEqual([]);
      for (const place of fractionalIntegers(text))
        expect(String(resolvePointer(JSON.parse(text), place))).toMatch("e");
    }),
    fuzz(500),
  );
});

test("no text makes them throw", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", "1.0", "-", "e3", " ", "a")),
      (tokens) => {
        const text = tokens.join("");
        parseJson(text);
        duplicateKeys(text);
        fractionalIntegers(text);
      },
    ),
    fuzz(1000),
  );
});

test("the lint misses no lexical issue", () => {
  const key = fc.constantFrom('"a"', '"b"', '"ab"', '"\\u0061"', '"é"', '"a\\"b"', '""', '"prompt_tokens"');
  const scalar = fc.constantFrom(
    "1",
    "1.0",
    "-1.50",
    "2.500",
    "1e3",
    "1E-1",
    "1.5e1",
    "null",
    '"a\\\\"',
    '"1.0"',
    '"x"',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, scalar, tie("list"), tie("object")),
    list: fc.array(tie("value")).map((items) => `[${items.join(" ,")}]`),
    object: fc
      .array(fc.tuple(key, tie("value")))
      .map((members) => `{${members.map(([k, v]) => `${k} : ${v}`).join()}}`),
  }));
  fc.assert(
    fc.property(value, (drawn) => {
      const text = drawn as string;
      const duplicates = duplicateKeys(text);
      const fractions = fractionalIntegers(text);
      const issues = duplicates.length + fractions.length > 0 ? { duplicates, fractions } : undefined;
      expect(lexicalIssuesIn(text, lintJson(Buffer.from(text)))).toEqual(issues);
      // Neither does it depend on a text before it, of which more is left than this one has.
      for (const filler of [":", "5"]) {
        lintText(filler.repeat(text.length + 9));
        expect(lexicalIssuesIn(text, lintText(text))).toEqual(issues);
      }
      // Texts that came before are remembered by their shape.
      expect(lexicalIssuesIn(text, createSameShapeLint(100)(text))).toEqual(issues);
    }),
    fuzz(2000),
  );
});

test.each([
  ["{broken", /^not valid JSON: Expected property name/],
  ["<!doctype html>", /^not valid JSON: Unexpected token '<'(?!.*valid JSON)/],
  ["[".repeat(70_000), /^it nests deeper/],
])("the fault of %s reads as a phrase of its own", (text, told) => {
  const json = parseJson(text);
  expect(json.ok ? "" : jsonFault(json)).toMatch(told);
});
