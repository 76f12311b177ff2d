/** `touchstone convert` as users meet it: what is converted means the same, and holds no credentials. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { readCassette } from "../cassette/read.ts";
import { exchangeLine, formatCassette, headerLine } from "../cassette/write.ts";
import { home } from "../home.ts";
import { formRequest, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../wire/build.ts";
import type { Exchange, WireResponse } from "../wire/exchange.ts";
import { type Ended, touchstoneHere } from "./here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-convert-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const touchstone = (...args: string[]): Promise<Ended> => touchstoneHere(args);

async function convert(from: string, to: string, out: string, ...more: string[]): Promise<string> {
  const { code, stderr } = await touchstone("convert", from, "--to", to, "--out", at(out), ...more);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return at(out);
}

/** Findings and verdicts of a recording, without its name. */
async function judged(...paths: string[]): Promise<{ findings: { exchange?: number }[] }> {
  const { stdout } = await touchstone("check", ...paths, "--preset", "vendors", "--format", "json");
  const document = JSON.parse(stdout);
  expect(document.complete).toBe(true);
  for (const finding of document.findings) delete finding.source;
  return document;
}

/** Positions count from the start of each file, which joining changes. */
function withoutPositions(document: Awaited<ReturnType<typeof judged>>): unknown {
  return { ...document, findings: document.findings.map(({ exchange: _exchange, ...finding }) => finding) };
}

const question = { model: "chat-model", messages: [{ role: "user", content: "Hällo 😀" }], temperature: 3 };
const chat = (body: unknown = question) =>
  jsonRequest("/v1/chat/completions", [["Authorization", "Bearer [redacted]"]], body);
const odd: WireResponse = jsonResponse({ id: "x", object: "chat.completion", choices: [{ index: "0" }], text: "ä 😀" });
const stream = streamResponse([
  sseEvent({ id: "c", object: "wrong", choices: [] }),
  sseEvent({ choices: [{ delta: { content: "😀" } }] }),
]);
const packed = (body: Uint8Array, coding: string, response: WireResponse = odd): WireResponse => ({
  ...response,
  headers: [...response.headers, ["Content-Encoding", coding], ["Content-Length", String(body.length)]],
  body,
});
const gzipped = gzipSync(stream.body);

/** Everything a recorder may meet, most of it not conformant. */
const exchanges: Exchange[] = [
  { request: chat(), response: odd },
  { request: chat(), response: packed(brotliCompressSync(odd.body), "br") },
  { request: chat({ ...question, stream: true }), response: stream },
  {
    request: chat({ ...question, stream: true }),
    response: { ...stream, body: stream.body.subarray(0, 70) },
    aborted: "upstream",
  },
  { request: chat({ ...question, stream: true }), response: stream, aborted: "client" },
  { request: chat({ ...question, stream: true }), response: packed(gzipped, "gzip", { ...stream, chunks: [] }) },
  {
    request: chat({ ...question, stream: true }),
    response: packed(gzipped.subarray(0, gzipped.length - 12), "gzip", { ...stream, chunks: [] }),
    aborted: "upstream",
  },
  { request: chat(), response: packed(Buffer.from("no gzip at all"), "gzip") },
  { request: chat(), response: null, aborted: "upstream" },
  { request: chat(), response: { ...odd, cut: 5 } },
  { request: { ...chat(), cut: 5 }, response: odd },
  { request: { ...chat(), body: Buffer.from("{broken") }, response: { ...odd, status: 500, reason: "Odd" } },
  { request: { ...chat(), body: Buffer.from([0x7b, 0xff, 0xfe]) }, response: { ...odd, body: Buffer.from([0xff]) } },
  {
    request: formRequest(
      "/v1/images/edits",
      [["Authorization", "Bearer [redacted]"]],
      [
        ["prompt", "ä"],
        ["image", { filename: "a.png", contentType: "image/png", bytes: Buffer.from([0x89, 0x50, 0, 255]) }],
      ],
    ),
    response: odd,
  },
  {
    request: jsonRequest("/v1beta/models/m:generateContent?key=%5Bredacted%5D", [], { contents: 1 }),
    response: { ...jsonResponse({ error: { code: "400" } }, 400), trailers: [["Server-Timing", "a"]] },
  },
  {
    request: { method: "GET", target: "/elsewhere", headers: [], body: new Uint8Array(0) },
    response: { ...odd, status: 204 },
  },
];
const tape = at("original.jsonl");
writeFileSync(tape, `${[headerLine({ title: "t" }), ...exchanges.map((one) => exchangeLine(one))].join("\n")}\n`);

describe("judging what was converted finds the same", () => {
  test("as the cassette before", async () => {
    const before = await judged(tape);
    for (const to of ["har", "json", "jsonl"])
      expect([to, await judged(await convert(tape, to, `same.${to}`))]).toEqual([to, before]);
  });

  test("from HAR to a cassette, and there and back", async () => {
    const har = await convert(tape, "har", "first.har");
    const back = await convert(har, "jsonl", "back.jsonl");
    const before = await judged(har);
    expect(await judged(back)).toEqual(before);
    expect(await judged(await convert(back, "har", "second.har"))).toEqual(before);
  });

  test("for every recorded session", async () => {
    const interfaces = readdirSync(join(home, "recordings"), { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    const folders = interfaces.map(({ name }) => join(home, "recordings", name));
    const { code } = await touchstone("convert", ...folders, "--to", "har", "--out", at("recordings.har"));
    expect(code).toBe(0);
    expect(withoutPositions(await judged(at("recordings.har")))).toEqual(withoutPositions(await judged(...folders)));
  });
});

test("cassettes lose nothing on the way", async () => {
  const whole = await readCassette(tape);
  for (const to of ["json", "jsonl"]) expect(await readCassette(await convert(tape, to, `all.${to}`))).toEqual(whole);
  expect(readFileSync(at("all.json"), "utf8")).toBe(formatCassette(whole));
});

test("recordings are joined in order, and bound values still name their exchange", async () => {
  const bind = [{ from: { exchange: 0, pointer: "/id" }, to: "/x" }];
  const one = formatCassette({
    header: { title: "a" },
    exchanges: [{ exchange: exchanges[0]! }, { exchange: exchanges[1]!, bind }],
  });
  writeFileSync(at("a.json"), one);
  writeFileSync(at("b.json"), one);
  const { code } = await touchstone(
    "convert",
    at("a.json"),
    at("b.json"),
    "--to",
    "jsonl",
    "--out",
    at("joined.jsonl"),
  );
  expect(code).toBe(0);
  const joined = await readCassette(at("joined.jsonl"));
  expect(joined.header).toEqual({});
  expect(joined.exchanges.map((recorded) => recorded.bind?.[0]?.from.exchange)).toEqual([undefined, 0, undefined, 2]);
  const { stderr } = await touchstone("convert", at("a.json"), "--to", "har", "--out", at("bound.har"));
  expect(stderr).toContain("no place for values bound");
});

/** An entry as mitmproxy exports it: texts without a charset read as Latin-1, sizes in bytes. */
const mitm = (body: Uint8Array, contentType: string, answer: Uint8Array, answerType: string) => ({
  startedDateTime: "2026-01-01T00:00:00.123456+00:00",
  time: 12.5,
  request: {
    method: "POST",
    url: "https://api.h.com/v1/images/edits",
    httpVersion: "HTTP/2.0",
    cookies: [],
    headers: [
      { name: "Authorization", value: "Bearer sk-abcdefghijklmnopqrstuvwxyz123456" },
      { name: "content-type", value: contentType },
      { name: "content-length", value: String(body.length) },
    ],
    queryString: [],
    headersSize: 100,
    bodySize: body.length,
    postData: { mimeType: contentType, text: Buffer.from(body).toString("latin1"), params: [] },
  },
  response: {
    status: 200,
    statusText: "OK",
    httpVersion: "HTTP/2.0",
    cookies: [],
    headers: [{ name: "content-type", value: answerType }],
    content: {
      size: answer.length,
      compression: 0,
      mimeType: answerType,
      text: Buffer.from(answer).toString("latin1"),
    },
    redirectURL: "",
    headersSize: 100,
    bodySize: answer.length,
  },
  cache: {},
  timings: { connect: 1, ssl: 1, send: 1, receive: 1, wait: 1 },
});

test("mitmproxy's exports keep binary forms and streams byte for byte, and lose their keys", async () => {
  const form = formRequest(
    "/",
    [],
    [["image", { filename: "a.png", bytes: Buffer.from([0x89, 0x50, 0, 255, 0xc3, 0xa9]) }]],
  );
  const type = form.headers.at(-1)![1];
  const har = { log: { version: "1.2", entries: [mitm(form.body, type, stream.body, "text/event-stream")] } };
  writeFileSync(at("mitm.har"), JSON.stringify(har));
  const out = await convert(at("mitm.har"), "jsonl", "mitm.jsonl");
  const { exchange } = (await readCassette(out)).exchanges[0]!;
  expect(Buffer.from(exchange.request.body)).toEqual(Buffer.from(form.body));
  expect(Buffer.from(exchange.response!.body)).toEqual(Buffer.from(stream.body));
  expect(readFileSync(out, "utf8")).not.toContain("sk-abcdef");
  expect(exchange.request.headers[0]).toEqual(["Authorization", "Bearer [redacted]"]);
});

test("VCR cassettes become cassettes and HAR", async () => {
  const yaml = `http_interactions:
- request: {method: post, uri: "https://h/v1/chat/completions", body: {string: '${JSON.stringify(question)}'}, headers: {Authorization: [Bearer sk-abcdefghijklmnopqrstuvwxyz123456], X-Keep: [kept], X-Own: [internal-7]}}
  response: {status: {code: 200}, headers: {Content-Type: [application/json]}, body: {string: '{"id":"internal-77"}'}}
`;
  writeFileSync(at("tape.yml"), yaml);
  const out = await convert(at("tape.yml"), "json", "vcr.json", "--keep-header", "x-keep", "--redact", "internal-\\d+");
  const text = readFileSync(out, "utf8");
  expect(text).not.toMatch(/sk-abcdef|internal-7/);
  expect(text).toContain('["X-Keep", "kept"]');
  expect(await judged(await convert(at("tape.yml"), "har", "vcr.har"))).toEqual(await judged(at("tape.yml")));
});

test("an exchange that others recorded stays known as such, and lacks no credential; one recorded live does", async () => {
  const entry = mitm(Buffer.from(JSON.stringify(question)), "application/json", odd.body, "application/json");
  const { headers } = entry.request;
  const sanitised = { ...entry.request, url: "https://h/v1/chat/completions", headers: headers.slice(1) };
  writeFileSync(at("other.har"), JSON.stringify({ log: { entries: [{ ...entry, request: sanitised }] } }));
  const live = formatCassette({
    header: {},
    exchanges: [{ exchange: { request: { ...chat(), headers: [] }, response: odd } }],
  });
  writeFileSync(at("live.json"), live);
  const joined = at("of-both.jsonl");
  await touchstone("convert", at("other.har"), at("live.json"), "--to", "jsonl", "--out", joined);
  const paths = [at("other.har"), await convert(joined, "har", "of-both.har"), joined, at("live.json")];
  const { stdout } = await touchstone("check", ...paths, "--preset", "vendors", "--format", "json");
  const { findings } = JSON.parse(stdout) as { findings: { clause: string; source: string; exchange: number }[] };
  const accused = findings.filter(({ clause }) => clause.includes("authorization-required"));
  // The second of the two was recorded live.
  expect(accused.map(({ source, exchange }) => [source, exchange])).toEqual([
    [at("of-both.har"), 1],
    [joined, 1],
    [at("live.json"), 0],
  ]);
  const { exchanges } = await readCassette(at("of-both.har"));
  expect(exchanges.map(({ exchange }) => exchange.imported)).toEqual(["HAR", undefined]);
});

test("standard input and output do as well", async () => {
  const { stdout, stderr } = await touchstone("convert", tape, "--to", "jsonl");
  expect([stdout, stderr]).toEqual([readFileSync(tape, "utf8"), ""]);
});

test("a file that cannot be read or written is refused, and leaves no file", async () => {
  writeFileSync(at("damaged.jsonl"), `${readFileSync(tape, "utf8")}{"broken"\n{}\n`);
  for (const [from, out, said] of [
    [at("damaged.jsonl"), at("never.jsonl"), "the line is damaged"],
    [at("missing.har"), at("never.jsonl"), "there is no such file"],
    [tape, tape, "the file exists already"],
    [tape, join(folder, "no", "folder.har"), "cannot be created"],
  ] as const) {
    const { code, stderr } = await touchstone("convert", from, "--to", "jsonl", "--out", out);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  }
  expect(existsSync(at("never.jsonl"))).toBe(false);
  const { code, stderr } = await touchstone("convert", tape, "--to", "jsonl", "--redact", "(");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--redact")]);
});
