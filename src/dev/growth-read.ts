/** Bytes, paths, headers and files that grow in one respect, for everything that reads them. */
import { gzipSync } from "node:zlib";
import { openStream, readCassette } from "../cassette/read.ts";
import { routeOf } from "../check/route.ts";
import { interfaces } from "../interfaces/index.ts";
import { differences } from "../play/differences.ts";
import { createLibrary } from "../play/library.ts";
import { missOf } from "../play/miss.ts";
import { redact } from "../redact/redact.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import { decodeContent } from "../wire/encoding.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { mediaParameter } from "../wire/headers.ts";
import { imageFacts } from "../wire/image.ts";
import { parseForm } from "../wire/multipart.ts";
import { readEvents, readJson } from "../wire/read.ts";
import { parseEvents } from "../wire/sse.ts";
import { chat, type Family, judging, list, members, reading } from "./growth-family.ts";

const times =
  (text: string, before = "", after = "") =>
  (n: number) =>
    Buffer.from(before + text.repeat(n) + after);

const events = (what: string, text: string, after = ""): Family =>
  reading(`events: ${what}`, times(text, "", after), parseEvents);

const json = (what: string, text: string, before = "", after = ""): Family =>
  reading(`JSON: ${what}`, times(text, before, after), readJson);

const route = (what: string, make: (n: number) => string): Family =>
  reading(`routes: ${what}`, make, (path) => routeOf(interfaces, "POST", path));

const form = (what: string, type: string, make: (n: number) => Buffer): Family =>
  reading(`form: ${what}`, make, (body) => parseForm(body, `multipart/form-data; boundary=${type}`));

const readers: readonly Family[] = [
  events("heartbeats", ": ping\n\n"),
  events("blank lines", "\n"),
  events("CR lines", "\r"),
  events("CR LF lines", "data: x\r\n"),
  events("id lines", "id: 1\n"),
  events("quotes", ': "\n'),
  events("unknown fields", "x: 1\n"),
  events("data lines", "data: x\n"),
  events("one long line", "x", '\n: "\n\n'),
  reading("events: with JSON", times('data: {"a":[1.0,{"b":"c"}]}\n\n'), readEvents),
  reading("events: all different", (n) => Buffer.from(list(n, (i) => `data: {"k${i}":${i}}\n\n`).join("")), readEvents),
  json("deep lists", "["),
  json("deep objects", '{"a":'),
  json("lists side by side", "[],", "[", "0]"),
  json("objects in lists", '{"a":[{"a":1}]},', "[", "0]"),
  json("one member again and again", '"a":1,', "{", '"a":1}'),
  json("escapes", '\\"', '{"a":"', '"}'),
  json("blanks", " ", '{"a"', ":1}"),
  json("numbers with a fraction", "1.0,", "[", "1]"),
  reading("JSON: different members", (n) => Buffer.from(JSON.stringify(members(n, () => 1))), readJson),
  form("parts", "b", times('--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n', "", "--b--\r\n")),
  form("near boundaries", `${"-".repeat(60)}b`, times("-")),
  form("a long header", "b", times("a", '--b\r\nContent-Disposition: form-data; name="', '"\r\n\r\nx\r\n--b--\r\n')),
  reading(
    "headers: parameters",
    (n) => `text/plain${'; a="b"'.repeat(n)}`,
    (type) => mediaParameter(type, "charset"),
  ),
  reading(
    "headers: blanks",
    (n) => `text/plain;${" ".repeat(n)}x`,
    (type) => mediaParameter(type, "charset"),
  ),
  reading(
    "headers: a quoted text",
    (n) => `text/plain; a="${"\\x".repeat(n)}`,
    (type) => mediaParameter(type, "charset"),
  ),
  judging("header pairs", (n) => {
    const { request, response } = chat({});
    const headers = list(n, (i) => [`x-${i % 1000}`, "v"] as const);
    return exchangeOf({ ...request, headers: [...request.headers, ...headers] }, { ...response!, headers });
  }),
  judging("a long query", (n) => {
    const { request, response } = chat({});
    return exchangeOf({ ...request, target: `/v1/chat/completions?${"%zz&a=".repeat(n)}` }, response);
  }),
  judging("a long version", (n) => {
    const { request, response } = chat({});
    return exchangeOf({ ...request, target: `/v${"1".repeat(n)}!/chat/completions` }, response);
  }),
  route("models", (n) => `${"/models/".repeat(n)}x`),
  route("verbs", (n) => `${"/models/:generateContent".repeat(n)}x`),
  route("colons", (n) => `/models${"/:".repeat(n)}generateContent`),
  route("one long segment", (n) => `/${"threads".repeat(n)}/messages`),
  route("slashes", (n) => `${"/".repeat(n)}x`),
  reading(
    "gzip of zeros",
    (n) => gzipSync(Buffer.alloc(100 * n)),
    (body) => decodeContent(body, "gzip"),
  ),
  reading("zstd of empty frames", times("\x50\x2a\x4d\x18\0\0\0\0"), (body) =>
    decodeContent(Buffer.from(body.toString("utf8"), "latin1"), "zstd"),
  ),
  reading("image: JPEG of markers", (n) => Buffer.from("ffd8".padEnd(6 * n, "ff01ff"), "hex"), imageFacts),
  reading("image: PNG of empty chunks", (n) => Buffer.concat([pngStart, Buffer.alloc(12 * n)]), imageFacts),
];

const pngStart = Buffer.from(
  "89504e470d0a1a0a0000000d49484452000000010000000108020000000000000000".slice(0, 66),
  "hex",
);

const request = (i: number) => jsonRequest("/v1/x", [], { n: i, text: "x".repeat(50) });

/** Texts of the beginnings of forms in which a credential is looked for. */
const redacting: readonly Family[] = [
  "--api-key=a'",
  "API_KEY=a\\",
  "API_KEY ||= ",
  "{a: b, password: ",
  "password=[[a",
  "x is my key ",
  "config set a b ",
  'auth=("a',
  " identified by 'a",
  "echo a | ",
  "user,password\n",
  "| user | password |\n|---|---|\n",
  "password:[80,",
  "*:5432:a:b:",
].map((text) =>
  reading(
    `redaction: ${JSON.stringify(text)}, over and over`,
    (n) => exchangeOf({ ...request(0), body: Buffer.from(text.repeat(n)) }, null),
    redact,
  ),
);

const cassettes: readonly Family[] = [
  reading(
    "redaction: secrets in a long reply",
    (n) =>
      exchangeOf(
        { ...request(0), headers: [["cookie", list(n, (i) => `c${i}=secret${i}value`).join("; ")]] },
        jsonResponse({ text: "x".repeat(50 * n) }),
      ),
    (exchange) => redact(exchange),
  ),
  ...redacting,
  reading("redaction: a long reply", (n) => exchangeOf(request(0), jsonResponse(list(n, () => "Bearer sk-x"))), redact),
  reading(
    "HAR: entries",
    (n) =>
      Buffer.from(
        JSON.stringify({
          log: {
            version: "1.2",
            entries: list(n, () => ({
              request: { method: "GET", url: "http://x/y", headers: [] },
              response: { status: 200, headers: [], content: { text: "x" } },
            })),
          },
        }),
      ),
    (har) => readCassette(har),
  ),
  reading(
    "VCR: interactions",
    (n) =>
      Buffer.from(
        `interactions:\n${"- request:\n    method: GET\n    uri: http://x/\n  response:\n    status: {code: 200}\n".repeat(n)}`,
      ),
    (vcr) => readCassette(vcr),
  ),
  reading("cassette: blank lines", times("\n", '{"touchstone":1}'), drain),
  reading("cassette: brackets", times("["), (bytes) => drain(bytes).catch(() => undefined)),
  reading(
    "cassette: chunks",
    (n) =>
      Buffer.from(
        `{"touchstone":1}\n${JSON.stringify({ request: { method: "GET", target: "/", headers: [] }, response: { status: 200, headers: [], body: { chunks: list(n, (i) => [i, "x"]) } } })}\n`,
      ),
    drain,
  ),
  reading(
    "player: a miss among many recordings",
    (n) => {
      const library = createLibrary([]);
      for (let i = 0; i < n; i++) library.add(exchangeOf(request(i), jsonResponse(i)), "tape", i);
      return library;
    },
    (library) => missOf(request(-1), library, [], redact),
  ),
  reading(
    "player: a large request that misses",
    (n) => {
      const library = createLibrary([]);
      library.add(
        exchangeOf(
          jsonRequest(
            "/v1/x",
            [],
            list(n, (i) => ({ i })),
          ),
          jsonResponse(1),
        ),
        "tape",
        0,
      );
      return [
        library,
        jsonRequest(
          "/v1/x",
          [],
          list(n, (i) => ({ i: i + 1 })),
        ),
      ] as const;
    },
    ([library, asked]) => missOf(asked, library, [], redact),
  ),
  reading(
    "player: many recordings, each masked in another place",
    (n) => {
      const library = createLibrary([]);
      for (let i = 0; i < n; i++) {
        const recorded = maskedAt(jsonRequest("/v1/x", [], { [`m${i}`]: "xxxxxxxx" }));
        library.add({ request: recorded, response: jsonResponse(i) }, "tape", i);
      }
      const asked = jsonRequest(
        "/v1/x",
        [],
        members(n, () => "x"),
      );
      return [library, asked] as const;
    },
    ([library, asked]) => library.take(asked, false),
  ),
  reading(
    "player: a recording masked in many places",
    (n) => maskedAt(jsonRequest("/v1/x", [], [...list(n, () => "xxxxxxxx"), "xxxxxxxx ".repeat(n)])),
    (request) => {
      const library = createLibrary([]);
      library.add({ request, response: jsonResponse(1) }, "tape", 0);
      return [library.take(request, false), missOf(jsonRequest("/v1/x", [], [1]), library, [], redact)];
    },
  ),
  reading(
    "diff: lists",
    (n) => [list(n, (i) => ({ a: i })), list(n, (i) => ({ a: String(i) }))] as const,
    ([before, after]) => {
      let count = 0;
      for (const _ of differences(before, after)) count++;
      return count;
    },
  ),
];

/** A request that says of every mask in its body that it is one. */
function maskedAt(request: WireRequest): WireRequest {
  const places = Array.from(Buffer.from(request.body).toString("latin1").matchAll(/x{8}/g));
  return { ...request, redacted: places.map(({ index }) => `/body/${index}-${index + 8}`) };
}

/** Reads all of a cassette, as `check` does. */
async function drain(bytes: Buffer): Promise<number> {
  let count = 0;
  for await (const _ of await openStream("growth", pieces(bytes))) count++;
  return count;
}

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1 << 16) yield bytes.subarray(at, at + (1 << 16));
}

export const families: readonly Family[] = [...readers, ...cassettes];
