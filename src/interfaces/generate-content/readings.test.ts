/** Holds what each reading of generate-content says by default, and what its strict option says. */
import { expect, test } from "vitest";
import type { Policy } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { exchangeOf, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import type { Exchange, HeaderPairs, WireResponse } from "../../wire/exchange.ts";
import { loadCatalogue } from "../catalogue.ts";

const catalogue = await loadCatalogue();
type Json = Record<string, unknown>;

const hello: Json = { contents: [{ role: "user", parts: [{ text: "Hello." }] }] };
const target = "/v1beta/models/gemini-2.0-flash:generateContent?key=k";
const streaming = "/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse&key=k";

const ask = (more: Json, response: WireResponse | null = null, to = target, headers: HeaderPairs = []): Exchange =>
  exchangeOf(jsonRequest(to, headers, { ...hello, ...more }), response);
const parts = (...list: Json[]): Json => ({ contents: [{ role: "user", parts: list }] });
const taking = (value: Json): Json => ({
  tools: [{ functionDeclarations: [{ name: "f", parameters: { type: "object", properties: { value } } }] }],
});
const config = (generationConfig: Json): Json => ({ generationConfig });
const candidate = (more: Json = {}, text = "Hi."): Json => ({
  content: { role: "model", parts: [{ text }] },
  finishReason: "STOP",
  index: 0,
  ...more,
});
const reply = (candidates: Json[], more: Json = {}): WireResponse =>
  jsonResponse({
    candidates,
    usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 },
    modelVersion: "gemini-2.0-flash",
    responseId: "r",
    ...more,
  });
const said = (more: Json, text?: string): Exchange => ask({}, reply([candidate(more, text)]));
const replied = (...list: Json[]): Exchange => ask({}, reply([candidate({ content: { role: "model", parts: list } })]));
const streamed = (...events: unknown[]): Exchange => ask({}, streamResponse(events.map((e) => sseEvent(e))), streaming);
const call = (name: string): Json => ({ functionCall: { name, args: {} } });
const outcome = (name: string): Json => ({ codeExecutionResult: { outcome: name } });
const code: Json = { executableCode: { language: "PYTHON", code: "1" } };
const tools = { tools: [{ functionDeclarations: [{ name: "f", parameters: { properties: {} } }] }] };
const file = (mimeType: string): Json => ({ fileData: { mimeType, fileUri: "https://example.com/x" } });
const inline = (mimeType: string, data = "AAEC"): Json => ({ inlineData: { mimeType, data } });
const usage = (usageMetadata: Json): Json => ({ usageMetadata });
const failed = (error: Json, status = 400): Exchange => ask({}, jsonResponse({ error }, status));
const schemaOf = (responseSchema: Json): Json => config({ responseSchema, responseMimeType: "application/json" });
const segment = (more: Json): Json => ({ groundingMetadata: { groundingSupports: [{ segment: more }] } });
const blob = (value: unknown): Json => ({
  groundingMetadata: { searchEntryPoint: { sdkBlob: Buffer.from(JSON.stringify(value)).toString("base64") } },
});
const top = (count: number): Json => ({
  logprobsResult: {
    topCandidates: [{ candidates: Array.from({ length: count }, (_, i) => ({ token: "a", logProbability: -i })) }],
  },
});
const rate = (probability: string, more: Json = {}): Exchange =>
  ask(
    { safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_LOW_AND_ABOVE" }] },
    reply([candidate({ safetyRatings: [{ category: "HARM_CATEGORY_HARASSMENT", probability, ...more }] })]),
  );

/** Reading, what is sent, the clause it touches, and its level by default and where the reading is strict. */
const cases: [reading: string, what: string, exchange: Exchange, clause: string, lenient: string, strict: string][] = [
  ["G-PRESENCE", "no candidates", ask({}, jsonResponse({})), "response.has-candidates", "warning", "error"],
  [
    "G-PRESENCE",
    "no responseId",
    ask({}, jsonResponse({ candidates: [candidate()] })),
    "response.response-id-present",
    "off",
    "error",
  ],
  [
    "G-PRESENCE",
    "no finishReason",
    ask({}, reply([{ content: {}, index: 0 }])),
    "response.finish-reason-present",
    "off",
    "error",
  ],
  [
    "G-PRESENCE",
    "content without parts",
    said({ content: { role: "model" } }),
    "reply-content.parts-required",
    "note",
    "error",
  ],
  ["G-PRESENCE", "an index left out means 0", said({ index: undefined }), "response.index-position", "off", "off"],
  [
    "G-ALIAS",
    "listed name",
    ask(parts({ inline_data: { mime_type: "image/png", data: "AAEC" } })),
    "request.reference-names",
    "off",
    "off",
  ],
  ["G-ALIAS", "generation_config", ask({ generation_config: {} }), "request.reference-names", "note", "error"],
  [
    "G-ALIAS",
    "validated through",
    ask({ generation_config: { top_k: "1" } }),
    "generation-config.top-k-type",
    "error",
    "error",
  ],
  ["G-ALIAS", "both spellings", ask({ tool_config: {}, toolConfig: {} }), "request.one-spelling", "warning", "error"],
  ["G-ALIAS", "snake case in a reply", said({ token_count: 1 }), "response.camel-case", "warning", "error"],
  [
    "G-ALIAS",
    "a reply's snake case validated",
    said({ token_count: "x" }),
    "response.token-count-type",
    "error",
    "error",
  ],
  [
    "G-CONTENTS",
    "one content",
    ask({ contents: { parts: [{ text: "a" }] } }),
    "request.contents-type",
    "note",
    "error",
  ],
  ["G-CONTENTS", "one part", ask({ contents: [{ parts: { text: "a" } }] }), "content.parts-type", "warning", "error"],
  ["G-PATH", "bare name", ask({}), "request.model-in-path", "off", "off"],
  [
    "G-PATH",
    "models/ twice",
    ask({}, null, target.replace("/models/", "/models/models/")),
    "request.model-in-path",
    "warning",
    "error",
  ],
  [
    "G-PATH",
    "a slash",
    ask({}, null, target.replace("/models/", "/models/a/")),
    "request.model-in-path",
    "error",
    "error",
  ],
  [
    "G-PATH",
    "nothing",
    ask({}, null, "/v1beta/models/:generateContent?key=k"),
    "request.model-in-path",
    "error",
    "error",
  ],
  ["G-ALT", "no alt", ask({}, null, streaming.replace("alt=sse&", "")), "streaming.alt-sse", "warning", "error"],
  ["G-ALT", "another alt", ask({}, null, streaming.replace("sse", "json")), "streaming.alt-sse", "warning", "error"],
  ["G-ALT", "alt where nothing streams", ask({}, null, `${target}&alt=sse`), "streaming.alt-other", "warning", "error"],
  ["G-KEY", "no key at all", ask({}, null, target.replace("?key=k", "")), "auth.key", "error", "error"],
  [
    "G-KEY",
    "a key in a header",
    ask({}, null, target.replace("?key=k", ""), [["x-goog-api-key", "k"]]),
    "auth.key",
    "warning",
    "error",
  ],
  [
    "G-KEY",
    "a bearer token",
    ask({}, null, target.replace("?key=k", ""), [["Authorization", "Bearer k"]]),
    "auth.key",
    "warning",
    "error",
  ],
  ["G-OUTCOME", "OK", replied(code, outcome("OK")), "reply-content.code-result-outcome-values", "note", "error"],
  [
    "G-OUTCOME",
    "FAILED",
    replied(code, outcome("FAILED")),
    "reply-content.code-result-outcome-values",
    "warning",
    "error",
  ],
  [
    "G-OUTCOME",
    "an unknown outcome",
    replied(code, outcome("GREAT")),
    "reply-content.code-result-outcome-values",
    "error",
    "error",
  ],
  [
    "G-OUTCOME",
    "OK in a request",
    ask(parts(code, outcome("OK"))),
    "content.code-result-outcome-values",
    "note",
    "error",
  ],
  [
    "G-STREAM-PAYLOAD",
    "an empty event",
    streamed({}, { candidates: [candidate()] }),
    "response.candidates-type",
    "off",
    "off",
  ],
  [
    "G-STREAM-PAYLOAD",
    "a wrong type in an event",
    streamed({ candidates: [candidate({ index: true })] }),
    "response.index-type",
    "error",
    "error",
  ],
  [
    "G-STREAM-PAYLOAD",
    "a call without name",
    streamed({ candidates: [candidate({ content: { parts: [{ functionCall: {} }] } })] }),
    "reply-content.function-call-name-required",
    "off",
    "error",
  ],
  [
    "G-STREAM-PAYLOAD",
    "no finishReason",
    streamed({ candidates: [{ content: { parts: [{ text: "a" }] } }] }),
    "streaming.finish-reason-last",
    "warning",
    "error",
  ],
  ["G-FILEDATA", "a film", ask(parts(file("video/mp4"))), "content.file-data-unsupported", "error", "error"],
  ["G-FILEDATA", "PDF", ask(parts(file("application/pdf"))), "content.file-data-unsupported", "error", "error"],
  ["G-FILEDATA", "an image", ask(parts(file("image/png"))), "content.file-data-unsupported", "warning", "error"],
  [
    "G-UNSPECIFIED",
    "finishReason",
    said({ finishReason: "FINISH_REASON_UNSPECIFIED" }),
    "response.finish-reason-values",
    "warning",
    "error",
  ],
  [
    "G-UNSPECIFIED",
    "blockReason",
    ask({}, jsonResponse({ promptFeedback: { blockReason: "BLOCK_REASON_UNSPECIFIED" } })),
    "response.block-reason-unspecified-unused",
    "warning",
    "error",
  ],
  [
    "G-HARMCAT",
    "legacy",
    ask({ safetySettings: [{ category: "HARM_CATEGORY_MEDICAL", threshold: "OFF" }] }),
    "safety.category-current",
    "warning",
    "error",
  ],
  [
    "G-HARMCAT",
    "unknown",
    ask({ safetySettings: [{ category: "HARM_CATEGORY_X", threshold: "OFF" }] }),
    "safety.category-values",
    "error",
    "error",
  ],
  [
    "G-BLOCKED",
    "no blocked",
    said({ safetyRatings: [{ category: "HARM_CATEGORY_MEDICAL", probability: "LOW" }] }),
    "safety.rating-blocked-present",
    "off",
    "error",
  ],
  [
    "G-SUM",
    "another sum",
    ask({}, reply([candidate({ tokenCount: 2 })], usage({ candidatesTokenCount: 3 }))),
    "response.candidates-token-sum",
    "error",
    "error",
  ],
  [
    "G-SUM",
    "a tokenCount missing",
    ask({}, reply([candidate()], usage({ candidatesTokenCount: 3 }))),
    "response.candidates-token-sum",
    "off",
    "off",
  ],
  [
    "G-SUM",
    "a total too low",
    ask({}, reply([candidate()], usage({ promptTokenCount: 2, totalTokenCount: 1 }))),
    "response.total-token-sum",
    "warning",
    "error",
  ],
  [
    "G-SUM",
    "a total with more",
    ask({}, reply([candidate()], usage({ promptTokenCount: 2, totalTokenCount: 5 }))),
    "response.total-token-sum",
    "off",
    "error",
  ],
  [
    "G-INDEX-UNIT",
    "reversed",
    said(segment({ startIndex: 2, endIndex: 1 })),
    "grounding.segment-range",
    "error",
    "error",
  ],
  ["G-INDEX-UNIT", "beyond the text", said(segment({ endIndex: 99 })), "grounding.segment-range", "warning", "error"],
  [
    "G-INDEX-UNIT",
    "another slice",
    said(segment({ endIndex: 2, text: "Ho" })),
    "grounding.segment-slice",
    "warning",
    "error",
  ],
  [
    "G-INDEX-UNIT",
    "bytes",
    said(segment({ startIndex: 0, endIndex: 2, text: "é" }), "école"),
    "grounding.segment-slice",
    "off",
    "off",
  ],
  [
    "G-INDEX-UNIT",
    "a citation beyond the text",
    said({ citationMetadata: { citationSources: [{ startIndex: 0, endIndex: 99 }] } }),
    "response.citation-range",
    "warning",
    "error",
  ],
  ["G-SDKBLOB", "objects", said(blob([{ term: "a" }])), "grounding.sdk-blob-content", "off", "error"],
  ["G-SDKBLOB", "no array", said(blob({})), "grounding.sdk-blob-content", "error", "error"],
  ["G-CODE-ORDER", "no code before", replied(outcome("OUTCOME_OK")), "reply-content.code-order", "warning", "error"],
  [
    "G-CODE-ORDER",
    "something between",
    replied(code, { text: "a" }, outcome("OUTCOME_OK")),
    "reply-content.code-order",
    "off",
    "error",
  ],
  ["G-PART-UNION", "nothing", ask(parts({})), "content.part-one-kind", "warning", "error"],
  [
    "G-PART-UNION",
    "text beside another",
    ask(parts({ text: "a", ...inline("image/png") })),
    "content.part-one-kind",
    "warning",
    "warning",
  ],
  [
    "G-CALL-DECLARED",
    "an undeclared call",
    ask(tools, reply([candidate({ content: { role: "model", parts: [call("g")] } })])),
    "tools.call-declared",
    "warning",
    "error",
  ],
  [
    "G-CALL-DECLARED",
    "an unasked answer",
    ask(parts({ functionResponse: { name: "f", response: {} } })),
    "content.function-response-called",
    "warning",
    "error",
  ],
  [
    "G-FN-NAME",
    "empty",
    ask({ tools: [{ functionDeclarations: [{ name: "" }] }] }),
    "tools.name-form",
    "warning",
    "warning",
  ],
  [
    "G-FN-NAME",
    "a blank",
    ask({ tools: [{ functionDeclarations: [{ name: "a b" }] }] }),
    "tools.name-form",
    "off",
    "warning",
  ],
  ["G-PARAM-SCHEMA", "lower case", ask(schemaOf({ type: "object" })), "schema.type-values", "warning", "error"],
  ["G-PARAM-SCHEMA", "unknown", ask(schemaOf({ type: "thing" })), "schema.type-values", "error", "error"],
  ["G-PARAM-SCHEMA", "no type at the root", ask(schemaOf({})), "schema.type-required", "error", "error"],
  [
    "G-PARAM-SCHEMA",
    "no type within",
    ask(schemaOf({ type: "ARRAY", items: {} })),
    "schema.type-required",
    "warning",
    "error",
  ],
  ["G-PARAM-SCHEMA", "parameters without type", ask(tools), "tools.parameters-schema", "off", "error"],
  [
    "G-PARAM-SCHEMA",
    "parameters in either case",
    ask(taking({ type: "STRING" })),
    "tools.parameters-valid",
    "off",
    "off",
  ],
  [
    "G-PARAM-SCHEMA",
    "parameters of a type in no set",
    ask(taking({ type: "thing" })),
    "tools.parameters-valid",
    "error",
    "error",
  ],
  ["G-THRESHOLD", "above", rate("LOW"), "safety.low-and-above", "warning", "error"],
  ["G-THRESHOLD", "above and blocked", rate("LOW", { blocked: true }), "safety.low-and-above", "off", "off"],
  [
    "G-JSON",
    "a schema without MIME type",
    ask(config({ responseSchema: { type: "OBJECT" } })),
    "generation-config.schema-needs-mime-type",
    "warning",
    "error",
  ],
  [
    "G-JSON",
    "no JSON",
    ask(schemaOf({ type: "OBJECT" }), reply([candidate({}, "no")])),
    "generation-config.json-output",
    "error",
    "error",
  ],
  [
    "G-JSON",
    "cut off",
    ask(schemaOf({ type: "OBJECT" }), reply([candidate({ finishReason: "MAX_TOKENS" }, "{")])),
    "generation-config.json-output",
    "off",
    "off",
  ],
  [
    "G-JSON",
    "another shape",
    ask(schemaOf({ type: "OBJECT" }), reply([candidate({}, "[]")])),
    "generation-config.schema-output",
    "warning",
    "error",
  ],
  [
    "G-CAND-COUNT",
    "more",
    ask(config({ candidateCount: 1 }), reply([candidate(), candidate({ index: 1 })])),
    "generation-config.candidate-count-kept",
    "error",
    "error",
  ],
  [
    "G-CAND-COUNT",
    "fewer",
    ask(config({ candidateCount: 2 }), reply([candidate()])),
    "generation-config.candidate-count-kept",
    "warning",
    "error",
  ],
  [
    "G-LOGPROBS",
    "logprobs alone",
    ask(config({ logprobs: 2 })),
    "generation-config.logprobs-needs-response-logprobs",
    "warning",
    "error",
  ],
  [
    "G-LOGPROBS",
    "more",
    ask(config({ logprobs: 1, responseLogprobs: true }), reply([candidate(top(2))])),
    "generation-config.logprobs-count",
    "error",
    "error",
  ],
  [
    "G-LOGPROBS",
    "fewer",
    ask(config({ logprobs: 3, responseLogprobs: true }), reply([candidate(top(2))])),
    "generation-config.logprobs-count",
    "off",
    "error",
  ],
  [
    "G-LOGPROBS",
    "none",
    ask(config({ responseLogprobs: true }), reply([candidate()])),
    "generation-config.logprobs-reported",
    "note",
    "error",
  ],
  ["G-NO-RANGE", "topP above 1", ask(config({ topP: 2 })), "generation-config.top-p-range", "off", "warning"],
  [
    "G-THOUGHT",
    "a thought",
    replied({ text: "Hm.", thought: true }),
    "reply-content.part-known-members",
    "off",
    "warning",
  ],
  [
    "G-THOUGHT",
    "a thought sent back",
    ask(parts({ text: "Hm.", thoughtSignature: "AAEC" })),
    "content.part-known-members",
    "off",
    "warning",
  ],
  [
    "G-GROUNDING-TOOL",
    "another tool",
    ask({ tools: [{ googleSearch: {} }] }),
    "tools.tool-unknown",
    "warning",
    "error",
  ],
  ["G-INT64", "a reply's numeric text", said({ tokenCount: "12" }), "response.token-count-type", "warning", "error"],
  [
    "G-INT64",
    "a request's numeric text",
    ask(config({ topK: "12" })),
    "generation-config.top-k-type",
    "error",
    "error",
  ],
  [
    "G-SPEECH",
    "both",
    ask(config({ speechConfig: { voiceConfig: {}, multiSpeakerVoiceConfig: {} } })),
    "generation-config.one-voice-config",
    "warning",
    "error",
  ],
  ["G-MIME", "GIF", ask(parts(inline("image/gif"))), "content.image-formats", "warning", "error"],
  ["G-MIME", "a parameter", ask(parts(inline("audio/ogg; codecs=opus"))), "content.audio-formats", "off", "off"],
  [
    "G-INT64",
    "a failure's code as text",
    failed({ code: "400", message: "", status: "INVALID_ARGUMENT" }),
    "errors.code-type",
    "error",
    "error",
  ],
  [
    "X-STATUS",
    "an error under a redirection",
    failed({ code: 302, message: "", status: "NOT_FOUND" }, 302),
    "errors.status-fits-body",
    "error",
    "error",
  ],
  ["G-ERR-PRESENCE", "no status", failed({ code: 400, message: "" }), "errors.status-required", "error", "error"],
  [
    "G-ERR-PRESENCE",
    "no details",
    failed({ code: 400, message: "", status: "INVALID_ARGUMENT" }),
    "errors.details-present",
    "off",
    "error",
  ],
  [
    "G-QUOTA",
    "403",
    failed({ code: 403, message: "quota", status: "PERMISSION_DENIED" }, 403),
    "errors.permission-denied-status",
    "off",
    "off",
  ],
  [
    "G-QUOTA",
    "429",
    failed({ code: 429, message: "quota", status: "RESOURCE_EXHAUSTED" }, 429),
    "errors.resource-exhausted-status",
    "off",
    "off",
  ],
  ["G-MEDIA-OUT", "an image", replied(inline("image/png")), "reply-content.part-one-kind", "off", "off"],
  [
    "G-MODE",
    "AUTO",
    ask({ toolConfig: { functionCallingConfig: { mode: "AUTO" } } }),
    "tools.mode-values",
    "off",
    "off",
  ],
  ["X-EMPTY", "no contents", ask({ contents: [] }), "request.contents-not-empty", "warning", "error"],
  ["X-EMPTY", "no parts", ask({ contents: [{ parts: [] }] }), "content.parts-not-empty", "warning", "error"],
  ["X-NULL", "an optional null", ask({ tools: null }), "request.tools-type", "warning", "error"],
  ["X-NULL", "a required null", ask({ contents: null }), "request.contents-type", "error", "error"],
  ["X-EXTRA", "an unknown member", ask({ tool: [] }), "request.unknown-members", "warning", "error"],
  [
    "X-EXTRA",
    "an unknown member of a reply",
    said({ finishMessage: "x" }),
    "response.unknown-members",
    "off",
    "warning",
  ],
  ["X-BASE64", "URL-safe", ask(parts(inline("image/png", "_-8="))), "content.inline-data-base64", "off", "error"],
  [
    "X-BASE64",
    "bits left over",
    ask(parts(inline("image/png", "QR=="))),
    "content.inline-data-base64",
    "warning",
    "error",
  ],
  ["X-BASE64", "no base64", ask(parts(inline("image/png", "a b"))), "content.inline-data-base64", "error", "error"],
  [
    "X-INCLUSIVE",
    "an end of the range",
    ask(config({ temperature: 2 })),
    "generation-config.temperature-range",
    "off",
    "off",
  ],
  ["X-STREAM-ERROR", "an error event", streamed({ error: { code: 500 } }), "streaming.no-error-event", "note", "error"],
  [
    "X-MODEL-ECHO",
    "another model",
    ask({}, reply([candidate()], { modelVersion: "other" })),
    "response.model-echo",
    "off",
    "warning",
  ],
];

function levelOf(exchange: Exchange, clause: string, policy: Policy): string {
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
  return findings.find((finding) => finding.clause === `generate-content.${clause}`)?.level ?? "off";
}

test.each(cases)("%s, %s", (reading, _what, exchange, clause, lenient, strict) => {
  expect(levelOf(exchange, clause, { strict: new Set(), openEnums: false })).toBe(lenient);
  expect(levelOf(exchange, clause, { strict: new Set([reading]), openEnums: false })).toBe(strict);
});

test.each([
  ["candidatesTokenCount", "response.candidates-token-count-type"],
  ["totalTokenCount", "response.total-token-count-type"],
])("%s that is no integer is a matter of its type alone", (name, clause) => {
  const usage = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2, [name]: 1.5 };
  const odd = ask({}, reply([candidate({ tokenCount: 1 })], { usageMetadata: usage }));
  const policy = { strict: new Set(["G-SUM"]), openEnums: false };
  const { findings } = judge(odd, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
  expect(findings.map((finding) => finding.clause)).toEqual([`generate-content.${clause}`]);
});

test("X-OPEN-ENUM: an unknown value of a reply only warns where enums are open", () => {
  const odd = said({ finishReason: "UNHEARD_OF" });
  expect(levelOf(odd, "response.finish-reason-values", { strict: new Set(), openEnums: false })).toBe("error");
  expect(levelOf(odd, "response.finish-reason-values", { strict: new Set(), openEnums: true })).toBe("warning");
});

test("where credentials may have been dropped, a missing key is undecided", () => {
  const { findings, undecided } = judge(
    ask({}, null, target.replace("?key=k", "")),
    { source: "", exchange: 0 },
    catalogue,
    { names: namesFrom({ credentials: "may-be-dropped" }), policy: { strict: new Set(), openEnums: false } },
  );
  expect(findings).toEqual([]);
  expect(undecided.map(({ clause }) => clause)).toEqual(["generate-content.auth.key"]);
});

test("a finding points at and quotes the spelling that was sent", () => {
  const film = { mime_type: "video/mp4", file_uri: "https://example.com/film.mp4" };
  const exchange = ask({ contents: { parts: [{ text: "Look." }, { file_data: film }] } });
  const policy = { strict: new Set<string>(), openEnums: false };
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
  expect(findings.filter(({ level }) => level === "error")).toMatchObject([
    {
      clause: "generate-content.content.file-data-unsupported",
      pointer: "/contents/parts/1/file_data",
      actual: JSON.stringify(film),
    },
  ]);
});

test("X-INT: an integer written as 1.0 is warned about where it stands, whatever its name is spelt like", () => {
  const exchange = ask({});
  const numbers = { generation_config: { top_k: 7, candidateCount: 1 }, contents: hello["contents"] };
  const texts = JSON.stringify(numbers).replace("7", "7.0").replace(":1", ":1e0");
  const { findings } = judge(
    { ...exchange, request: { ...exchange.request, body: Buffer.from(texts) } },
    { source: "", exchange: 0 },
    catalogue,
    { names: namesFrom({}), policy: { strict: new Set(), openEnums: false } },
  );
  expect(findings.filter(({ reading }) => reading === "X-INT").map(({ pointer, level }) => [pointer, level])).toEqual([
    ["/generation_config/candidateCount", "warning"],
    ["/generation_config/top_k", "warning"],
  ]);
});

test("X-INT: also where one object stands for a list", () => {
  const exchange = ask({});
  const answered = {
    ...exchange,
    request: {
      ...exchange.request,
      body: Buffer.from(
        '{"contents":{"parts":{"text":"Hi."}},"generation_config":{"response_schema":{"type":"ARRAY","min_items":1.0}}}',
      ),
    },
  };
  const { findings } = judge(answered, { source: "", exchange: 0 }, catalogue, {
    names: namesFrom({}),
    policy: { strict: new Set(), openEnums: false },
  });
  expect(findings.filter(({ reading }) => reading === "X-INT").map(({ pointer }) => pointer)).toEqual([
    "/generation_config/response_schema/min_items",
  ]);
});
