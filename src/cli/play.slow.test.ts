/** `touchstone play` as users meet it: a process of its own on a socket, with raw clients and the official SDKs. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as ask } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readCassette } from "../cassette/read.ts";
import { exchangeLine, formatCassette, headerLine } from "../cassette/write.ts";
import { home } from "../home.ts";
import type { Exchange, HeaderPairs, WireResponse } from "../wire/exchange.ts";
import { type Listening, listen } from "../wire/listen.ts";
import { talk } from "../wire/raw-client.test-kit.ts";
import { type Ended, touchstoneHere } from "./here.test-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-play-"));
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function touchstone(args: readonly string[]) {
  let done: (ended: Ended) => void;
  const ended = new Promise<Ended>((resolve) => (done = resolve));
  const child = execFile(
    process.execPath,
    [join(home, "dist", "src", "cli.js"), ...args],
    { env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 1 << 26 },
    (_error, stdout, stderr) => done({ code: child.exitCode, stdout, stderr }),
  );
  open.push({ close: () => child.kill("SIGKILL") });
  return { child, ended };
}

interface Playing {
  readonly url: string;
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>;
}

async function play(...args: string[]): Promise<Playing> {
  const { child, ended } = touchstone(["play", ...args]);
  const first = await Promise.race([once(child.stdout!, "data").then(([text]) => String(text)), ended]);
  if (typeof first !== "string") throw new Error(first.stderr);
  const url = /^listening on (http:\/\/\S+)\n/.exec(first)![1]!;
  return {
    url,
    stop: (signal = "SIGINT") => {
      child.kill(signal);
      return ended;
    },
  };
}

let files = 0;
function cassette(...exchanges: Exchange[]): string {
  const path = join(folder, `tape-${files++}.jsonl`);
  writeFileSync(path, `${[headerLine({}), ...exchanges.map((exchange) => exchangeLine(exchange))].join("\n")}\n`);
  return path;
}

const recorded = (target: string, response: Partial<WireResponse> | null, more: Partial<Exchange> = {}): Exchange => ({
  request: { method: "GET", target, headers: [], body: new Uint8Array(0) },
  response: response && { status: 200, headers: [], body: new Uint8Array(0), ...response },
  ...more,
});

const getting = (target: string, method = "GET"): string =>
  `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

/** The pieces of a body as a client receives them, with the time of each. */
async function piecesFrom(url: string): Promise<{ text: string; at: number }[]> {
  const began = performance.now();
  const outgoing = ask(url, { agent: false }).end();
  const [incoming] = await once(outgoing, "response");
  const pieces: { text: string; at: number }[] = [];
  for await (const piece of incoming) pieces.push({ text: String(piece), at: performance.now() - began });
  return pieces;
}

describe("a recorded response is played", () => {
  const tapes: string[] = [];
  const tape = (...exchanges: Exchange[]): void => void tapes.push(cassette(...exchanges));
  let url: string;
  let end: Playing["stop"];
  beforeAll(async () => {
    ({ url, stop: end } = await play(...tapes, "--pace", "instant"));
    open.length = 0;
  });
  afterAll(() => end());

  {
    const headers: HeaderPairs = [
      ["X-B", "1"],
      ["date", "Thu, 01 Jan 1970 00:00:00 GMT"],
      ["set-cookie", "a"],
      ["Content-Length", "5"],
      ["x-b", "2"],
      ["Connection", "keep-alive, x-hop"],
      ["X-Hop", "1"],
      ["Keep-Alive", "timeout=1"],
      ["Set-Cookie", "b"],
    ];
    tape(
      recorded("/a", { status: 299, reason: "Fine Enough", headers, body: Buffer.from("hello") }),
      recorded("/wrong", { headers: [["Content-Length", "7"]], body: Buffer.from("hello") }),
    );
    test("with status, reason, header order, case and repetition, and nothing added", async () => {
      expect(await talk(url, getting("/a"))).toBe(
        "HTTP/1.1 299 Fine Enough\r\nX-B: 1\r\ndate: Thu, 01 Jan 1970 00:00:00 GMT\r\nset-cookie: a\r\nContent-Length: 5\r\nx-b: 2\r\nSet-Cookie: b\r\nConnection: close\r\n\r\nhello",
      );
      expect(await talk(url, getting("/wrong"))).toMatch(/\r\nContent-Length: 5\r\n(?:.|\r\n)*\r\n\r\nhello$/);
      // On a connection that stays, nothing is said of it.
      const kept = await talk(url, `GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n${getting("/a")}`);
      expect(kept.split("HTTP/1.1")[1]).not.toContain("onnection");
    });
  }

  {
    const body = Buffer.from("data: ä\n\ndata: 2\n\n");
    tape(
      recorded("/s", {
        headers: [
          ["Transfer-Encoding", "chunked"],
          ["Content-Type", "text/event-stream"],
          ["Trailer", "X-Sum"],
        ],
        body,
        chunks: [
          [1, 7],
          [2, body.length - 7],
        ],
        trailers: [["X-Sum", "1"]],
      }),
      recorded("/g", { headers: [["transfer-encoding", "gzip, Chunked"]], body }),
    );
    test("with its chunks and trailers, chunked where it was", async () => {
      const text = await talk(url, getting("/s"));
      const parts = [body.subarray(0, 7), body.subarray(7)].map(
        (part) => `${part.length.toString(16)}\r\n${part.toString("latin1")}\r\n`,
      );
      expect(text).toBe(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/event-stream\r\nTrailer: X-Sum\r\nConnection: close\r\n\r\n${parts.join("")}0\r\nX-Sum: 1\r\n\r\n`,
      );
      expect(await talk(url, getting("/g"))).toMatch(/^HTTP\/1.1 200 OK\r\ntransfer-encoding: gzip, Chunked\r\n/);
      const old = await talk(url, "GET /s HTTP/1.0\r\n\r\n");
      expect(old).not.toMatch(/transfer-encoding|trailer/i);
      expect(old.endsWith(`\r\n\r\n${body.toString("latin1")}`)).toBe(true);
    });
  }

  {
    const body = gzipSync('{"a":1}');
    const length: HeaderPairs = [["Content-Length", "99"]];
    tape(
      recorded("/z", { headers: [["content-encoding", "gzip"]], body }),
      { ...recorded("/h", { headers: length }), request: { ...recorded("/h", null).request, method: "HEAD" } },
      {
        ...recorded("/hc", { headers: [["Transfer-Encoding", "chunked"]] }),
        request: { ...recorded("/hc", null).request, method: "HEAD" },
      },
      recorded("/304", { status: 304, headers: length }),
      recorded("/204", { status: 204, headers: [["transfer-encoding", "chunked"]] }),
    );
    test("compressed as it was, and without a body where there was none", async () => {
      expect(await talk(url, getting("/z"))).toContain(body.toString("latin1"));
      expect(await talk(url, getting("/h", "HEAD"))).toMatch(/^HTTP\/1.1 200 OK\r\nContent-Length: 99\r\n.*\r\n\r\n$/s);
      expect(await talk(url, getting("/hc", "HEAD"))).toBe(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
      );
      expect(await talk(url, getting("/304"))).toMatch(/^HTTP\/1.1 304 .*Content-Length: 99\r\n.*\r\n\r\n$/s);
      expect(await talk(url, getting("/204"))).toMatch(/^HTTP\/1.1 204 [^:]*\r\nConnection: close\r\n\r\n$/);
    });
  }

  {
    const came = { headers: [["Content-Type", "text/event-stream"]] as const, body: Buffer.from("data: 1\n\n") };
    tape(
      recorded("/client", came, { aborted: "client" }),
      recorded("/upstream", { ...came, headers: [["Content-Length", "50"]] }, { aborted: "upstream" }),
      recorded("/cut", { ...came, headers: [["Content-Length", String(came.body.length)]], cut: 10 }),
      recorded("/head", { headers: came.headers }, { aborted: "upstream" }),
      recorded("/nothing", null, { aborted: "upstream" }),
      recorded("/early", { status: 103 }),
    );
    test("up to where it was broken off, or was not kept", async () => {
      for (const target of ["/client", "/upstream", "/cut"]) {
        const text = await talk(url, getting(target));
        expect(text).toMatch(/data: 1\n\n(?:\r\n)?$/);
        await expect(fetch(url + target).then((response) => response.text())).rejects.toThrow();
      }
      expect(await talk(url, getting("/upstream"))).toContain("Content-Length: 50");
      expect(await talk(url, getting("/head"))).toMatch(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\n$/s);
      expect(await talk(url, getting("/nothing"))).toBe("");
      expect(await talk(url, getting("/early"))).toBe("");
    });
  }

  test("whole, if there is also a broken one of the same request", async () => {
    const part = recorded("/a", { body: Buffer.from("who") }, { aborted: "upstream" });
    const whole = recorded("/a", { body: Buffer.from("whole") });
    const { url, stop } = await play(cassette(part, whole, part), "--once");
    expect(await (await fetch(`${url}/a`)).text()).toBe("whole");
    expect((await fetch(`${url}/a`)).status).toBe(404);
    expect((await stop()).stderr).toMatch(
      /exchange 0: its response is not whole; a whole one of the same request is played\.\n.*exchange 2: .*\n1 recording from/,
    );
  });

  test("not for a WebSocket, of which no messages are recorded", async () => {
    const upgraded = { sent: 1, received: 1, ended: "client" } as const;
    const { url, stop } = await play(cassette(recorded("/socket", { status: 101, upgraded }), recorded("/plain", {})));
    expect((await fetch(`${url}/socket`)).status).toBe(404);
    const { stderr } = await stop();
    expect(stderr).toMatch(
      /exchange 0: what passed over a WebSocket is not recorded; it is not played\.\n1 recording from/,
    );
  });

  test("whole, however large", async () => {
    const body = Buffer.alloc(8 << 20, "abcdefghijklmnopqrstuvw");
    const { url } = await play(cassette(recorded("/large", { body }), recorded("/broken", { body, cut: 1 })));
    expect(Buffer.from(await (await fetch(`${url}/large`)).arrayBuffer()).equals(body)).toBe(true);
    expect((await talk(url, getting("/broken"))).length).toBeGreaterThan(body.length);
  });
});

describe("the pace", () => {
  const stream = recorded("/s", {
    body: Buffer.from("abc"),
    chunks: [
      [100, 1],
      [200, 1],
      [300, 1],
    ],
    time: 400,
  });

  test("is the recorded one, a multiple of it, or none", async () => {
    const tape = cassette(stream, recorded("/never", { body: Buffer.from("x"), chunks: [[1e12, 1]] }));
    // How pieces are cut, and how late they are, is up to the machine; none is early, but for what timers are.
    for (const [pace, apart] of [
      ["recorded", 100],
      ["2x", 50],
    ] as const) {
      let text = "";
      for (const { text: piece, at } of await piecesFrom(`${(await play(tape, "--pace", pace)).url}/s`)) {
        text += piece;
        expect(at).toBeGreaterThan(apart * text.length - 20);
      }
      expect(text).toBe("abc");
    }
    const { url } = await play(tape, "--pace", "instant");
    expect((await piecesFrom(`${url}/s`)).map(({ text }) => text).join("")).toBe("abc");
    expect((await piecesFrom(`${url}/never`)).map(({ text }) => text).join("")).toBe("x");
  });
});

describe("a miss", () => {
  const tape = cassette({
    request: {
      method: "POST",
      target: "/v1/chat/completions",
      headers: [["Content-Type", "application/json"]],
      body: Buffer.from('{"model":"m","messages":[{"role":"user","content":"What is the weather in Paris?"}]}'),
    },
    response: { status: 200, headers: [], body: Buffer.from("{}") },
  });
  const post = (url: string, body: unknown, query = ""): Promise<Response> =>
    fetch(`${url}/v1/chat/completions${query}`, { method: "POST", body: JSON.stringify(body) });
  const messages = [{ role: "user", content: "What is the weather in Rome?" }];
  const secret = "sk-abcdefghijklmnopqrstuvwxyz123456";

  test("answers 404 with the nearest recording and every difference, and is listed at the end", async () => {
    const { url, stop } = await play(tape, "--strict");
    const response = await post(url, { messages, model: "m", stream: true }, `?key=${secret}`);
    expect(response.status).toBe(404);
    const answer = (await response.json()) as { error: { message: string }; nearest: unknown };
    expect(answer).toMatchObject({
      error: { message: expect.stringContaining("/body/messages/0/content") },
      nearest: {
        source: tape,
        exchange: 0,
        target: "/v1/chat/completions",
        differences: [
          {
            pointer: "/body/messages/0/content",
            recorded: expect.stringContaining("Paris?"),
            asked: expect.stringContaining("Rome?"),
          },
          { pointer: "/body/stream", asked: "true" },
          { pointer: "/query", asked: '{"key":"[redacted]"}' },
        ],
        more: 0,
      },
    });
    // A name may be a credential too, and may steer a terminal.
    const named = await post(url, { messages, model: "m", [secret]: 1, "\u001b]52;c;AAAA\u0007\u202e": "\u009b2J" });
    expect(await named.text()).not.toContain(secret);
    await post(url, { messages, model: "m", stream: true }, `?key=${secret}`);
    const { code, stderr, stdout } = await stop();
    expect(code).toBe(1);
    expect(stderr).toContain("not recorded: 3 requests");
    expect(stderr).toContain("(2 times)");
    expect(stderr).toMatch(/-\s+\/body\/messages\/0\/content: "What is the weather in Paris\?"/);
    expect(stderr).toContain(`nobody asked for 1 recording:\n  ${tape}, exchange 0: POST /v1/chat/completions\n`);
    expect(stderr + JSON.stringify(answer)).not.toContain(secret);
    expect(stderr).toContain("\\u001b]52;c;AAAA\\u0007\\u202e");
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(stdout).toBe(`listening on ${url}\n`);
  });

  test("and recordings left over fail a strict session only", async () => {
    const good = { model: "m", messages: [{ role: "user", content: "What is the weather in Paris?" }] };
    const strict = await play(tape, "--strict", "--once");
    expect((await post(strict.url, good)).status).toBe(200);
    expect((await strict.stop("SIGTERM")).code).toBe(0);
    const once = await play(tape, "--strict", "--once");
    await post(once.url, good);
    const second = (await (await post(once.url, good)).json()) as { error: { message: string } };
    expect(second.error.message).toMatch(/again: .*, exchange 0 was played already$/);
    expect((await once.stop()).code).toBe(1);
    const lenient = await play(tape);
    expect((await post(lenient.url, {})).status).toBe(404);
    expect((await lenient.stop()).code).toBe(0);
  });

  test("is recorded from the upstream where that is asked for, without credentials", async () => {
    let asked = 0;
    const upstream: Listening = await listen(({ headers, target, body }) => {
      asked++;
      return {
        status: 201,
        reason: "Made",
        headers: [
          ["X-Seen", `${target} ${headers.find(([name]) => name === "host" || name === "Host")?.[1]}`],
          ["Content-Type", "text/event-stream"],
        ],
        pieces: [{ bytes: body }, { bytes: Buffer.from(" and more"), after: 30 }],
      };
    });
    open.push(upstream);
    const out = join(folder, "gaps.jsonl");
    const { url, stop } = await play(tape, "--on-miss", "record", "--upstream", `${upstream.url}/base/`, "--out", out);
    const headers = { authorization: `Bearer ${secret}` };
    const send = (): Promise<Response> => fetch(`${url}/x?key=${secret}`, { method: "POST", body: "new", headers });
    const first = await send();
    expect([first.status, first.statusText, await first.text()]).toEqual([201, "Made", "new and more"]);
    expect(first.headers.get("x-seen")).toBe(`/base/x?key=${secret} ${new URL(upstream.url).host}`);
    expect(await (await send()).text()).toBe("new and more");
    expect(asked).toBe(1);
    const { code, stderr } = await stop();
    expect([code, stderr]).toEqual([0, expect.stringContaining("recorded 1 new exchange")]);
    expect(readFileSync(out, "utf8")).not.toContain(secret);
    const { exchanges } = await readCassette(out);
    expect(exchanges[0]!.exchange).toMatchObject({
      request: { target: "/x?key=%5Bredacted%5D", body: Buffer.from("new") },
      response: { status: 201, body: Buffer.from("new and more") },
    });
    const chunks = exchanges[0]!.exchange.response!.chunks!;
    expect(chunks.reduce((sum, [, length]) => sum + length, 0)).toBe("new and more".length);
    const replayed = await play(out);
    expect(await (await fetch(`${replayed.url}/x?key=other`, { method: "POST", body: "new" })).text()).toBe(
      "new and more",
    );
  });

  test("an upstream that does not answer is a 502; a stream that the client leaves ends upstream", async () => {
    let gone = 0;
    const upstream = await listen((_request, left) => {
      left.addEventListener("abort", () => gone++);
      return {
        status: 200,
        headers: [],
        pieces: [{ bytes: Buffer.from("a") }, { bytes: Buffer.from("b"), after: 600_000 }],
      };
    });
    open.push(upstream);
    const filling = (to: string): Promise<Playing> =>
      play(tape, "--on-miss", "record", "--upstream", to, "--out", join(folder, `gaps-${files++}.jsonl`));
    const { url, stop } = await filling(upstream.url);
    const leaving = new AbortController();
    const response = await fetch(`${url}/x`, { signal: leaving.signal });
    await response.body!.getReader().read();
    leaving.abort();
    await expect.poll(() => gone).toBe(1);
    expect((await stop()).code).toBe(0);
    await upstream.close();
    const lonely = await filling(upstream.url);
    expect((await fetch(`${lonely.url}/x`)).status).toBe(502);
    expect((await lonely.stop()).stderr).toContain("failed to record 1");
  });
});

test.each([
  [["--pace", "fast"], "--pace fast is no pace"],
  [["--pace", "0x"], "--pace 0x is no pace"],
  [["--on-miss", "record", "--out", "x"], "needs --upstream"],
  [["--on-miss", "record", "--upstream", "http://h"], "needs --out"],
  [["--out", "x"], "--out is used only"],
  [["--on-miss", "record", "--upstream", "nowhere", "--out", "x"], "is no address"],
])("%j is refused with what to do", async (args, message) => {
  const { code, stdout, stderr } = await touchstoneHere(["play", cassette(), ...args]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(existsSync("x")).toBe(false);
});

interface Session {
  readonly interface: string;
  readonly section: string;
  readonly name: string;
  readonly run: (base: string) => Promise<unknown>;
}

test("recordings that cannot be put in place are named, with exit code 2", async () => {
  const { url: upstream, close } = await listen(() => ({ status: 200, headers: [], pieces: [] }));
  open.push({ close });
  const path = join(folder, "replaced.jsonl");
  const { url, stop } = await play(path, "--record", upstream, "--mode", "always");
  await fetch(`${url}/a`);
  // Nothing can be moved over a folder.
  mkdirSync(path);
  const { code, stderr } = await stop();
  const [, rest] = /replaced\.jsonl is left as it was: .*; what was recorded is in (.*\.new)\n/.exec(stderr)!;
  expect([code, (await readCassette(rest!)).exchanges.length]).toEqual([2, 1]);
});

test("the official SDKs run unchanged against the sessions recorded from them", async () => {
  const file = pathToFileURL(join(home, "recordings", "sessions.mjs")).href;
  const { sessions } = (await import(file)) as { sessions: readonly Session[] };
  const tapes = sessions.map((session) =>
    join(home, "recordings", session.interface, session.section, `${session.name}.json`),
  );
  const { url, stop } = await play(...tapes, "--strict", "--once", "--pace", "instant");
  for (const session of sessions) await session.run(url);
  expect(await stop()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("not recorded") });
});

test("a session is found quickly among thousands", async () => {
  const many = Array.from(
    { length: 3000 },
    (_, i): Exchange => ({
      ...recorded("/v1/x?key=%5Bredacted%5D", { body: Buffer.from(String(i)) }),
      request: {
        method: "POST",
        target: "/v1/x?key=%5Bredacted%5D",
        headers: [],
        body: Buffer.from(JSON.stringify({ n: i, pad: "p".repeat(2000) })),
      },
    }),
  );
  const path = join(folder, "many.json");
  writeFileSync(path, formatCassette({ header: {}, exchanges: many.map((exchange) => ({ exchange })) }));
  const { url } = await play(path, "--pace", "instant");
  const post = async (n: number): Promise<string> =>
    (await fetch(`${url}/v1/x?key=k`, { method: "POST", body: JSON.stringify({ pad: "p".repeat(2000), n }) })).text();
  expect(await post(2999)).toBe("2999");
  expect(await post(7)).toBe("7");
  expect(JSON.parse(await post(-1))).toMatchObject({ nearest: { differences: [{ pointer: "/body/n" }] } });
});
