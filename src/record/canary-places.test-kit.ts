/** The places of traffic that canaries are put in. */
import { gzipSync } from "node:zlib";
import { replaceText } from "../replace-text.test-kit.ts";
import {
  asked,
  bearer,
  coders,
  delta,
  echo,
  echoes,
  error,
  escaped,
  event,
  form,
  json,
  later,
  multipart,
  type Place,
  percent,
  replies,
  sends,
  streams,
  tokens,
} from "./canary.test-kit.ts";

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
  echoes("percent-encoded twice", (s) => error(`see /x?to=${replaceText(percent(s), /%/g, "%25")}`)),
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
    tokens(s).map((text) => replaceText(event(delta({ content: "@" })), "@", escaped(text))),
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
