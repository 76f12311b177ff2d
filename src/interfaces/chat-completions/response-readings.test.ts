import { expect, test } from "vitest";
import type { Exchange } from "../../wire/exchange.ts";
import { call, choice, completion, entry, tool, usage } from "./examples/response.ts";
import { chunk } from "./examples/stream.ts";
import { judged, type Outcome, outcomesOf, streamed, whole } from "./response.test-kit.ts";

const text = choice({ content: "Hello there!" });
const reply = (more: object, asked: object = {}): Exchange => whole(asked, completion([text], more));
const said = (
  message: Readonly<Record<string, unknown>>,
  asked: object = {},
  finish = "stop",
  more: object = {},
): Exchange => whole(asked, completion([choice(message, finish, more)]));
const calls = { tool_calls: [call("c", "get_weather", "Oslo")] };
const weather = { tools: [tool("get_weather")] };
const logged = (logprobs: unknown): Exchange =>
  said({ content: "Hi" }, { logprobs: true, top_logprobs: 20 }, "stop", { logprobs });
const hi = entry("Hi", -0.1);
const twenty = Array.from({ length: 20 }, (_, i) => ({ token: `${i}`, logprob: -1, bytes: null }));
const cited = (start_index: number, end_index: number): Exchange =>
  said({
    content: "Grüß dich.",
    annotations: [{ type: "url_citation", url_citation: { start_index, end_index, url: "", title: "" } }],
  });
const sound = (data: string): Exchange =>
  said(
    { audio: { id: "a", data, transcript: "", expires_at: 1 } },
    { modalities: ["text", "audio"], audio: { format: "pcm16", voice: "alloy" } },
  );
const loud = { modalities: ["text", "audio"], audio: { format: "wav", voice: "alloy" } };
const json = { response_format: { type: "json_object" }, messages: [{ role: "user", content: "JSON, please." }] };

const first = chunk({ role: "assistant", content: "" });
const hello = chunk({ content: "Hello." });
const end = chunk({}, "stop");
const stream = (...events: unknown[]): Exchange => streamed({}, [...events, "[DONE]"]);
const counted = { stream_options: { include_usage: true } };
const none = { usage: null };
const quietFirst = chunk({ role: "assistant", content: "" }, null, none);
const quietEnd = chunk({}, "stop", none);
const extra = { ...chunk({}), choices: [], usage };
const list = (more: object) => ({
  object: "list",
  data: [{ ...completion([text]), ...more }],
  first_id: "chatcmpl-1",
  last_id: "chatcmpl-1",
  has_more: false,
});
const withText = (exchange: Exchange, from: string, to: string): Exchange => ({
  ...exchange,
  response: {
    ...exchange.response!,
    body: Buffer.from(Buffer.from(exchange.response!.body).toString("utf8").replace(from, to)),
  },
});
const withType = (exchange: Exchange, type: string | undefined): Exchange => ({
  ...exchange,
  response: { ...exchange.response!, headers: type === undefined ? [] : [["content-type", type]] },
});

const cases: readonly (readonly [string, string, Exchange, string, Outcome, Outcome])[] = [
  ["X-STATUS", "a success other than 200", whole({}, completion([text]), 201), "response.status", "silent", "error"],
  ["X-CT-RESPONSE", "JSON as plain text", withType(reply({}), "text/plain"), "response.media-type", "warning", "error"],
  ["X-CT-RESPONSE", "JSON as it comes", withType(reply({}), undefined), "response.media-type", "silent", "error"],
  [
    "X-CT-PARAMS",
    "a charset",
    withType(reply({}), "application/json; charset=utf-8"),
    "response.media-type",
    "silent",
    "silent",
  ],
  ["X-PRESENCE", "no usage", reply({ usage: undefined }), "response.usage-required", "warning", "error"],
  [
    "X-PRESENCE",
    "no refusal",
    said({ content: "Hi.", refusal: undefined }),
    "response.refusal-required",
    "silent",
    "error",
  ],
  [
    "X-PRESENCE",
    "an entry without bytes",
    logged({ content: [{ token: "Hi", logprob: -0.1, top_logprobs: [] }], refusal: [] }),
    "response.bytes-required",
    "warning",
    "error",
  ],
  ["X-PRESENCE", "no content", said({ content: undefined }), "response.content-required", "error", "error"],
  [
    "X-NULL",
    "a null optional member",
    said({ content: "Hi.", tool_calls: null }),
    "response.tool-calls-type",
    "warning",
    "error",
  ],
  ["X-NULL", "a null required member", reply({ id: null }), "response.id-type", "error", "error"],
  ["X-EXTRA", "an unknown member", reply({ cost: 1 }), "response.unknown-members", "silent", "warning"],
  [
    "X-EXTRA",
    "an unknown member of a message",
    said({ content: "Hi.", reasoning: "" }),
    "response.unknown-members",
    "silent",
    "warning",
  ],
  [
    "X-EXTRA",
    "an unknown member of a chunk",
    stream({ ...first, obfuscation: "x" }, end),
    "streaming.unknown-members",
    "silent",
    "warning",
  ],
  [
    "X-INT",
    "an integer as 1.0",
    withText(reply({}), '"index":0', '"index":0.0'),
    "response.index-type",
    "warning",
    "error",
  ],
  [
    "X-DUP",
    "a member twice",
    withText(reply({}), '"id":', '"id":"other","id":'),
    "response.duplicate-keys",
    "warning",
    "error",
  ],
  [
    "X-INT",
    "an integer as 1.0 in a chunk",
    withText(stream(first, end), '"index":0', '"index":0.0'),
    "streaming.index-type",
    "warning",
    "error",
  ],
  [
    "X-DUP",
    "a member twice in a chunk",
    withText(stream(first, end), '"id":', '"id":"other","id":'),
    "response.duplicate-keys",
    "warning",
    "error",
  ],
  ["X-MODEL-ECHO", "another model", reply({ model: "chat-1-2025" }), "response.model-echo", "silent", "warning"],
  ["X-BASE64", "the URL-safe alphabet", sound("-_-_"), "response.audio-data-canonical", "silent", "error"],
  ["X-BASE64", "padding that is wrong", sound("AAA=="), "response.audio-data-canonical", "warning", "error"],
  ["X-BASE64", "white space", sound("AAAA\nAAAA"), "response.audio-data-base64", "error", "error"],
  [
    "X-SSE",
    "no blank line at the end",
    withText(stream(first, end), "[DONE]\n\n", "[DONE]\n"),
    "streaming.ends-with-blank-line",
    "warning",
    "error",
  ],
  [
    "X-STREAM-ERROR",
    "an error event",
    streamed({}, [first, { error: { message: "No." } }]),
    "streaming.no-error-event",
    "note",
    "error",
  ],
  ["C-JSON-SSE", "a stream as asked", stream(first, hello, end), "response.body-is-json", "silent", "silent"],
  [
    "C-CREATED-UNIT",
    "milliseconds",
    reply({ created: 1_735_689_600_000 }),
    "response.created-unit",
    "warning",
    "error",
  ],
  [
    "C-CREATED-UNIT",
    "milliseconds in a chunk",
    stream({ ...first, created: 1_735_689_600_000 }, end),
    "streaming.created-unit",
    "warning",
    "error",
  ],
  [
    "C-CREATED-UNIT",
    "another time in a chunk",
    stream(first, { ...end, created: 1 }),
    "streaming.created-constant",
    "silent",
    "error",
  ],
  [
    "C-N-COUNT",
    "a choice too few",
    whole({ n: 3 }, completion([text, choice({ content: "Hi." }, "stop", { index: 1 })])),
    "exchange.choice-count",
    "error",
    "error",
  ],
  [
    "C-INDEX",
    "out of order",
    whole({ n: 2 }, completion([choice({ content: "Hi." }, "stop", { index: 1 }), text])),
    "response.index-position",
    "warning",
    "error",
  ],
  [
    "C-TIER",
    "null though asked",
    reply({ service_tier: null }, { service_tier: "flex" }),
    "exchange.service-tier-present",
    "warning",
    "error",
  ],
  [
    "C-TIER",
    "absent though asked",
    reply({}, { service_tier: "flex" }),
    "exchange.service-tier-present",
    "error",
    "error",
  ],
  [
    "C-TIER",
    "absent from a stream",
    streamed({ service_tier: "flex" }, [first, end, "[DONE]"]),
    "exchange.service-tier-present",
    "silent",
    "error",
  ],
  [
    "C-TIER",
    "auto as the tier used",
    reply({ service_tier: "auto" }, { service_tier: "auto" }),
    "exchange.service-tier-used",
    "silent",
    "error",
  ],
  ["C-TIER", "another tier", reply({ service_tier: "scale" }), "response.service-tier-values", "warning", "error"],
  [
    "C-FINGERPRINT",
    "null in a chunk",
    stream({ ...first, system_fingerprint: null }, end),
    "streaming.system-fingerprint-type",
    "silent",
    "error",
  ],
  [
    "C-FINGERPRINT",
    "absent from a chunk",
    stream({ ...first, system_fingerprint: undefined }, end),
    "streaming.system-fingerprint-required",
    "silent",
    "error",
  ],
  [
    "C-FINGERPRINT",
    "null in a whole reply",
    reply({ system_fingerprint: null }),
    "response.system-fingerprint-type",
    "silent",
    "silent",
  ],
  [
    "C-LOGPROBS-NULL",
    "absent",
    said({ content: "Hi." }, {}, "stop", { logprobs: undefined }),
    "response.logprobs-required",
    "silent",
    "error",
  ],
  [
    "C-LOGPROBS-NULL",
    "refusal null",
    logged({ content: [hi], refusal: null }),
    "response.logprobs-refusal-type",
    "silent",
    "error",
  ],
  [
    "C-LOGPROBS-NULL",
    "refusal absent",
    logged({ content: [hi] }),
    "response.logprobs-refusal-required",
    "silent",
    "error",
  ],
  [
    "C-LOGPROBS-NULL",
    "both null",
    logged({ content: null, refusal: null }),
    "exchange.logprobs-given",
    "error",
    "error",
  ],
  [
    "C-FINISH-TOOLS",
    "stop beside calls",
    said(calls, weather),
    "response.tool-calls-finish-reason",
    "warning",
    "error",
  ],
  [
    "C-FINISH-TOOLS",
    "tool_calls without calls",
    said({ content: "Hi." }, weather, "tool_calls"),
    "response.finish-reason-tool-calls",
    "error",
    "error",
  ],
  [
    "C-CONTENT-NULL",
    "text beside calls",
    said({ content: "Hi.", ...calls }, weather, "tool_calls"),
    "response.content-null-with-tool-calls",
    "warning",
    "error",
  ],
  ["C-AUDIO-PRESENT", "a refusal instead", said({ refusal: "No." }, loud), "exchange.audio-present", "silent", "error"],
  ["C-AUDIO-PRESENT", "text instead", said({ content: "Hi." }, loud), "exchange.audio-present", "error", "error"],
  [
    "C-TOOL-NAME-DECLARED",
    "an undeclared tool",
    said({ tool_calls: [call("c", "launch", "")] }, weather, "tool_calls"),
    "exchange.tool-name-declared",
    "warning",
    "error",
  ],
  [
    "C-TOOL-NAME-DECLARED",
    "no tools at all",
    said(calls, {}, "tool_calls"),
    "exchange.no-tools-no-calls",
    "error",
    "error",
  ],
  ["C-CITE-INDEX", "an end in bytes", cited(0, 12), "response.citation-within-text", "silent", "error"],
  ["C-CITE-INDEX", "an end behind all bytes", cited(0, 13), "response.citation-within-text", "error", "error"],
  ["C-CITE-INDEX", "the last character", cited(0, 9), "response.citation-within-text", "silent", "silent"],
  [
    "C-FC-TYPES",
    "arguments as an object",
    said({ function_call: { name: "f", arguments: {} } }, { functions: [{ name: "f" }] }),
    "response.function-call-arguments-type",
    "error",
    "error",
  ],
  [
    "C-BYTES",
    "other bytes",
    logged({ content: [{ ...hi, bytes: [72] }] }),
    "response.bytes-of-token",
    "warning",
    "error",
  ],
  [
    "C-BYTES",
    "half a character",
    logged({ content: [{ ...hi, bytes: [195] }] }),
    "response.bytes-of-token",
    "silent",
    "silent",
  ],
  [
    "C-9999",
    "another value outside the 20",
    logged({ content: [{ ...hi, top_logprobs: twenty }] }),
    "response.logprob-sentinel",
    "warning",
    "error",
  ],
  [
    "C-9999",
    "the sentinel anywhere",
    logged({ content: [{ ...hi, logprob: -9999 }] }),
    "response.logprob-sentinel",
    "silent",
    "silent",
  ],
  [
    "C-DETAILS",
    "a detail missing",
    reply({ usage: { ...usage, prompt_tokens_details: { cached_tokens: 0 } } }),
    "response.prompt-audio-tokens-required",
    "silent",
    "error",
  ],
  [
    "C-DETAILS",
    "a negative detail",
    reply({ usage: { ...usage, prompt_tokens_details: { cached_tokens: -1 } } }),
    "response.cached-tokens-minimum",
    "error",
    "error",
  ],
  [
    "C-CHUNK-MEMBERS",
    "no logprobs",
    stream(chunk({ role: "assistant", content: "" }, null, {}, { logprobs: undefined }), end),
    "streaming.logprobs-required",
    "silent",
    "error",
  ],
  [
    "C-DELTA-TOOLS",
    "an undocumented member",
    stream(first, chunk({ reasoning: "Hm." }), end),
    "streaming.delta-members",
    "silent",
    "warning",
  ],
  [
    "C-DELTA-TOOLS",
    "tool calls as an object",
    stream(first, chunk({ tool_calls: {} }), end),
    "streaming.delta-tool-calls-type",
    "warning",
    "warning",
  ],
  [
    "C-DELTA-TOOLS",
    "an index as text",
    stream(first, chunk({ tool_calls: [{ index: "0" }] }), end),
    "streaming.delta-tool-call-index-type",
    "note",
    "warning",
  ],
  [
    "C-FIRST-CHUNK",
    "null content",
    stream(chunk({ role: "assistant", content: null }), hello, end),
    "streaming.first-chunk-content",
    "warning",
    "error",
  ],
  [
    "C-FIRST-CHUNK",
    "no content",
    stream(chunk({ role: "assistant" }), hello, end),
    "streaming.first-chunk-content",
    "warning",
    "error",
  ],
  [
    "C-FIRST-CHUNK",
    "null content before a refusal",
    stream(chunk({ role: "assistant", content: null }), chunk({ refusal: "No." }), end),
    "streaming.first-chunk-content",
    "silent",
    "error",
  ],
  [
    "C-FIRST-CHUNK",
    "no role for the second choice",
    streamed({ n: 2 }, [
      first,
      chunk({ content: "" }, null, {}, { index: 1 }),
      end,
      chunk({}, "stop", {}, { index: 1 }),
      "[DONE]",
    ]),
    "streaming.first-chunk-role",
    "error",
    "error",
  ],
  [
    "C-LAST-DELTA",
    "empty text",
    stream(first, hello, chunk({ content: "" }, "stop")),
    "streaming.last-delta-empty",
    "warning",
    "error",
  ],
  [
    "C-LAST-DELTA",
    "text",
    stream(first, chunk({ content: "Hi." }, "stop")),
    "streaming.last-delta-empty",
    "error",
    "error",
  ],
  [
    "C-LAST-DELTA",
    "a whole tool call",
    stream(
      first,
      chunk(
        { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "f", arguments: "{}" } }] },
        "tool_calls",
      ),
    ),
    "streaming.last-delta-empty",
    "warning",
    "error",
  ],
  [
    "C-LAST-DELTA",
    "a refusal, which the document does not stream",
    stream(first, chunk({ refusal: "No." }, "stop")),
    "streaming.last-delta-empty",
    "warning",
    "error",
  ],
  ["C-DONE", "missing", streamed({}, [first, end]), "streaming.done-sent", "error", "error"],
  [
    "C-DONE",
    "missing where the capture broke off",
    { ...streamed({}, [first]), aborted: "upstream" },
    "streaming.done-sent",
    "silent",
    "error",
  ],
  [
    "C-INCLUDE-USAGE",
    "null though not asked",
    stream({ ...first, usage: null }, end),
    "streaming.usage-absent-unless-asked",
    "silent",
    "error",
  ],
  [
    "C-INCLUDE-USAGE",
    "an object though not asked",
    stream(first, { ...end, usage }),
    "streaming.usage-only-when-asked",
    "error",
    "error",
  ],
  [
    "C-INCLUDE-USAGE",
    "absent before the last",
    streamed(counted, [first, quietEnd, extra, "[DONE]"]),
    "streaming.usage-null-present",
    "warning",
    "error",
  ],
  [
    "C-INCLUDE-USAGE",
    "another chunk without choices",
    streamed(counted, [{ ...extra, usage: null }, quietFirst, quietEnd, extra, "[DONE]"]),
    "streaming.usage-chunk-once",
    "warning",
    "error",
  ],
  [
    "C-LIST",
    "an extra member of another type",
    whole({}, list({ seed: "7" })),
    "lists.entry-member-types",
    "silent",
    "error",
  ],
  [
    "C-PARALLEL",
    "two calls at once",
    said(
      { tool_calls: [call("c", "get_weather", ""), call("d", "get_weather", "")] },
      { ...weather, parallel_tool_calls: false },
      "tool_calls",
    ),
    "exchange.parallel-tool-calls",
    "warning",
    "error",
  ],
  [
    "C-MAX-N",
    "the sum beyond the bound",
    whole({ n: 2, max_tokens: 3 }, completion([text, choice({ content: "Hi." }, "stop", { index: 1 })])),
    "exchange.token-bound",
    "silent",
    "error",
  ],
  [
    "C-OLD-MAX",
    "reasoning beyond max_tokens",
    whole(
      { max_tokens: 3 },
      completion([text], { usage: { ...usage, completion_tokens_details: { reasoning_tokens: 2 } } }),
    ),
    "exchange.token-bound",
    "warning",
    "error",
  ],
  [
    "C-OLD-MAX",
    "visible tokens beyond max_tokens",
    whole(
      { max_tokens: 1 },
      completion([text], { usage: { ...usage, completion_tokens_details: { reasoning_tokens: 2 } } }),
    ),
    "exchange.token-bound",
    "error",
    "error",
  ],
  [
    "C-JSON-MODE",
    "JSON that is no object",
    said({ content: "[]" }, json),
    "exchange.json-mode-object",
    "silent",
    "error",
  ],
  ["C-JSON-MODE", "JSON cut short", said({ content: "[" }, json, "length"), "exchange.json-mode", "silent", "silent"],
  [
    "C-NAME",
    "a name with a dot",
    said({ tool_calls: [call("c", "a.b", "")] }, { tools: [tool("a.b")] }, "tool_calls"),
    "response.function-name-characters",
    "silent",
    "error",
  ],
  ["C-ERRORS", "any error body", whole({}, "No.", 503), "errors.no-error-in-success", "silent", "silent"],
  [
    "C-ERRORS",
    "an error under a status of 300",
    whole({}, { error: "No." }, 302),
    "errors.failure-status",
    "warning",
    "warning",
  ],
];

test.each(cases)("%s, %s", (_reading, _what, exchange, clause, byDefault, strict) => {
  expect(outcomesOf(exchange, clause)).toEqual([byDefault, strict]);
});

test("whether chunks name the tier is no verdict, and says what would decide it", () => {
  const exchange = streamed({ service_tier: "flex" }, [first, end, "[DONE]"]);
  expect(undecidedOf(exchange)).toEqual(["chat-completions.exchange.service-tier-present"]);
});

test("values outside a listed enum only warn where enums are open", () => {
  const exchange = said({ content: "Hi." }, {}, "eos");
  const { findings } = judged(exchange, { strict: new Set(), openEnums: true });
  expect(findings.map(({ level }) => level)).toEqual(["warning"]);
});

function undecidedOf(exchange: Exchange): string[] {
  return judged(exchange).undecided.map(({ clause }) => clause);
}
