/** Canaries: secrets for tests, the places of traffic they are put in, and a hunter that reads texts in every way a thief would. */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { type Decoded, decodeContent } from "../wire/encoding.ts";

/** One way a secret passes: what the client sends with it, and how the upstream answers. */
export interface Place {
  readonly name: string;
  readonly method?: string;
  readonly target?: (secret: string) => string;
  readonly headers?: (secret: string) => readonly string[];
  readonly body?: (secret: string) => Uint8Array | string;
  /** Fields behind the request's body. */
  readonly trailers?: (secret: string) => readonly string[];
  readonly reply?: (res: ServerResponse, secret: string) => void | Promise<void>;
  /** The client hangs up when the first bytes have come, and does this before. */
  readonly leaves?: () => unknown;
  /** How the secret begins and goes on, where its shape matters. */
  readonly shape?: (random: string) => string;
}

/** The same on every run, unlike each other, and like no word. */
export function secretOf({ name, shape = (random) => `canary${random}` }: Place): string {
  return shape(createHash("sha256").update(name).digest("base64").replace(/\W/g, "").slice(0, 32));
}

const json = ["Content-Type", "application/json"];
const bearer = (secret: string): string[] => ["Authorization", `Bearer ${secret}`];
const asked = (more: object): string =>
  JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...more });
const escaped = (text: string): string =>
  Array.from(text, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const percent = (text: string): string => Array.from(text, (c) => `%${c.charCodeAt(0).toString(16)}`).join("");
const boundary = "frontier";
const form = (...parts: readonly string[]): string =>
  `${parts.map((part) => `--${boundary}\r\nContent-Disposition: form-data; ${part}\r\n`).join("")}--${boundary}--\r\n`;
const multipart = ["Content-Type", `multipart/form-data; boundary=${boundary}`];
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15));

/** A zstd frame of two blocks, which cut the text in the middle. */
function zstd(text: string): Buffer {
  const bytes = Buffer.from(text);
  const block = (piece: Buffer, last: 0 | 1): Buffer[] => {
    const head = Buffer.alloc(3);
    head.writeUIntLE((piece.length << 3) | last, 0, 3);
    return [head, piece];
  };
  const half = bytes.length >> 1;
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x60, 0, 0]);
  head.writeUInt16LE(bytes.length - 256, 5);
  return Buffer.concat([head, ...block(bytes.subarray(0, half), 0), ...block(bytes.subarray(half), 1)]);
}
const coders: Readonly<Record<string, (text: string) => Uint8Array>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  "deflate, gzip": (text) => gzipSync(deflateRawSync(text)),
  br: brotliCompressSync,
  zstd,
};

type Reply = NonNullable<Place["reply"]>;
const replies =
  (body: (secret: string) => Uint8Array | string, headers: (secret: string) => string[] = () => json): Reply =>
  (res, secret) => {
    res.writeHead(401, headers(secret));
    res.end(body(secret));
  };
const error = (message: string): string =>
  JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } });
const echo: Reply = replies((secret) => error(`Incorrect API key provided: ${secret}.`));

const sends = (name: string, headers: (secret: string) => string[]): Place => ({
  name: `the header ${name}, echoed in an error`,
  headers,
  reply: echo,
});
const echoes = (name: string, body: (secret: string) => Uint8Array | string, headers?: () => string[]): Place => ({
  name,
  headers: bearer,
  reply: replies(body, headers),
});
const streams = (name: string, events: (secret: string) => readonly string[], target?: string): Place => ({
  name,
  ...(target && { target: () => target }),
  headers: bearer,
  body: () => asked({ stream: true }),
  async reply(res, secret) {
    res.writeHead(200, ["Content-Type", "text/event-stream"]);
    for (const event of events(secret)) res.write(event);
    await later();
    res.end("data: [DONE]\n\n");
  },
});
const event = (data: object, name?: string): string =>
  `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;
const delta = (more: object, index = 0): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index, delta: more, finish_reason: null }],
});
/** The text as a model streams it, a few characters an event. */
const tokens = (text: string, size = 3): string[] => text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];

export const places: readonly Place[] = [
  ...["Authorization", "authorization", "X-Custom-Auth", "x-api-key", "api-key", "x-goog-api-key", "X-Auth-Token"].map(
    (name) => sends(`${name}, bare`, (secret) => [name, secret]),
  ),
  ...["Bearer", "bearer", "Token", "ApiKey"].map((scheme) =>
    sends(`Authorization: ${scheme}`, (secret) => ["Authorization", `${scheme} ${secret}`]),
  ),
  sends("Authorization: Basic", (s) => ["Authorization", `Basic ${Buffer.from(`me:${s}`).toString("base64")}`]),
  sends("Authorization: Digest", (s) => ["Authorization", `Digest username="me", response="${s}"`]),
  sends("Proxy-Authorization", (s) => ["Proxy-Authorization", `Bearer ${s}`]),
  sends("Cookie", (s) => ["Cookie", `theme=dark; sid=${s}`]),
  sends("Cookie, quoted", (s) => ["Cookie", `sid="${s}"`]),
  sends("OpenAI-Session-Secret, twice", (s) => ["OpenAI-Session-Secret", "other-value", "OpenAI-Session-Secret", s]),
  { name: "a header nobody knows", headers: (s) => ["X-Whatever", s] },
  { name: "a plain header with a known shape", headers: (s) => ["User-Agent", `curl ${s}`], shape: (r) => `sk-${r}` },
  {
    name: "Set-Cookie, and in the body too",
    reply: replies(
      (s) => error(`welcome ${s}`),
      (s) => [...json, "Set-Cookie", `sid=${s}; Path=/; HttpOnly`],
    ),
  },
  { name: "key= of the query", target: (s) => `/v1beta/models/m:generateContent?alt=json&key=${s}`, reply: echo },
  { name: "access_token= of the query", target: (s) => `/v1/chat/completions?access_token=${s}`, reply: echo },
  {
    name: "the query, percent-encoded",
    target: (s) => `/v1/chat/completions?k%65y=${percent(s)}`,
    reply: echo,
  },
  { name: "the path", headers: bearer, target: (s) => `/bot${s}/v1/chat/completions` },
  { name: "the path, percent-encoded", headers: bearer, target: (s) => `/bot${percent(s)}/v1/chat/completions` },
  { name: "a JSON member of the request", headers: bearer, body: (s) => asked({ user: s, metadata: { [s]: s } }) },
  { name: "a JSON member named for it", body: (s) => asked({ tools: [{ type: "mcp", api_key: s }] }), reply: echo },
  {
    name: "a form field named for it",
    headers: () => ["Content-Type", "application/x-www-form-urlencoded"],
    body: (s) => `grant=x&client_secret=${s}`,
    reply: echo,
  },
  { name: "JSON of \\u escapes", headers: bearer, body: (s) => `{"model":"m","user":"${escaped(s)}"}` },
  { name: "JSON of mixed \\u escapes", headers: bearer, body: (s) => `{"a":"${s.slice(0, 9)}${escaped(s.slice(9))}"}` },
  echoes("JSON within JSON, of \\u escapes", (s) => JSON.stringify({ arguments: `{"key":"${escaped(s)}"}` })),
  echoes("percent-encoded in a body", (s) => error(`see /x?k=${percent(s)}`)),
  echoes("percent-encoded twice", (s) => error(`see /x?to=${percent(s).replaceAll("%", "%25")}`)),
  {
    name: "a known shape in a prompt",
    body: (s) => asked({ user: `mine is ${s}` }),
    shape: (r) => `sk-ant-api03-${r}`,
  },
  { name: "a known shape of others", body: (s) => asked({ user: `"${s}"` }), shape: (r) => `AIza${r}abc` },
  { name: "Bearer in a prompt", body: (s) => asked({ user: `curl -H 'Authorization: Bearer ${s}'` }) },
  {
    name: "base64 in a body",
    headers: bearer,
    body: (s) => asked({ user: Buffer.from(`id:${s}:`).toString("base64") }),
  },
  echoes("URL-safe base64 in a body", (s) => error(Buffer.from(`{"${s}??>>"}`).toString("base64url"))),
  {
    name: "a multipart text field",
    headers: (s) => [...bearer(s), ...multipart],
    body: (s) => form(`name="user"\r\n\r\n${s}`),
  },
  {
    name: "a multipart field named for it",
    headers: () => multipart,
    body: (s) => form(`name="api_key"\r\n\r\n${s}`),
    reply: echo,
  },
  {
    name: "a multipart file name",
    headers: (s) => [...bearer(s), ...multipart],
    body: (s) => form(`name="image"; filename="${s}.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG`),
  },
  {
    name: "a multipart file",
    headers: (s) => [...bearer(s), ...multipart],
    body: (s) => form(`name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\x00\xff${s}`),
  },
  {
    name: "response headers",
    headers: bearer,
    reply: replies(
      () => "{}",
      (s) => [...json, "X-Echo", s, "Server", `x/${s}`, "WWW-Authenticate", `Bearer token="${s}"`, "ETag", `"${s}"`],
    ),
  },
  {
    name: "Location of a redirect",
    target: (s) => `/v1/models?key=${s}`,
    method: "GET",
    reply(res, s) {
      res.writeHead(307, [
        "Location",
        `https://example.com/v1/models?key=${s}`,
        "Content-Location",
        `/x?key=${percent(s)}`,
      ]);
      res.end();
    },
  },
  {
    name: "the reason phrase",
    headers: bearer,
    reply(res, s) {
      res.writeHead(401, `no ${s}`, json);
      res.end("{}");
    },
  },
  {
    name: "two network chunks",
    headers: bearer,
    async reply(res, s) {
      res.writeHead(401, json);
      res.write(`{"error":"${s.slice(0, 15)}`);
      await later();
      res.end(`${s.slice(15)}"}`);
    },
  },
  streams("one event of a stream", (s) => [event(delta({ content: `key ${s}` }))]),
  streams("two events of a stream", (s) =>
    [delta({ content: s.slice(0, 15) }), delta({ content: s.slice(15) })].map((d) => event(d)),
  ),
  streams("a stream, token by token", (s) => tokens(`it is ${s}, no?`).map((content) => event(delta({ content })))),
  streams("two choices that take turns", (s) =>
    tokens(s).flatMap((content) => [event(delta({ content })), event(delta({ content: "other" }, 1))]),
  ),
  streams("tool arguments, character by character", (s) =>
    tokens(JSON.stringify({ key: s }), 1).map((text) =>
      event(delta({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
    ),
  ),
  {
    ...streams("a known shape, token by token", (s) =>
      tokens(`try ${s} now`).map((content) => event(delta({ content }))),
    ),
    shape: (r) => `sk-proj-${r}`,
  },
  streams("base64, token by token", (s) =>
    tokens(Buffer.from(`: ${s} .`).toString("base64")).map((content) => event(delta({ content }))),
  ),
  streams("\\u escapes, token by token", (s) =>
    tokens(s).map((text) => event(delta({ content: "@" })).replace("@", escaped(text))),
  ),
  streams(
    "a stream of messages",
    (s) =>
      tokens(s).map((text) =>
        event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }, "content_block_delta"),
      ),
    "/v1/messages",
  ),
  streams(
    "a stream of candidates",
    (s) =>
      tokens(s).map((text) => event({ candidates: [{ content: { parts: [{ text }], role: "model" }, index: 0 }] })),
    "/v1beta/models/m:streamGenerateContent?alt=sse",
  ),
  {
    ...echoes("a stream of candidates as a JSON list", (s) =>
      JSON.stringify(
        tokens(s).map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] })),
        null,
        2,
      ),
    ),
    target: () => "/v1beta/models/m:streamGenerateContent",
  },
  echoes("tokens and bytes of log probabilities", (s) =>
    JSON.stringify({
      choices: [
        { logprobs: { content: tokens(s).map((token) => ({ token, logprob: -1, bytes: [...Buffer.from(token)] })) } },
      ],
    }),
  ),
  ...Object.keys(coders).flatMap((coding): Place[] => [
    {
      name: `a response under ${coding}`,
      headers: bearer,
      reply: replies(
        (s) => coders[coding]!(error(`${"wrong key ".repeat(30)}${s}`)),
        () => [...json, "Content-Encoding", coding],
      ),
    },
    {
      name: `a request under ${coding}`,
      headers: (s) => [...bearer(s), "Content-Encoding", coding],
      body: (s) => coders[coding]!(asked({ user: `${"my key is ".repeat(30)}${s}` })),
    },
  ]),
  echoes(
    "a broken gzip",
    (s) => {
      const body = gzipSync(error(`${"wrong key ".repeat(30)}${s}`));
      body.writeUInt32LE(0, body.length - 8);
      return body;
    },
    () => [...json, "Content-Encoding", "gzip"],
  ),
  {
    name: "trailers of the response",
    headers: bearer,
    reply(res, s) {
      res.writeHead(200, [...json, "Trailer", "X-Sum, ETag"]);
      res.write("{}");
      res.addTrailers([
        ["X-Sum", s],
        ["ETag", s],
      ]);
      res.end();
    },
  },
  {
    name: "trailers of the request",
    headers: (s) => [...bearer(s), "Trailer", "X-Sum"],
    body: () => "{}",
    trailers: (s) => ["X-Sum", s],
  },
  {
    name: "a stream that the upstream breaks off within the key",
    headers: bearer,
    async reply(res, s) {
      res.writeHead(200, ["Content-Type", "text/event-stream"]);
      for (const content of tokens(`say ${s}`).slice(0, 10)) res.write(event(delta({ content })));
      await later();
      res.destroy();
    },
  },
  {
    name: "a body that the upstream breaks off within the key",
    headers: bearer,
    async reply(res, s) {
      res.writeHead(200, ["Content-Type", "application/json", "Content-Length", "999"]);
      res.write(`{"error":"${s.slice(0, 30)}`);
      await later();
      res.destroy();
    },
  },
  {
    name: "a response that the client leaves",
    headers: bearer,
    leaves: () => {},
    reply(res, s) {
      res.writeHead(200, ["Content-Type", "text/event-stream"]);
      res.write(event(delta({ content: s })));
    },
  },
];

/** What can be had from gzip whose end is damaged. */
function gunzipped(bytes: Buffer): Decoded {
  return decodeContent(bytes[0] === 0x1f ? bytes.subarray(10, -8) : bytes, bytes[0] === 0x1f ? "deflate" : "gzip");
}

/** Everything a text says, read as it is and with its codes undone, a few deep. */
function readings(text: string, deep = 3): string[] {
  const found = [text];
  if (deep === 0) return found;
  const plain = text
    .replace(/\\+u00([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  if (plain !== text) found.push(...readings(plain, deep - 1));
  const runs = text.match(/[\w+/-]{20,}/g) ?? [];
  const decoded = runs.flatMap((run) => [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64")));
  if (decoded.length > 0) found.push(...decoded.map((bytes) => bytes.toString("latin1")));
  for (const bytes of runs.filter(({ length }) => length > 80).map((run) => Buffer.from(run, "base64")))
    for (const coding of ["gzip", "deflate", "br", "zstd"]) {
      const undone = coding === "gzip" ? gunzipped(bytes) : decodeContent(bytes, coding);
      if (undone.ok && undone.bytes.length > 0)
        found.push(...readings(Buffer.from(undone.bytes).toString("latin1"), deep - 1));
    }
  return found;
}

/** The short strings and the bytes of JSON texts, put together as a client puts a stream together. */
function joined(text: string): string[] {
  const strings = (name: string): string =>
    Array.from(text.matchAll(new RegExp(`\\\\*"${name}\\\\*":\\s*\\\\*"(.*?)\\\\*"`, "g")), ([, value]) => value).join(
      "",
    );
  const bytes = Array.from(text.matchAll(/\\*"bytes\\*":\[([\d,]*)\]/g), ([, list]) =>
    String.fromCharCode(...list!.split(",").map(Number)),
  ).join("");
  const turns = strings("content").replaceAll("other", "");
  return [...["content", "text", "token", "arguments"].map(strings), turns, bytes];
}

/** Which of the secrets stand in a text, wholly or by half, read in any way. */
export function hunt(text: string, secrets: readonly string[]): string[] {
  const all = [text, ...joined(text)].flatMap((one) => readings(one)).join("\n");
  return secrets.filter((secret) => [secret.slice(-14), secret.slice(8, 24)].some((part) => all.includes(part)));
}
