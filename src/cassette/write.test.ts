/** Holds the cassette format: whatever an exchange carries comes back byte for byte, and fits the published schema. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { home } from "../home.ts";
import { utf8 } from "../wire/build.ts";
import type { ChunkMark, Exchange } from "../wire/exchange.ts";
import { decodeExchange } from "./decode.ts";
import type { ExchangeJson } from "./format.ts";
import { readCassette } from "./read.ts";
import { encodeExchange, exchangeLine, formatCassette, headerLine, linePieces } from "./write.ts";

const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  strictTypes: false,
  strictTuples: false,
  allErrors: true,
});
addFormats.default(ajv);
const schema = JSON.parse(readFileSync(join(home, "schemas", "formats", "cassette.schema.json"), "utf8"));
ajv.addSchema(schema);
const fits = (ref: string, value: unknown): unknown => {
  const validate = ajv.getSchema(`/formats/cassette.schema.json${ref}`)!;
  return validate(value) || validate.errors;
};

const bytes = (value: Uint8Array | string): Buffer => Buffer.from(typeof value === "string" ? utf8(value) : value);
const exchangeWith = (body: string | Uint8Array, chunks?: readonly ChunkMark[]): Exchange => ({
  request: { method: "GET", target: "/", headers: [], body: bytes("") },
  response: { status: 200, headers: [], body: bytes(body), ...(chunks && { chunks }) },
});
const bodyOf = (exchange: Exchange): unknown => encodeExchange(exchange).response?.body;

describe("a body is written", () => {
  test.each([
    ['{"a":[1,"ä"]}', { json: { a: [1, "ä"] } }],
    ["[]", { json: [] }],
    ['{"a": 1}', { text: '{"a": 1}' }],
    ['{"a":1.0}', { text: '{"a":1.0}' }],
    ['{"2":0,"1":0}', { text: '{"2":0,"1":0}' }],
    ['{"a":1,"a":1}', { text: '{"a":1,"a":1}' }],
    ["null", { text: "null" }],
    ["\uFEFF{}", { text: "\uFEFF{}" }],
    [Buffer.from([0xff, 0]), { base64: "/wA=" }],
  ])("exactly: %j", (body, written) => expect(bodyOf(exchangeWith(body))).toEqual(written));

  test("as text where it nests too deep to be written", () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    expect(bodyOf(exchangeWith(deep))).toEqual({ text: deep });
    expect(JSON.parse(exchangeLine(exchangeWith(deep)))).toMatchObject({ response: { body: { text: deep } } });
  });

  test("in the pieces it came in, a cut character as base64", () => {
    expect(
      bodyOf(
        exchangeWith("ab€", [
          [1, 2],
          [2.5, 1],
          [3, 0],
          [4, 2],
        ]),
      ),
    ).toEqual({
      chunks: [
        [1, "ab"],
        [2.5, "4g==", "base64"],
        [3, ""],
        [4, "gqw=", "base64"],
      ],
    });
  });

  test("as one, with its time, where it came in one piece", () => {
    expect(encodeExchange(exchangeWith("{}", [[12, 2]])).response).toMatchObject({ body: { json: {} }, arrived: 12 });
  });

  test("not at all where it is empty", () => {
    expect(encodeExchange(exchangeWith("")).response).toEqual({ status: 200, headers: [] });
  });
});

describe("a line with a large body comes in small pieces that are the same line", () => {
  const mixed = Buffer.from('a "quoted" €, \u{1f600}\n\u2028\\ '.repeat(60_000));
  const odd = Buffer.alloc(1_500_001, 0xfe);
  const marks = (body: Buffer, size: number): ChunkMark[] =>
    Array.from({ length: Math.ceil(body.length / size) }, (_, i) => [i / 8, Math.min(size, body.length - i * size)]);
  test.each([
    ["text", mixed, undefined],
    ["base64", odd, undefined],
    ["small chunks, some of which cut a character", mixed, marks(mixed, 97)],
    ["large chunks", Buffer.concat([mixed, odd]), marks(Buffer.concat([mixed, odd]), 700_000)],
  ])("%s", (_, body, chunks) => {
    const exchange = { ...exchangeWith(body, chunks), started: 5, aborted: "client" } as const;
    const both = { ...exchange, request: { ...exchange.request, body, cut: 7 } };
    for (const one of [exchange, both, { ...both, response: null }]) {
      const pieces = [...linePieces(one)];
      expect(pieces.join("") === exchangeLine(one)).toBe(true);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_000_000);
    }
  });
});

const pairs = fc.array(fc.tuple(fc.string(), fc.string({ unit: "binary" })));
const body = fc.oneof(
  fc.uint8Array().map(bytes),
  fc.string({ unit: "binary" }).map(bytes),
  fc.jsonValue().map((value) => bytes(JSON.stringify(value))),
  fc.json().map(bytes),
);
const time = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const cut = fc.option(fc.nat(), { nil: undefined });
const redacted = fc.option(fc.array(fc.constantFrom("/headers/a", "/query/a~1b", "/path", "/body/0-5")), {
  nil: undefined,
});
const response = fc
  .record({
    status: fc.integer({ min: 0, max: 999 }),
    reason: fc.option(fc.string(), { nil: undefined }),
    headers: pairs,
    body,
    cuts: fc.option(fc.array(fc.nat(40)), { nil: undefined }),
    times: fc.array(time, { minLength: 41, maxLength: 41 }),
    trailers: fc.option(pairs, { nil: undefined }),
    time: fc.option(time, { nil: undefined }),
    upgraded: fc.constantFrom(undefined, undefined, { sent: 0, received: 2 ** 40, ended: "upstream" }),
    cut,
    redacted,
  })
  .map(({ cuts, times, ...rest }) => {
    if (!cuts) return rest;
    const ends = [...cuts.filter((end) => end <= rest.body.length).sort((a, b) => a - b), rest.body.length];
    return { ...rest, chunks: ends.map((end, i): ChunkMark => [times[i % 41]!, end - (ends[i - 1] ?? 0)]) };
  });
const exchanges = fc
  .record({
    started: fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: undefined }),
    origin: fc.option(fc.webUrl(), { nil: undefined }),
    request: fc.record({ method: fc.string(), target: fc.string(), headers: pairs, body, cut, redacted }),
    response: fc.option(response, { nil: null }),
    aborted: fc.constantFrom(undefined, "client", "upstream"),
    bind: fc.constantFrom(undefined, [{ from: { exchange: 0, pointer: "/id" }, to: "/messages/1/id" }]),
  })
  // A member that is undefined is as good as absent.
  .map(({ bind, ...exchange }) => ({ exchange: exchange as Exchange, ...(bind && { bind }) }));

test("any exchange comes back as it was, chunk for chunk, and fits the schema", () => {
  fc.assert(
    fc.property(exchanges, ({ exchange, bind }) => {
      const written = JSON.parse(exchangeLine(exchange, bind && { bind })) as ExchangeJson;
      expect(fits("#/$defs/exchange", written)).toBe(true);
      expect(decodeExchange(written)).toEqual({ exchange, ...(bind && { bind }) });
    }),
    fuzz(500),
  );
});

test("a whole cassette comes back from both of its forms, and fits the schema", async () => {
  const header = {
    title: "t",
    interface: "messages",
    needs: ["tools"],
    violates: ["a.b.c"],
    bindings: { names: { a: "b" } },
  };
  await fc.assert(
    fc.asyncProperty(fc.array(exchanges, { maxLength: 3 }), async (recorded) => {
      const cassette = { header, exchanges: recorded };
      const pretty = formatCassette(cassette);
      expect(fits("", JSON.parse(pretty))).toBe(true);
      expect(await readCassette(bytes(pretty))).toEqual(cassette);
      expect(fits("#/$defs/header", JSON.parse(headerLine(header)))).toBe(true);
      const lines = [
        headerLine(header),
        ...recorded.map(({ exchange, bind }) => exchangeLine(exchange, bind && { bind })),
      ];
      expect(lines.join("").includes("\n")).toBe(false);
      expect(await readCassette(bytes(`${lines.join("\n")}\n`))).toEqual(cassette);
    }),
    fuzz(50),
  );
});

test("a start that is no time is left out", () => {
  for (const started of [Number.NaN, 1e20, Number.POSITIVE_INFINITY])
    expect(encodeExchange({ ...exchangeWith(""), started }).started).toBeUndefined();
});

test("the schema refuses what readers refuse", () => {
  const good = encodeExchange(exchangeWith("hello"));
  const bad: unknown[] = [
    { ...good, request: undefined },
    { ...good, response: undefined },
    { ...good, response: { ...good.response, status: 1000 } },
    { ...good, response: { ...good.response, body: { text: "a", json: 1 } } },
    { ...good, response: { ...good.response, body: {} } },
    { ...good, response: { ...good.response, body: { base64: "?" } } },
    { ...good, response: { ...good.response, body: { chunks: [[1]] } } },
    { ...good, response: { ...good.response, body: { chunks: [[1, "a", "hex"]] } } },
    { ...good, response: { ...good.response, headers: [["a"]] } },
    { ...good, response: { ...good.response, upgraded: { sent: 1, received: 1 } } },
    { ...good, response: { ...good.response, upgraded: { sent: 1, received: 1, ended: "nobody" } } },
    { ...good, response: { ...good.response, upgraded: { sent: -1, received: 1, ended: "client" } } },
    { ...good, aborted: "nobody" },
    { ...good, request: { ...good.request, redacted: [7] } },
    { ...good, response: { ...good.response, redacted: "/path" } },
    { ...good, started: "yesterday" },
    { ...good, bind: [{ from: {}, to: "" }] },
  ].map((value) => JSON.parse(JSON.stringify(value)));
  for (const value of bad) {
    expect(fits("#/$defs/exchange", value)).not.toBe(true);
    expect(() => decodeExchange(value)).toThrow(/is not/);
  }
});

test("a pretty cassette keeps headers and chunks on a line each", () => {
  const [exchange] = [
    exchangeWith("ab", [
      [1, 1],
      [2, 1],
    ]),
  ];
  const text = formatCassette({
    header: {},
    exchanges: [{ exchange: { ...exchange!, request: { ...exchange!.request, headers: [["A", "b"]] } } }],
  });
  expect(text).toContain('          ["A", "b"]\n');
  expect(text).toContain('            [1, "a"],\n            [2, "b"]\n');
  expect(text.endsWith("}\n")).toBe(true);
});
