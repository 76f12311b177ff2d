/** Recorded requests become a target's own, and whatever a socket does becomes data. */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { formRequest, jsonRequest } from "../wire/build.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { listen } from "../wire/listen.ts";
import { parseForm } from "../wire/multipart.ts";
import { createSender, joinUrl } from "../wire/send.ts";
import { takeOver } from "./bind.ts";
import { curlOf } from "./curl.ts";
import { modelOf } from "./model.ts";
import { obstacleIn } from "./obstacle.ts";
import { type Recorded, retarget } from "./retarget.ts";
import { secretsOf } from "./secrets.ts";
import type { Target } from "./target.ts";

const target: Target = {
  url: "http://127.0.0.1:8080",
  keys: { "*": "general-key", images: "images-key" },
  bindings: [],
  models: {},
  headers: [],
  lacks: [],
};
const recorded: Recorded = { interface: "chat-completions", bindings: {}, negative: false };
const chat = (headers: WireRequest["headers"] = [["Authorization", "Bearer [redacted]"]], model = "chat-model") =>
  jsonRequest("/v1/chat/completions", headers, { model, messages: [] });
const known = new Set(["chat-model", "image-v2", "dall-e-2", "generate-model"]);
const sent = (request: WireRequest, of: Partial<Recorded> = {}, to: Partial<Target> = {}): WireRequest =>
  retarget(request, { ...recorded, ...of }, { ...target, ...to }, known).request;
const jsonBody = ({ body }: WireRequest) => JSON.parse(Buffer.from(body).toString());

test.each([
  ["http://h", "/v1/x", "http://h", "/v1/x"],
  ["https://h:8443/gateway/", "/v1/x?a=b", "https://h:8443", "/gateway/v1/x?a=b"],
  ["http://h/v1", "/v1/x", "http://h", "/v1/x"],
  ["http://h/a/v1/", "/v1/x", "http://h", "/a/v1/x"],
  ["http://h/v1", "/v1beta/x", "http://h", "/v1/v1beta/x"],
])("%s and %s meet at one address", (base, path, origin, joined) => {
  expect(joinUrl(base, path)).toEqual({ origin, target: joined });
});

test("credentials go where the recording had them, in its scheme; the recorder's bookkeeping stays behind", () => {
  const { headers } = sent(
    chat([
      ["Host", "recorder"],
      ["Authorization", "Bearer [redacted]"],
      ["x-api-key", "[redacted]"],
      ["X-Stainless-Lang", "js"],
      ["Content-Length", "7"],
      ["Connection", "keep-alive"],
      ["OpenAI-Organization", "[redacted]"],
      ["Accept", "application/json"],
    ]),
  );
  expect(headers).toEqual([
    ["User-Agent", "touchstone"],
    ["Authorization", "Bearer general-key"],
    ["x-api-key", "general-key"],
    ["Accept", "application/json"],
    ["Content-Type", "application/json"],
  ]);
  const query = sent(jsonRequest("/v1beta/models/m:generateContent?alt=sse&key=%5Bredacted%5D", [], {}));
  expect(query.target).toBe("/v1beta/models/m:generateContent?alt=sse&key=general-key");
});

test("a key stands where the document of its interface wants it, unless the target takes it in the header alone", () => {
  const generate = (headers: WireRequest["headers"], to: Partial<Target> = {}, query = "?alt=sse") => {
    const request = jsonRequest(`/v1beta/models/m:streamGenerateContent${query}`, headers, {});
    const adapted = sent(request, { interface: "generate-content" }, to);
    return [adapted.target.split("?")[1] ?? "", headerValue(adapted.headers, "x-goog-api-key")];
  };
  const recordedKey = [["x-goog-api-key", "[redacted]"]] as const;
  expect(generate(recordedKey)).toEqual(["alt=sse&key=general-key", undefined]);
  expect(generate(recordedKey, {}, "")).toEqual(["key=general-key", undefined]);
  expect(generate(recordedKey, { keysInHeaders: ["generate-content"] })).toEqual(["alt=sse", "general-key"]);
  const documented = "?alt=sse&key=%5Bredacted%5D";
  expect(generate([], {}, documented)).toEqual(["alt=sse&key=general-key", undefined]);
  expect(generate([], { keysInHeaders: ["generate-content"] }, documented)).toEqual(["alt=sse", "general-key"]);
  expect(generate(recordedKey, { headers: [["x-goog-api-key", "own"]] })).toEqual(["alt=sse", "own"]);
  expect(generate([])).toEqual(["alt=sse", undefined]);
});

test("a request broken in its credentials on purpose stays broken", () => {
  const header = (request: WireRequest, to: Partial<Target> = {}) =>
    headerValue(sent(request, { negative: true }, to).headers, "authorization");
  const extra = { headers: [["Authorization", "Bearer extra"]] as const };
  expect(header(chat([]))).toBeUndefined();
  expect(header(chat([]), extra)).toBeUndefined();
  expect(header(chat([["Authorization", "Token [redacted]"]]))).toBe("Token general-key");
  expect(header(chat([["Authorization", "Bearer "]]))).toBe("Bearer ");
  expect(header(chat(), extra)).toBe("Bearer extra");
});

test("header names and models become the target's, by what the recording says its own mean", () => {
  const names = { "partner-version": "anthropic-version" };
  const request = jsonRequest("/v1/messages", [["anthropic-version", "2023-06-01"]], { model: "m" });
  const version = (to: Partial<Target>) => sent(request, { interface: "messages", bindings: { names } }, to).headers;
  expect(version({})).toContainEqual(["partner-version", "2023-06-01"]);
  expect(version({ bindings: [{ names: { "partner-version": "X-Version" } }] })).toContainEqual([
    "x-version",
    "2023-06-01",
  ]);

  const model = (recordedModel: string, models: Record<string, string>, of: Partial<Recorded> = {}) =>
    modelOf(sent(chat(undefined, recordedModel), of, { models }));
  expect(model("chat-model", {})).toBe("chat-model");
  expect(model("chat-model", { "*": "any" })).toBe("any");
  expect(model("chat-model", { "*": "any", "chat-completions": "own" })).toBe("own");
  expect(model("chat-model", { "chat-completions": "own", "chat-model": "exact" })).toBe("exact");
  expect(model("never-answered", { "*": "any" })).toBe("never-answered");
  const reasoning = { bindings: { models: { reasoning: ["chat-*"] } } };
  expect(model("chat-model", { "*": "any", reasoning: "thinker" }, reasoning)).toBe("thinker");
  const vendor = { interface: "images", bindings: { names: { "image-v2": "dall-e-2" } } };
  expect(model("dall-e-2", { "*": "any" }, vendor)).toBe("image-v2");
  expect(model("dall-e-2", { "image-v2": "painter" }, vendor)).toBe("painter");
});

test("the model is found and replaced in paths and forms, and the bytes around it stay", () => {
  const path = sent(
    jsonRequest("/v1beta/models/generate-model:generateContent?key=[redacted]", [], {}),
    { interface: "generate-content" },
    { models: { "generate-content": "a/b" } },
  );
  expect(path.target).toBe("/v1beta/models/a%2Fb:generateContent?key=general-key");
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  const form = formRequest(
    "/v1/images/edits",
    [["Authorization", "Bearer [redacted]"]],
    [
      ["image", { filename: "a.png", contentType: "image/png", bytes }],
      ["model", "image-v2"],
      ["prompt", "model"],
    ],
  );
  const adapted = sent(form, { interface: "images" }, { models: { "image-v2": "painter-with-a-long-name" } });
  const parsed = parseForm(adapted.body, headerValue(adapted.headers, "content-type"));
  expect(parsed.ok && parsed.parts.map(({ name, text }) => [name, text])).toEqual([
    ["image", undefined],
    ["model", "painter-with-a-long-name"],
    ["prompt", "model"],
  ]);
  expect(parsed.ok && Buffer.from(parsed.parts[0]!.bytes).equals(bytes)).toBe(true);
  expect(headerValue(adapted.headers, "authorization")).toBe("Bearer images-key");
});

test("bound values come from earlier answers; a missing one says what was needed", () => {
  const request = jsonRequest("/v1/messages", [], { messages: [{}, { content: [{ id: "old" }] }] });
  const bind = [{ from: { exchange: 0, pointer: "/content/0/id" }, to: "/messages/1/content/0/id" }];
  const bound = takeOver(request, bind, [{ content: [{ id: "new" }] }]);
  expect(bound.ok && jsonBody(bound.request)).toEqual({ messages: [{}, { content: [{ id: "new" }] }] });
  expect(takeOver(request, bind, [undefined])).toEqual({
    ok: false,
    needs: "a value at /content/0/id of the answer to exchange 0",
  });
});

describe("a curl command", () => {
  const target = {
    keys: { "*": "a/secret key", messages: "it's" },
    headers: [
      ["X-Pass", "S"],
      ["X-Provider", "openai"],
      ["Authorization", "Key hunter-22"],
      ["X.Pass", "other"],
      ["X-Odd", "q1w2e3r4t5y6"],
      ["X-Gone", ""],
    ] as const,
  };
  const secrets = secretsOf(target);

  test("has a variable of its own for each secret, and shows what is none", () => {
    const query = `/v1/x?key=${encodeURIComponent("a/secret key")}&sig=S&n=1`;
    const command = curlOf("http://h", jsonRequest(query, target.headers, { it: "it's\nfine" }), secrets)!;
    for (const part of [
      `'http://h/v1/x?key='"$TOUCHSTONE_KEY"'&sig='"$X_PASS"'&n=1'`,
      `-H 'X-Pass: '"$X_PASS"''`,
      `-H 'X-Provider: openai'`,
      `-H 'Authorization: Key '"$AUTHORIZATION"''`,
      `-H 'X.Pass: '"$X_PASS_2"''`,
      `-H 'X-Odd: '"$X_ODD"''`,
      `-H 'X-Gone;'`,
      `'{"it":"it'\\''s\\nfine"}'`,
    ])
      expect(command).toContain(part);
  });

  test("means to a shell what was sent", () => {
    const body = `{"it": "it's $HOME \`id\` \\\\ !x"}`;
    const command = curlOf(
      "http://h",
      { ...jsonRequest("/v1/x?a=[1]", target.headers, 1), body: Buffer.from(body) },
      secrets,
    )!;
    const env = Object.fromEntries(secrets.map(({ variable, value }) => [variable, value]));
    const seen = execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }\n${command}`], { env })
      .toString()
      .split("\n");
    expect(seen).toEqual(expect.arrayContaining(["X-Pass: S", "Authorization: Key hunter-22", "X-Gone;", body, "-g"]));
  });

  test("sends bytes that are no text, and a text curl would take for a file's name, as base64", () => {
    const request = jsonRequest("/v1/x", [], 1);
    const binary = curlOf("http://h", { ...request, body: Uint8Array.of(0, 255) }, [])!;
    expect(binary).toMatch(/^base64 -d <<'BODY' \| curl .*--data-binary @-\nAP8=\nBODY$/s);
    expect(curlOf("http://h", { ...request, body: Buffer.from("@file") }, [])).toMatch(/^base64 -d/);
    expect(curlOf("http://h", { ...request, body: Buffer.from("\0hunter-22") }, secrets)).toBeUndefined();
  });
});

test("a probe tells a refused key and an unknown model from an answer that is merely wrong", () => {
  const obstacle = (status: number, text: string, model: string | undefined = "big-model") =>
    obstacleIn({ status, headers: [], body: Buffer.from(text) }, "messages", "POST /v1/messages/big-model", model, true)
      ?.problem;
  expect(obstacle(200, "{}")).toBeUndefined();
  expect(obstacle(401, "")).toMatch(/key for messages is not accepted/);
  expect(obstacle(403, "")).toMatch(/key/);
  expect(obstacle(400, "API key not valid. Please pass a valid API key.")).toMatch(/key/);
  expect(obstacle(404, `{"error":{"message":"model: big-model"}}`)).toMatch(/does not know the model big-model/);
  expect(obstacle(400, "invalid model: big-model")).toMatch(/does not know the model/);
  expect(obstacle(404, "Cannot POST /v1/messages/big-model")).toBeUndefined();
  expect(obstacle(400, "max_tokens is missing")).toBeUndefined();
  expect(obstacle(500, "the model big-model is unavailable")).toBeUndefined();
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const sender = (limits: { patience?: number; longest?: number } = {}) => {
  const made = createSender({ patience: 120_000, longest: 120_000, most: 2000, ...limits });
  closing.push(() => made.close());
  return made;
};
async function rawServer(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.once("data", () => answer(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("an answer keeps header order and case, repeated headers, undecoded bytes and the chunks it came in", async () => {
  const url = await rawServer((socket) => {
    socket.write(
      "HTTP/1.1 200 Fine\r\nX-One: a\r\nx-one: b\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    );
    setTimeout(() => socket.write("2\r\nde\r\n0\r\nX-Late: z\r\n\r\n"), 30);
  });
  const { exchange, failure } = await sender().send(url, chat());
  expect(failure).toBeUndefined();
  const { response } = exchange;
  expect(response).toMatchObject({ status: 200, reason: "Fine", trailers: [["x-late", "z"]] });
  expect(response?.headers.slice(0, 3)).toEqual([
    ["X-One", "a"],
    ["x-one", "b"],
    ["Content-Encoding", "gzip"],
  ]);
  expect(Buffer.from(response!.body).toString()).toBe("abcde");
  // The two may have been read at once.
  let end = 0;
  const ends = response!.chunks!.map(([, length]) => (end += length));
  expect([[3, 5], [5]]).toContainEqual(ends);
});

test.each<[string, (socket: Socket) => void, RegExp, "cut" | "none", ("patience" | "longest")?]>([
  ["closes at once", (socket) => socket.destroy(), /closed|reset/, "none"],
  ["does not speak HTTP", (socket) => socket.end("SSH-2.0\r\n"), /not HTTP/, "none"],
  ["never answers", () => undefined, /no answer came in time/, "none", "patience"],
  [
    "stops in the middle",
    (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
    /stopped in the middle/,
    "cut",
    "patience",
  ],
  ["breaks off", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), /./, "cut"],
  [
    "goes on without end",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      setInterval(() => socket.destroyed || socket.write("x"), 50).unref();
    },
    /still going on/,
    "cut",
    "longest",
  ],
  [
    "sends too much",
    (socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(5000)}`),
    /went on after 2000 bytes/,
    "cut",
  ],
])("a server that %s is reported, not thrown", async (_name, answer, problem, came, limit) => {
  const url = await rawServer(answer);
  let time = 250;
  const asked = () => sender(limit && { [limit]: time }).send(url, chat());
  let { exchange, failure } = await asked();
  // On a busy machine the head itself may take longer than that.
  while (limit && came === "cut" && exchange.response === null) {
    time *= 2;
    ({ exchange, failure } = await asked());
  }
  expect(failure?.kind).toBe("unanswered");
  expect(failure?.problem).toMatch(problem);
  expect(exchange.aborted).toBe("upstream");
  expect(exchange.response === null).toBe(came === "none");
});

test("nobody there, and what HTTP forbids, are told apart", async () => {
  expect((await sender().send("http://127.0.0.1:1", chat())).failure?.kind).toBe("unreachable");
  const server = await listen(() => ({ status: 200, headers: [], pieces: [] }));
  closing.push(server.close);
  expect((await sender().send(server.url, chat([["bad\nname", "x"]]))).failure?.kind).toBe("unsendable");
  expect((await sender().send(server.url, chat())).failure).toBeUndefined();
});
