/** Exchanges as pages get them, judged by the real catalogue: one of each kind that evidence shows. */
import type { Finding } from "../../check/clause.ts";
import { formRequest, jsonRequest, jsonResponse, sseEvent } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { encodePng } from "../../wire/png.ts";
import type { EvidencePage } from "./evidence.test-page.tsx";
import { chat, delta, headers, sample, streamed, typed } from "./evidence-sample.test-kit.ts";

const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_763_830_000,
  model: "gpt-x",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Hello\nthere", refusal: null },
      logprobs: null,
      finish_reason: "done",
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 12, total_tokens: 22 },
};

/** A whole reply that ends for a reason of its own. */
const wholeReply = sample(
  {
    origin: "https://api.example.com",
    started: 1_763_830_000_000,
    request: chat({}),
    response: { ...jsonResponse(completion), reason: "OK", time: 812 },
  },
  {
    curl: `curl -sS https://api.example.com/v1/chat/completions \\\n  -H "Authorization: Bearer $TOUCHSTONE_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"model":"gpt-x","messages":[{"role":"user","content":"Hello"}]}'`,
    excused: "chat-completions.response.finish-reason-values",
    again: [
      {
        clause: "chat-completions.response.finish-reason-values",
        source: "chat-completions/streaming/text.json",
        exchange: 0,
        asked: 3,
        failed: 2,
        smallest: {
          curl: `curl -sS https://api.example.com/v1/chat/completions -d '{"model":"gpt-x"}'`,
          bytes: 18,
          from: 121,
          requests: 9,
        },
      },
    ],
  },
);

const words = "Let me look that up for you: first the weather, then the time.".split(/(?<= )/);
const call = (i: number, more: object): object => ({ tool_calls: [{ index: i, ...more }] });

/** A streamed reply with two calls, of which one lacks its index. */
const streamedCalls = sample(
  {
    origin: "https://api.example.com",
    started: 1_763_830_000_000,
    request: chat({
      stream: true,
      tools: ["get_weather", "get_time"].map((name) => ({
        type: "function",
        function: { name, parameters: { type: "object", properties: {} } },
      })),
    }),
    response: streamed([
      [212, sseEvent(delta({ role: "assistant", content: "" }))],
      ...words.map((content, i) => [240 + 14 * i, sseEvent(delta({ content }))] as const),
      [
        700,
        sseEvent(delta(call(0, { id: "call_1", type: "function", function: { name: "get_weather", arguments: "" } }))),
      ],
      [715, sseEvent(delta(call(0, { function: { arguments: '{"city":' } })))],
      [731, sseEvent(delta(call(0, { function: { arguments: '"Paris"}' } })))],
      [
        750,
        sseEvent(
          delta({
            tool_calls: [
              { id: "call_2", type: "function", function: { name: "get_time", arguments: '{"zone":"CET"}' } },
            ],
          }),
        ),
      ],
      [760, sseEvent(delta({}, "tool_calls"))],
      [761, "data: [DONE]\n\n"],
    ]),
  },
  {},
  "chat-completions.streaming.delta-tool-call-index-required",
);

const probe = (temperature: number): Exchange => ({
  origin: "https://api.example.com",
  request: chat({ temperature, stop: ["a", "b"] }),
  response: jsonResponse({ ...completion, choices: [{ ...completion.choices[0], finish_reason: "stop" }] }),
});
const enforced: Finding = {
  source: "probes/chat-completions/12",
  exchange: 3,
  interface: "chat-completions",
  operation: "POST /v1/chat/completions",
  side: "request",
  in: "body",
  event: null,
  pointer: "/temperature",
  clause: "chat-completions.request.temperature-range",
  level: "warning",
  message: "the rule is not enforced: a request that breaks it was accepted: temperature is 3",
  expected: "a refusal",
  actual: 'status 200: {"id":"chatcmpl-1","object":"chat.completion"',
  document: { name: "chat-completions-and-images", section: "Request body" },
  reading: "X-ENFORCE",
};

/** A probe that was accepted, and its twin. */
const acceptedProbe: EvidencePage = {
  ...sample(probe(3), {
    part: "probe",
    found: [enforced],
    twin: sample(probe(1), { part: "twin", found: [] }).evidence,
  }),
};

const picture = encodePng({
  width: 64,
  height: 48,
  channels: 4,
  data: Buffer.from(Array.from({ length: 64 * 48 }, (_, i) => [(i % 64) * 4, Math.floor(i / 64) * 5, 160, 255]).flat()),
});

/** A form with an image, and a field that the document does not allow. */
const form = sample({
  request: formRequest("/v1/images/edits", headers, [
    ["model", "image-v2"],
    ["prompt", "Add a \u202elamp\u202c, warm light\nand a chair"],
    ["size", "100x100"],
    ["image", { filename: "room.png", contentType: "image/png", bytes: picture }],
    ["mask", { filename: "mask.bin", contentType: "application/octet-stream", bytes: Buffer.from([0, 255, 1, 2, 3]) }],
  ]),
  response: jsonResponse({
    created: 1,
    data: [{ b64_json: Buffer.from(picture).toString("base64") }, { url: "https://example.com/never-fetched.png" }],
  }),
});

/** A request without its key and its version. */
const withoutHeaders = sample({
  origin: "https://api.example.com",
  request: jsonRequest("/v1/messages?beta=true", [["Accept", "*/*"]], {
    model: "m",
    max_tokens: 5,
    messages: [{ role: "user", content: "Hi" }],
  }),
  response: jsonResponse(
    { type: "error", error: { type: "authentication_error", message: "x-api-key is missing" } },
    400,
  ),
});

const bait = `</script><script>alert(1)</script><img src=x onerror=alert(1)> \u202e${"evil"}\u202c \u0000 \ud800 é 👩‍💻`;

/** Everything that could hurt a page. */
const hostile = sample(
  {
    origin: "https://api.example.com",
    request: {
      ...chat({ messages: [{ role: "user", content: bait }], [bait]: bait }),
      target: `/v1/chat/completions?${encodeURIComponent(bait.toWellFormed())}=1`,
    },
    response: {
      status: 200,
      reason: bait.replace(/[^\x20-\x7e]/g, "?"),
      headers: [
        ["content-type", "application/json"],
        ["x-bait", bait],
      ],
      body: Buffer.concat([
        Buffer.from(
          `{"choices":[{"finish_reason":${JSON.stringify(bait)}}],"huge":"${"x".repeat(10_000_000)}","broken":"`,
          "utf8",
        ),
        Buffer.from([0xff, 0xfe, 0x80]),
        Buffer.from('","url":"https://example.com/a.png"}'),
      ]),
    },
  },
  {
    found: [
      {
        ...enforced,
        side: "response",
        in: "body",
        pointer: "/choices/0/finish_reason",
        message: bait,
        expected: bait,
        actual: bait,
        level: "error",
      },
    ],
    curl: `curl ${bait}`,
  },
);

/** JSON that nests ten thousand deep, with a place at its bottom. */
const deep = sample(
  {
    request: chat({}),
    response: {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: Buffer.from(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`),
    },
  },
  { found: [{ ...enforced, side: "response", pointer: "/a".repeat(10_000) }] },
);

/** Nine thousand events, of which one in the middle is wrong. */
const manyEvents = sample(
  {
    request: chat({ stream: true }),
    response: streamed([
      ...Array.from(
        { length: 9_000 },
        (_, i) => [100 + i, sseEvent(delta({ content: `${i} ` }, i === 4_000 ? "wrong" : null))] as const,
      ),
      [9_200, "data: [DONE]\n\n"],
    ]),
  },
  {},
  "chat-completions.streaming.finish-reason-values",
);

/** A stream of messages with thoughts that breaks off within an event. */
const brokenOff = sample({
  origin: "https://api.example.com",
  request: jsonRequest(
    "/v1/messages",
    [
      ["x-api-key", "[redacted]"],
      ["partner-version", "2023-06-01"],
    ],
    { model: "m", max_tokens: 50, stream: true, messages: [{ role: "user", content: "Hi" }] },
  ),
  response: streamed([
    typed(50, {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        content: [],
        model: "m",
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
    typed(60, { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } }),
    typed(200, {
      type: "content_block_delta",
      index: 0,
      delta: { type: "thinking_delta", thinking: "They greet me." },
    }),
    typed(210, { type: "content_block_stop", index: 0 }),
    typed(220, { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } }),
    typed(230, { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hello, " } }),
    [900, 'event: content_block_delta\ndata: {"type":"content_blo'],
  ]),
  aborted: "upstream",
});

export const samples = {
  wholeReply,
  streamedCalls,
  acceptedProbe,
  form,
  withoutHeaders,
  hostile,
  deep,
  manyEvents,
  brokenOff,
};
