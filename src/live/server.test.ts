/** Only some may ask the page's server, and it lets them have only some things. */

import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http, { type RequestOptions } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readCassette } from "../cassette/read.ts";
import { exchangeLine, formatCassette, headerLine } from "../cassette/write.ts";
import { shippedClauses } from "../interfaces/clause-data.ts";
import { interfaces } from "../interfaces/index.ts";
import { judgingFrom } from "../interfaces/judging.ts";
import type { Answer } from "../record/keeper/messages.ts";
import { cert, key } from "../wire/certificate.test-kit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { type Live, openLive } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-live-"));
const out = join(folder, "session.jsonl");
const nothing: Answer = { count: 0, open: [], streams: [], ended: [] };
let looks = 0;
let live: Live;
let base: URL;

const exchange = (more: Partial<Exchange["request"]> = {}): Exchange => ({
  origin: "http://upstream.test",
  started: 1,
  request: {
    method: "POST",
    target: "/v1/chat/completions",
    headers: [["Content-Type", "application/json"]],
    body: Buffer.from('{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}'),
    ...more,
  },
  response: { status: 200, headers: [["Content-Type", "application/json"]], body: Buffer.from("{}"), time: 1 },
});

beforeAll(async () => {
  const masked = exchange({ redacted: ["/body/3-9"] });
  const keyed = exchange({
    headers: [["Authorization", "Bearer [redacted]"]],
    redacted: ["/headers/authorization"],
  });
  const lines = [headerLine({}), ...[exchange(), masked, keyed, exchange({ cut: 5 })].map((one) => exchangeLine(one))];
  writeFileSync(out, `${lines.join("\n")}\n`);
  const look = async (): Promise<Answer> => {
    looks++;
    return nothing;
  };
  const session = { url: "http://127.0.0.1:9", out, look, lag: async () => 0 };
  live = await openLive(session, judgingFrom({}, shippedClauses), {
    interfaces,
    clauses: shippedClauses.clauses,
    upstreams: [[null, "http://upstream.test"]],
    keys: {},
    keepHeaders: [],
    redact: [],
  });
  base = new URL(live.url);
});
afterAll(async () => {
  await live.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** Sends exactly this, as no browser would. */
function ask(path: string, options: RequestOptions = {}, body = ""): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port: base.port, path, agent: false, ...options }, (response) => {
      let text = "";
      response.on("data", (bytes) => (text += bytes));
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

const at = (path: string): string => `${path}${base.search}`;
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Got> =>
  ask(at(path), { method: "POST", headers: { "content-type": "application/json", ...headers } }, JSON.stringify(body));

test("it listens on the loopback address, and its page lets nothing else run, load, frame or read it", async () => {
  expect(base.hostname).toBe("127.0.0.1");
  expect(base.searchParams.get("token")!.length).toBeGreaterThanOrEqual(32);
  const { status, headers, text } = await ask(at("/"));
  expect(status).toBe(200);
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none';/);
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*/);
  expect(headers).toMatchObject({ "referrer-policy": "no-referrer", "cache-control": "no-store" });
  expect(text).not.toMatch(/<script(?! src="\/live\.js)|https?:/);
});

test.each<[string, string, RequestOptions]>([
  ["no token", "/", {}],
  ["a wrong token", "/?token=x", {}],
  ["two tokens", "/?token=x&token=TOKEN", {}],
  ["a name that points here", "/?token=TOKEN", { headers: { host: "rebound.example" } }],
  ["the right name at another port", "/?token=TOKEN", { headers: { host: "127.0.0.1:1" } }],
  ["a page of another origin", "/session?token=TOKEN", { headers: { origin: "https://evil.example" } }],
  ["a page without an origin", "/session?token=TOKEN", { headers: { origin: "null" } }],
  ["a page of another server of this machine", "/events?token=TOKEN", { headers: { origin: "http://localhost:3000" } }],
  ["another site", "/?token=TOKEN", { headers: { "sec-fetch-site": "cross-site" } }],
  [
    "a frame of another site",
    "/?token=TOKEN",
    { headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" } },
  ],
  [
    "a form of another site",
    "/?token=TOKEN",
    {
      headers: {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
        origin: "https://evil.example",
      },
    },
  ],
  ["another port of this site", "/?token=TOKEN", { headers: { "sec-fetch-site": "same-site" } }],
  ["a whole address", "http://127.0.0.1/?token=TOKEN", {}],
  ["an address of two slashes", "//evil.example/?token=TOKEN", {}],
  [
    "a preflight of another origin",
    "/send?token=TOKEN",
    { method: "OPTIONS", headers: { origin: "https://evil.example" } },
  ],
])("%s is refused, and no header lets others read why", async (_, path, options) => {
  const { status, headers, text } = await ask(path.replace("TOKEN", base.searchParams.get("token")!), options);
  expect(status).toBe(403);
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  expect(text).toMatch(/^touchstone: .+\n$/);
});

test.each([
  ["POST", "/", 405],
  ["DELETE", "/exchange/0", 405],
  ["GET", "/save", 405],
  ["OPTIONS", "/send", 405],
  ["GET", "/../session.jsonl", 404],
  ["GET", "/%2e%2e/session.jsonl", 404],
  ["GET", "/live.js/../../session.jsonl", 404],
  ["GET", "/exchange/-1", 404],
  ["GET", "/exchange/99999999999", 404],
])("%s %s is answered %i", async (method, path, status) => {
  expect((await ask(at(path), { method })).status).toBe(status);
});

test("nothing is looked at while no page is open, and it is once one is, until it has closed", async () => {
  live.exchange({ exchange: 0, operation: "x", known: false, asked: "x", status: 200, findings: [], groups: [] });
  expect((await ask(at("/"))).status).toBe(200);
  expect(looks).toBe(0);
  const request = http.get({ host: "127.0.0.1", port: base.port, path: at("/events") });
  // A connection that the server closes in the end is no fault of the test.
  request.on("error", () => {});
  request.on("response", (response) => response.resume());
  await expect.poll(() => looks).toBeGreaterThan(0);
  request.destroy();
});

test("an exchange is given as pages show it", async () => {
  const { status, text } = await ask(at("/exchange/0"));
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    exchange: { operation: "POST /v1/chat/completions", request: { body: { kind: "json" } } },
    findings: [],
    unjudged: expect.stringContaining("not judged yet"),
  });
});

test("a request is sent again only where all of it is known, and a key where one is to be had", async () => {
  const refusals: [number, string | null, RegExp][] = [
    [1, null, /credentials were taken out of the body/],
    [2, null, /carried a credential/],
    [3, null, /only the beginning/],
    [0, "ftp://127.0.0.1", /no http\(s\) address/],
    [0, "http://me:secret@127.0.0.1", /holds credentials/],
    [0, "http://127.0.0.1:9", /no answer came/],
  ];
  for (const [exchange, to, why] of refusals) {
    const { text } = await post("/send", { exchange, to });
    expect(JSON.parse(text)).toEqual({ problem: expect.stringMatching(why), remedy: expect.stringMatching(/\.$/) });
  }
});

test("a request is sent with the body that somebody wrote, also where the recorded one is not whole", async () => {
  const bodies: string[] = [];
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    bodies.push(body);
    response.setHeader("content-type", "application/json").end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const exchange of [0, 1, 3]) await post("/send", { exchange, to, body: '{"model":"mine"}' });
  expect(bodies).toEqual(Array(3).fill('{"model":"mine"}'));
  expect((await post("/send", { exchange: 0, to, body: 1 })).text).toContain("the body is not as it should be");
});

test("a detail has the command that sends its request, where the recording holds all of it", async () => {
  const curlOf = async (exchange: number): Promise<string | undefined> =>
    JSON.parse((await ask(at(`/exchange/${exchange}`))).text).curl;
  expect(await curlOf(0)).toMatch(/^curl .* 'http:\/\/upstream\.test\/v1\/chat\/completions'/);
  expect(await curlOf(2)).toContain("-H 'Authorization: Bearer '\"$TOUCHSTONE_KEY\"");
  expect([await curlOf(1), await curlOf(3)]).toEqual([undefined, undefined]);
});

test("a certificate nobody trusts ends what is sent again, whatever the recorder accepts of its upstream", async () => {
  const server = https.createServer({ key, cert }, (_request, response) => void response.end("{}"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const to = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { text } = await post("/send", { exchange: 0, to });
  expect(JSON.parse(text).problem).toContain("self-signed certificate");
});

const saved = { exchanges: [0], interface: "chat-completions", section: "streaming", name: "mine" };

test("a selection is saved for recordings, with what it needs, and once only; a download is the same", async () => {
  const { status, text } = await post("/save", saved);
  expect(status).toBe(200);
  const path = join(folder, "recordings", "chat-completions", "streaming", "mine.json");
  expect(JSON.parse(text).path).toBe(path);
  const cassette = await readCassette(path);
  expect(cassette.header).toEqual({ interface: "chat-completions", needs: ["streaming"] });
  expect(cassette.exchanges[0]!.exchange.origin).toBeUndefined();
  expect(JSON.parse((await post("/cassette", saved)).text).text).toBe(formatCassette(cassette));
  expect(JSON.parse((await post("/save", saved)).text).problem).toContain("exists already");
});

test.each([
  ["a name that leads elsewhere", { name: "../../../mine" }],
  ["a name with a slash", { name: "a/b" }],
  ["a hidden name", { name: ".bashrc" }],
  ["an interface that is none", { interface: "../.." }],
  ["a member of every object", { interface: "constructor" }],
  ["a section that is none", { section: ".." }],
  ["no exchange", { exchanges: [] }],
  ["what is no position", { exchanges: ["0"] }],
  ["an exchange that is not there", { exchanges: [9] }],
])("%s saves nothing", async (_, wrong) => {
  const { text } = await post("/save", { ...saved, name: "other", ...wrong });
  expect(JSON.parse(text)).toEqual({ problem: expect.any(String), remedy: expect.any(String) });
  expect(readdirSync(folder).sort()).toEqual(
    ["recordings", "session.jsonl"].filter((one) => existsSync(join(folder, one))),
  );
});

test("a posted body must be JSON, of this page, and small", async () => {
  const asForm = { method: "POST", headers: { "content-type": "text/plain" } };
  expect((await ask(at("/save"), asForm, JSON.stringify(saved))).text).toContain("application/json");
  expect((await post("/save", saved, { origin: "https://evil.example" })).status).toBe(403);
  const large = Array.from({ length: 100_000 }, (_, i) => i);
  expect((await post("/save", { exchanges: large })).text).toContain("too much to ask at once");
});
