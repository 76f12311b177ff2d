/** Lists and objects in parameters: every style of OpenAPI is read, and a spelling that may mean two things accuses nobody. */
import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { openDocument, ownClauses, proofOf } from "./documents.test-kit.ts";

const str = { type: "string" };
const int = { type: "integer" };
const color = { type: "string", enum: ["red", "green", "blue"] };
const ints = { type: "array", items: int, minItems: 2, maxItems: 3 };
const texts = { type: "array", items: { ...str, maxLength: 5 }, maxItems: 2 };
const colors = { type: "array", items: color, uniqueItems: true };
const range = { type: "object", properties: { from: int, to: int, unit: color }, required: ["from"] };

interface Row {
  readonly parameter: object;
  readonly good: readonly string[];
  /** By what is sent, the one clause that it violates. */
  readonly bad: Readonly<Record<string, string>>;
  /** Clauses that cannot be decided. */
  readonly opaque?: number;
}

const query = (schema: object, more: object = {}) => ({ name: "p", in: "query", schema, ...more });
const inPath = (schema: object, more: object = {}) => ({ name: "p", in: "path", required: true, schema, ...more });
const inHeader = (schema: object, more: object = {}) => ({ name: "X-P", in: "header", schema, ...more });
const inCookie = (schema: object, more: object = {}) => ({ name: "p", in: "cookie", schema, ...more });
const joined = { explode: false };
const required = { required: true };
const deep = { style: "deepObject", explode: true };

const inQuery: Readonly<Record<string, Row>> = {
  repeated: {
    parameter: query(ints, required),
    good: ["p=1&p=2", "p=1&p=%32&x=z&p=3", "p=1,2", "p=", "p", "p[]=x", "p[0]=1", "p=[1,2]&p=1,2", "p=[redacted]"],
    bad: {
      "p=1": "query-p-min-items",
      "p=1&p=2&p=3&p=4": "query-p-max-items",
      "p=1&p=x": "query-p-items-type",
      "q=1": "query-p-required",
    },
  },
  joined: {
    parameter: query(ints, joined),
    good: ["p=1,2", "p=1%2C2", "p=1,+2", "p=1,,2", "p=1&p=2&p=3&p=4", "p[]=1", "p=,", "q=1"],
    bad: { "p=1": "query-p-min-items", "p=1%2Cx": "query-p-items-type", "p=1,2,3,4": "query-p-max-items" },
  },
  joinedTexts: {
    parameter: query(texts, joined),
    // A comma with an escape may stand within an item.
    good: ["p=a,b", "p=a%2Cb%2Cc", "p=longer%2Ctext", "p=[redacted],b,c"],
    bad: { "p=a,b,c": "query-p-max-items", "p=longer,b": "query-p-items-max-length" },
  },
  reservedTexts: { parameter: query(texts, { ...joined, allowReserved: true }), good: ["p=a,b,c"], bad: {}, opaque: 1 },
  reservedColors: {
    parameter: query(colors, { ...joined, allowReserved: true }),
    good: ["p=red,blue"],
    bad: { "p=red,pink": "query-p-items-enum" },
  },
  spaces: {
    parameter: query(ints, { style: "spaceDelimited" }),
    good: ["p=1%202", "p=1+2", "p=1,2", "p=1&p=2&p=3&p=4"],
    bad: { "p=1+x": "query-p-items-type", "p=1": "query-p-min-items" },
  },
  pipes: {
    parameter: query(colors, { style: "pipeDelimited" }),
    good: ["p=red|blue", "p=red%7Cblue", "p=red"],
    bad: { "p=red|red": "query-p-unique-items", "p=red%7Cpink": "query-p-items-enum" },
  },
  orNothing: {
    parameter: query({ anyOf: [colors, { type: "null" }] }),
    good: ["p=red&p=blue", "q=1", "p="],
    bad: { "p=pink": "query-p-items-enum" },
  },
  textOrTexts: { parameter: query({ oneOf: [color, colors] }), good: ["p=red", "p=pink&p=red"], bad: {}, opaque: 1 },
  ofObjects: { parameter: query({ type: "array", items: range }), good: ["p=1"], bad: {}, opaque: 1 },
  exploded: {
    parameter: query(range, required),
    good: ["from=1&to=2&unit=red&x=y", "from=1&to=", "p=1", "p.from=1", "p[to]=x"],
    bad: { "from=x": "query-p-from-type", "from=1&unit=pink": "query-p-unit-enum", "to=1": "query-p-from-required" },
  },
  maybeExploded: { parameter: query(range), good: ["", "to=1"], bad: { "to=x": "query-p-to-type" } },
  pageable: {
    parameter: query({ type: "object", properties: { page: int, sort: { type: "array", items: color } } }, required),
    good: ["", "page=0&sort=red&sort=blue", "sort=red,asc"],
    bad: { "page=x": "query-p-page-type", "sort=pink": "query-p-sort-items-enum" },
  },
  joinedObject: {
    parameter: query(range, joined),
    good: ["p=from,1,to,2", "p=from%2C1", "p=from,1,to", "p=from,x,other,1", "p=%7B%22from%22:1%7D", "p[from]=x"],
    bad: {
      "p=from,x": "query-p-from-type",
      "p=to,1": "query-p-from-required",
      "p=from,1,unit,pink": "query-p-unit-enum",
    },
  },
  deep: {
    parameter: query({ ...range, properties: { ...range.properties, ids: ints, in: range } }, { ...deep, ...required }),
    good: [
      "p[from]=1&p[to]=2",
      "p%5Bfrom%5D=1&p[ids]=1&p[ids]=2",
      "p[from]=1&p[ids][]=1&p[ids][]=2",
      "p[from]=1&p[ids]=1,2",
      "p[from]=1&p[in][from]=2",
      "p[from]=&p[to]=",
      "p.from=x",
      "p=1",
      "p[]=1",
    ],
    bad: {
      "p[from]=x": "query-p-from-type",
      "p[to]=1": "query-p-from-required",
      "p[from]=1&p[ids]=1": "query-p-ids-min-items",
      "p[from]=1&p[in][from]=x": "query-p-in-from-type",
      "from=1": "query-p-required",
    },
  },
  deepAlone: {
    parameter: query({ type: "object", required: ["a"], properties: { a: int } }, { ...deep, ...required }),
    good: ["p[a]=1", "p[b]=1"],
    bad: { "p[a]=x": "query-p-a-type", "q=1": "query-p-required" },
    opaque: 1,
  },
  deepOrNull: {
    parameter: query({ type: ["object", "null"], additionalProperties: str, maxProperties: 1 }, deep),
    good: ["p[a]=1", "p=null", "p="],
    bad: { "p[a]=1&p[b]=2": "query-p-max-properties" },
  },
  deepList: {
    parameter: query(colors, deep),
    good: ["p[]=red&p[]=blue", "p[0]=red", "p[]=", "p=red"],
    bad: { "p[]=red&p[]=pink": "query-p-items-enum", "p[0]=red&p[1]=red": "query-p-unique-items" },
  },
  deepOrNumber: {
    parameter: query({ anyOf: [{ type: "object", properties: { gte: int, lt: int } }, int] }, deep),
    good: ["p=1", "p[gte]=1&p[lt]=2", "p="],
    bad: { "p=x": "query-p-type", "p[gte]=x": "query-p-gte-type" },
  },
  json: {
    parameter: { name: "p", in: "query", content: { "application/json": { schema: range } }, required: true },
    good: ["p=%7B%22from%22:1%7D", 'p={"from":1}', "p="],
    bad: { "p={}": "query-p-from-required", 'p={"from":"1"}': "query-p-from-type", "p=x": "query-p-type" },
  },
};

const inOther: Readonly<Record<string, Row>> = {
  path: {
    parameter: inPath(ints),
    good: ["/1,2", "/1%2C2", "/1,,2", "/[redacted]"],
    bad: { "/1": "path-p-min-items", "/1,x": "path-p-items-type" },
  },
  pathObject: { parameter: inPath(range), good: ["/from,1"], bad: { "/from,x": "path-p-from-type" } },
  pathPairs: {
    parameter: inPath(range, { explode: true }),
    good: ["/from=1,to=2", "/from,1"],
    bad: { "/from=x": "path-p-from-type", "/to=1": "path-p-from-required" },
  },
  label: { parameter: inPath(int, { style: "label" }), good: ["/.5", "/5"], bad: { "/.x": "path-p-type" } },
  labels: {
    parameter: inPath(ints, { style: "label", explode: true }),
    good: ["/.1.2", "/1,2", "/.1,2"],
    bad: { "/.1": "path-p-min-items", "/.1.x": "path-p-items-type" },
  },
  matrix: { parameter: inPath(int, { style: "matrix" }), good: ["/;p=5", "/5"], bad: { "/;p=x": "path-p-type" } },
  matrixList: {
    parameter: inPath(ints, { style: "matrix" }),
    good: ["/;p=1,2"],
    bad: { "/;p=1,x": "path-p-items-type", "/;p=1": "path-p-min-items" },
  },
  matrixExploded: {
    parameter: inPath(ints, { style: "matrix", explode: true }),
    good: ["/;p=1;p=2"],
    bad: { "/;p=1;p=x": "path-p-items-type" },
  },
  matrixObject: {
    parameter: inPath(range, { style: "matrix", explode: true }),
    good: ["/;from=1;to=2"],
    bad: { "/;from=x": "path-p-from-type" },
  },
  header: {
    parameter: inHeader(ints),
    good: ["x-p: 1, 2", "X-P: 1,2", 'x-p: "1, 2"', "x-p: ", "x-p: [redacted]"],
    bad: { "x-p: 1": "header-x-p-min-items", "x-p: 1, x": "header-x-p-items-type" },
  },
  headerWords: {
    parameter: inHeader({ type: "array", items: { ...str, enum: ["beta=v1", "b c"] } }),
    good: ["x-p: beta=v1, b c", "x-p: b c"],
    bad: { "x-p: beta=v2": "header-x-p-items-enum" },
  },
  headerObject: {
    parameter: inHeader(range, { explode: true }),
    good: ["x-p: from=1, to=2"],
    bad: { "x-p: from=x": "header-x-p-from-type" },
  },
  headerJson: {
    parameter: { name: "X-P", in: "header", content: { "application/json": { schema: range } } },
    good: ['x-p: {"from":1}'],
    bad: { "x-p: {}": "header-x-p-from-required" },
  },
  cookie: {
    parameter: inCookie(int, required),
    good: ["cookie: a=b; p=1", "cookie: [redacted]", "cookie: p=%31"],
    bad: { "cookie: p=x": "cookie-p-type", "cookie: a=b": "cookie-p-required", "x-p: 1": "cookie-p-required" },
  },
  cookieList: {
    parameter: inCookie(ints, joined),
    good: ["cookie: p=1,2", "x-p: 1"],
    bad: { "cookie: p=1,x": "cookie-p-items-type" },
  },
};

test.each([...Object.entries(inQuery), ...Object.entries(inOther)])("%s", async (_name, row) => {
  const { parameter, good, bad, opaque = 0 } = row;
  const isInPath = (parameter as { in: string }).in === "path";
  const responses = { 200: { description: "OK" } };
  const paths = { [isInPath ? "/v1/things/{p}" : "/v1/things"]: { get: { parameters: [parameter], responses } } };
  const catalogue = await openDocument({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths });
  const errors = (sent: string): string[] => {
    const [, name, value] = /^([\w-]+): (.*)$/.exec(sent) ?? [];
    const headers: HeaderPairs = name === undefined ? [] : [[name, value!]];
    const target = name !== undefined ? "/v1/things" : isInPath ? `/v1/things${sent}` : `/v1/things?${sent}`;
    const request = { method: "GET", target, headers, body: new Uint8Array() };
    const at = { source: "", exchange: 0 };
    const { findings } = judge({ request, response: null }, at, catalogue, { names: namesFrom(), policy: lenient });
    return findings.map(({ clause }) => clause.replace("things.request.", ""));
  };
  for (const sent of good) expect([sent, errors(sent)]).toEqual([sent, []]);
  for (const [sent, clause] of Object.entries(bad)) expect([sent, errors(sent)]).toEqual([sent, [clause]]);
  const left = ownClauses(catalogue).filter((one) => one.opaque);
  expect(left.length).toBe(opaque);
  expect((await proofOf(catalogue)).gaps).toEqual([]);
});
