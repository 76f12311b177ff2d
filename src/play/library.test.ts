/** Holds matching: what is the same request, and which of several recordings plays. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { redact } from "../redact/redact.ts";
import { replaceText } from "../replace-text.test-kit.ts";
import { type FormField, formRequest, jsonResponse } from "../wire/build.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { canonicalRequest } from "./canonical-request.ts";
import { chat, get, libraryOf } from "./library.test-kit.ts";
import { createLibrary, type Library } from "./library.ts";

/** Position of the recording that plays, if any. */
const played = (library: Library, request: WireRequest, { once = false } = {}) => library.take(request, once)?.position;

const isSame = (recorded: WireRequest, asked: WireRequest): boolean => played(libraryOf([recorded]), asked) === 0;

describe("two requests are the same", () => {
  test("whatever the order of JSON members and query parameters", () => {
    const recorded = chat({ a: 1, b: { c: [1, 2], d: null } }, "/v1/x?p=1&q=2&q=3");
    const asked = chat({ b: { d: null, c: [1, 2] }, a: 1 }, "/v1/x?q=2&q=3&p=1");
    expect(isSame(recorded, asked)).toBe(true);
    expect(isSame(recorded, chat({ b: { d: null, c: [2, 1] }, a: 1 }, "/v1/x?q=2&q=3&p=1"))).toBe(false);
    expect(isSame(recorded, { ...asked, target: "/v1/x?q=3&q=2&p=1" })).toBe(false);
  });

  test("whatever the spelling of path, host, blanks in JSON and content encoding", () => {
    const recorded = chat({ text: "ä" }, "/v1/models/a%3Ab:go");
    const spelled = Buffer.from('{ "text" : "\\u00e4" }');
    expect(isSame(recorded, { ...recorded, target: "http://other/v1/models/a:b:go", body: spelled })).toBe(true);
    const zipped = { ...recorded, headers: [["Content-Encoding", "gzip"]] as const, body: gzipSync(spelled) };
    expect(isSame(recorded, zipped)).toBe(true);
    expect(isSame(get("/a%2Fb"), get("/a/b"))).toBe(false);
  });

  test("only with the same method, path, query, and values of the same kind", () => {
    const recorded = chat({ n: 1 });
    for (const asked of [
      { ...recorded, method: "PUT" },
      chat({ n: 1 }, "/v1/y"),
      chat({ n: 1 }, "/v1/x?a"),
      chat({ n: "1" }),
      chat({ n: [1] }),
      chat({ n: 1, m: null }),
      chat({}),
      chat({ "*": 1 }),
    ])
      expect(isSame(recorded, asked)).toBe(false);
    const odd = '{"__proto__":{"a":1},"toString":"x"}';
    const raw = (text: string): WireRequest => ({ ...recorded, body: Buffer.from(text) });
    expect(isSame(raw(odd), raw(odd))).toBe(true);
    expect(isSame(raw(odd), raw('{"toString":"x"}'))).toBe(false);
  });

  test("as multipart by their parts, whatever boundary and order; files by their bytes, whatever their name", () => {
    const file = (bytes: string, filename = "a.png"): FormField => [
      "image",
      { filename, contentType: "image/png", bytes: Buffer.from(bytes) },
    ];
    const recorded = formRequest("/v1/images/edits", [], [["prompt", "p"], file("PNG"), file("OTHER")]);
    const moved = formRequest("/v1/images/edits", [], [file("PNG", "/tmp/x.png"), file("OTHER"), ["prompt", "p"]]);
    const other = JSON.parse(
      replaceText(
        JSON.stringify([Buffer.from(moved.body).toString("latin1"), moved.headers]),
        /touchstone-/g,
        "other-",
      ),
    );
    expect(isSame(recorded, { ...moved, headers: other[1], body: Buffer.from(other[0], "latin1") })).toBe(true);
    for (const fields of [
      [["prompt", "p"], file("OTHER"), file("PNG")],
      [["prompt", "q"], file("PNG"), file("OTHER")],
      [["prompt", "p"], file("PNG")],
    ] as FormField[][])
      expect(isSame(recorded, formRequest("/v1/images/edits", [], fields))).toBe(false);
  });

  test("as bytes and texts that are nothing else", () => {
    const raw = (body: Uint8Array | string): WireRequest => ({ ...get("/"), method: "POST", body: Buffer.from(body) });
    for (const body of ["not json", "[".repeat(100_000) + "]".repeat(100_000), Buffer.from([255, 0, 1])]) {
      expect(isSame(raw(body), raw(body))).toBe(true);
      expect(isSame(raw(body), raw(Buffer.concat([Buffer.from(body), Buffer.from(" ")])))).toBe(false);
    }
    expect(isSame(raw(""), raw("x"))).toBe(false);
  });

  test("whatever their headers, unless some were named", () => {
    const recorded = get("/a", [["X-Version", "1"]]);
    expect(isSame(recorded, get("/a"))).toBe(true);
    const headers = ["x-version"];
    const library = libraryOf([recorded, get("/a", [["x-version", "2"]])], headers);
    expect(played(library, get("/a", [["x-VERSION", "2"]]))).toBe(1);
    expect(played(library, get("/a"))).toBeUndefined();
  });
});

describe("redacted values", () => {
  const key = "sk-abcdefghijklmnopqrstuvwxyz";
  const safe = (request: WireRequest): WireRequest => redact({ request, response: null }).request;

  test("match whatever is sent there, and nothing else is passed over", () => {
    const recorded = safe(chat({ note: `my key is ${key}.`, n: 1 }, `/v1/x?key=${key}&alt=sse`));
    expect(JSON.stringify(canonicalRequest(recorded))).not.toContain(key);
    const asked = (note: string, target: string): WireRequest => chat({ n: 1, note }, target);
    expect(isSame(recorded, asked("my key is short.", "/v1/x?alt=sse&key=other"))).toBe(true);
    expect(isSame(recorded, asked("my key is short", "/v1/x?alt=sse&key=other"))).toBe(false);
    expect(isSame(recorded, asked("my key is short.", "/v1/x?alt=json&key=other"))).toBe(false);
    expect(isSame(recorded, asked("my key is short.", "/v1/x?alt=sse"))).toBe(false);
    expect(isSame(recorded, chat({ n: 1, note: ["my key is ."] }, "/v1/x?alt=sse&key=other"))).toBe(false);
  });

  test("in a path, a header and a form field match as well", () => {
    const headers = ["authorization"];
    const recorded = safe(get(`/v1/${key}/models`, [["Authorization", `Bearer ${key}`]]));
    const library = libraryOf([recorded], headers);
    expect(played(library, get("/v1/mine/models", [["authorization", "Bearer x"]]))).toBe(0);
    expect(played(library, get("/v1/mine/models", [["authorization", "Basic x"]]))).toBeUndefined();
    const form = (secret: string): WireRequest => formRequest("/f", [], [["token", secret]]);
    expect(isSame(safe(form(key)), form("anything"))).toBe(true);
  });

  const masked = (text: string): WireRequest => safe(chat({ text: replaceText(text, /KEY/g, key) }));

  test("lose to a recording that says the same in clear", () => {
    const library = libraryOf([masked("KEY"), chat({ text: "hello" })]);
    expect(played(library, chat({ text: "hello" }))).toBe(1);
    expect(played(library, chat({ text: "another" }))).toBe(0);
  });

  test("keep requests apart that differ around them", () => {
    const library = libraryOf(["a KEY b", "a KEY c", "KEY b KEY"].map(masked));
    expect(played(library, chat({ text: "a secret c" }))).toBe(1);
    expect(played(library, chat({ text: "a secret b" }))).toBe(0);
    expect(played(library, chat({ text: "1 b 2" }))).toBe(2);
    expect(played(library, chat({ text: "a b" }))).toBeUndefined();
  });

  test("are where the recording says so, and not what merely looks like a mask", () => {
    for (const text of ["xxxxxxxxxxxxxxxx", "1111111111111111", "a [redacted] b"]) {
      const library = libraryOf([chat({ text })]);
      expect(played(library, chat({ text: "another" }))).toBeUndefined();
      expect(played(library, chat({ text }))).toBe(0);
    }
    // A recording from before places were told: headers and query have the placeholder.
    expect(isSame(get("/v1/x?key=%5Bredacted%5D&n=1"), get("/v1/x?key=mine&n=1"))).toBe(true);
    expect(isSame(get("/v1/x?key=%5Bredacted%5D&n=1"), get("/v1/x?key=mine&n=2"))).toBe(false);
  });

  test("may be numbers, names of members, parts of files, or bytes nobody can read", () => {
    const number = (text: string, place: string): WireRequest => ({
      ...chat(0),
      body: Buffer.from(text),
      redacted: [place],
    });
    const pin = number('{"a":"\\"","pin":11111111,"n":1}', "/body/16-24");
    expect(isSame(pin, chat({ n: 1, pin: 20_458_821, a: '"' }))).toBe(true);
    expect(isSame(pin, chat({ n: 2, pin: 20_458_821, a: '"' }))).toBe(false);
    expect(isSame(pin, chat({ n: 1, pin: { a: 1 }, a: '"' }))).toBe(false);
    const named = safe(chat({ a: { [key]: 1 }, b: 2 }));
    expect(isSame(named, chat({ a: { mine: 1 }, b: 2 }))).toBe(true);
    expect(isSame(named, chat({ a: { mine: 1 }, b: 3 }))).toBe(false);
    const file = (secret: string): WireRequest =>
      formRequest(
        "/f",
        [],
        [["file", { filename: "f", contentType: "text/plain", bytes: Buffer.from(`k=${secret}`) }]],
      );
    expect(isSame(safe(file(key)), file("other"))).toBe(true);
    const bytes = (secret: string): WireRequest => ({ ...chat(0), body: Buffer.from(`\xff\0${secret}`, "latin1") });
    expect(isSame(safe(bytes(key)), bytes("other"))).toBe(true);
    expect(isSame(safe({ ...get(`/v1/${key}/x?n=${key}`) }), get("/v1/mine/x?n=1"))).toBe(true);
  });

  test("cost the same beside bodies that hold private-use characters, or places that make no sense", () => {
    const odd = { note: `\ue000 \ue001 ${key}` };
    expect(isSame(safe(chat(odd)), chat({ note: "\ue000 \ue001 mine" }))).toBe(true);
    const places = [
      "/body/5-2",
      "/body/0-99999",
      "/body/x",
      "/path/",
      "/query",
      "",
      "/headers/",
      "/body/1-3",
      "/body/0-2",
    ];
    expect(() => isSame({ ...chat({ a: 1 }), redacted: places }, chat({ a: 1 }))).not.toThrow();
  });

  test("of thousands of recordings, each in another place of a large body, are told apart", () => {
    const turns = (at: number, secret: string): unknown =>
      Array.from({ length: 300 }, (_, i) => ({ role: "user", content: i === at ? `my ${secret}` : `turn ${i}` }));
    const library = libraryOf(Array.from({ length: 300 }, (_, at) => safe(chat(turns(at, key)))));
    expect(played(library, chat(turns(299, "other")))).toBe(299);
    expect(played(library, chat(turns(0, "other")))).toBe(0);
    expect(played(library, chat(turns(300, "")))).toBeUndefined();
  });

  test("match in time linear in both texts, whatever repeats in them", () => {
    const long = "a".repeat(500_000);
    const recorded = chat({ text: `${"x".repeat(9)}${long}b${"x".repeat(9)}` });
    const from = Buffer.from(recorded.body).indexOf("xx");
    const redacted = [
      `/body/${from}-${from + 9}`,
      `/body/${from + 9 + long.length + 1}-${from + 18 + long.length + 1}`,
    ];
    expect(isSame({ ...recorded, redacted }, chat({ text: long + long }))).toBe(false);
    expect(isSame({ ...recorded, redacted }, chat({ text: `-${long}aab-` }))).toBe(true);
  });
});

test("integers that doubles do not hold are told apart, and shown with all digits", () => {
  const raw = (text: string): WireRequest => ({ ...chat(0), body: Buffer.from(text) });
  const recorded = raw(
    '{"s":"9007199254740993","id":9007199254740993,"f":0.1234567890123456789,"e":1234567890123456e9}',
  );
  expect(isSame(recorded, recorded)).toBe(true);
  expect(
    isSame(recorded, raw(replaceText(Buffer.from(recorded.body).toString(), ":9007199254740993", ":9007199254740992"))),
  ).toBe(false);
  expect(
    isSame(
      recorded,
      raw(replaceText(Buffer.from(recorded.body).toString(), ":9007199254740993", ':"9007199254740993"')),
    ),
  ).toBe(false);
  const { differences } = libraryOf([raw('{"id":[9007199254740993]}')]).nearest(raw('{"id":[9007199254740992]}'))!;
  expect(differences).toEqual([{ pointer: "/body/id/0", before: 9007199254740993n, after: 9007199254740992n }]);
});

test("a request that was not kept whole matches any body at its address, after those that were", () => {
  const library = libraryOf([{ ...chat({ a: 1 }), cut: 10 }, chat({ a: 2 })]);
  expect(played(library, chat({ a: 2 }))).toBe(1);
  expect(played(library, chat({ a: 3 }))).toBe(0);
  expect(played(library, get("/v1/x"))).toBeUndefined();
});

describe("repeats", () => {
  const [a, b] = [chat({ a: 1 }, "/v1/x?key=[redacted]"), chat({ b: 1 })];
  test("play in recorded order, and the last goes on", () => {
    const library = libraryOf([a, b, a, a]);
    const ask = (): unknown => played(library, chat({ a: 1 }, "/v1/x?key=k"));
    expect([ask(), ask(), ask(), ask(), ask()]).toEqual([0, 2, 3, 3, 3]);
    expect(library.all.map(({ plays }) => plays)).toEqual([1, 0, 1, 3]);
  });

  test("play once where that is asked for", () => {
    const library = libraryOf([a, b, a]);
    const ask = (): unknown => played(library, chat({ a: 1 }, "/v1/x?key=k"), { once: true });
    expect([ask(), ask(), ask()]).toEqual([0, 2, undefined]);
    expect(library.nearest(a)).toMatchObject({ differences: [], more: 0 });
  });
});

test("a recording answers at another address of its operation where both stand for one", () => {
  const standing = (request: WireRequest): WireRequest => ({
    ...request,
    target: request.target.replace(/^\/v1\//, "/v1beta/"),
  });
  for (const [recorded, asked] of [
    ["/v1beta/x", "/v1/x"],
    ["/v1/x", "/v1beta/x"],
  ] as const) {
    const library = createLibrary([], standing);
    library.add({ request: chat({ a: 1 }, recorded), response: jsonResponse(0) }, "session", 0);
    expect(library.take(chat({ a: 1 }, asked), false)?.exchange.request.target).toBe(recorded);
    expect(library.take(chat({ a: 2 }, asked), false)).toBeUndefined();
  }
});
