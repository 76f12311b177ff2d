/** Exchanges of generate-content that readings grade, and what they are put together from. */
import type { Policy } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { exchangeOf, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import type { Exchange, HeaderPairs, WireResponse } from "../../wire/exchange.ts";
import { openCatalogue } from "../catalogue.ts";

export const catalogue = await openCatalogue();
export type Json = Record<string, unknown>;

export const hello: Json = { contents: [{ role: "user", parts: [{ text: "Hello." }] }] };
export const target = "/v1beta/models/gemini-2.0-flash:generateContent?key=k";
export const streaming = "/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse&key=k";

export const ask = (
  more: Json,
  response: WireResponse | null = null,
  to = target,
  headers: HeaderPairs = [],
): Exchange => exchangeOf(jsonRequest(to, headers, { ...hello, ...more }), response);
export const parts = (...list: Json[]): Json => ({ contents: [{ role: "user", parts: list }] });
export const taking = (value: Json): Json => ({
  tools: [{ functionDeclarations: [{ name: "f", parameters: { type: "object", properties: { value } } }] }],
});
export const config = (generationConfig: Json): Json => ({ generationConfig });
export const candidate = (more: Json = {}, text = "Hi."): Json => ({
  content: { role: "model", parts: [{ text }] },
  finishReason: "STOP",
  index: 0,
  ...more,
});
export const reply = (candidates: Json[], more: Json = {}): WireResponse =>
  jsonResponse({
    candidates,
    usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 },
    modelVersion: "gemini-2.0-flash",
    responseId: "r",
    ...more,
  });
export const said = (more: Json, text?: string): Exchange => ask({}, reply([candidate(more, text)]));
export const replied = (...list: Json[]): Exchange =>
  ask({}, reply([candidate({ content: { role: "model", parts: list } })]));
export const streamed = (...events: unknown[]): Exchange =>
  ask({}, streamResponse(events.map((e) => sseEvent(e))), streaming);
export const call = (name: string): Json => ({ functionCall: { name, args: {} } });
export const outcome = (name: string): Json => ({ codeExecutionResult: { outcome: name } });
export const code: Json = { executableCode: { language: "PYTHON", code: "1" } };
export const tools = { tools: [{ functionDeclarations: [{ name: "f", parameters: { properties: {} } }] }] };
export const file = (mimeType: string): Json => ({ fileData: { mimeType, fileUri: "https://example.com/x" } });
export const inline = (mimeType: string, data = "AAEC"): Json => ({ inlineData: { mimeType, data } });
export const usage = (usageMetadata: Json): Json => ({ usageMetadata });
export const failed = (error: Json, status = 400): Exchange => ask({}, jsonResponse({ error }, status));
export const schemaOf = (responseSchema: Json): Json =>
  config({ responseSchema, responseMimeType: "application/json" });
export const segment = (more: Json): Json => ({ groundingMetadata: { groundingSupports: [{ segment: more }] } });
export const blob = (value: unknown): Json => ({
  groundingMetadata: { searchEntryPoint: { sdkBlob: Buffer.from(JSON.stringify(value)).toString("base64") } },
});
export const top = (count: number): Json => ({
  logprobsResult: {
    topCandidates: [{ candidates: Array.from({ length: count }, (_, i) => ({ token: "a", logProbability: -i })) }],
  },
});
export const rate = (probability: string, more: Json = {}): Exchange =>
  ask(
    { safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_LOW_AND_ABOVE" }] },
    reply([candidate({ safetyRatings: [{ category: "HARM_CATEGORY_HARASSMENT", probability, ...more }] })]),
  );

/** Reading, what is sent, the clause it touches, and its level by default and where the reading is strict. */
export type ReadingCase = readonly [string, string, Exchange, string, string, string];

/** The level of one clause on an exchange, or `off`. */
export function levelOf(exchange: Exchange, clause: string, policy: Policy): string {
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy });
  return findings.find((finding) => finding.clause === `generate-content.${clause}`)?.level ?? "off";
}

/** The levels of a case by default, and where its reading is strict. */
export const levelsOf = ([reading, , exchange, clause]: ReadingCase): [string, string] => [
  levelOf(exchange, clause, { strict: new Set(), openEnums: false }),
  levelOf(exchange, clause, { strict: new Set([reading]), openEnums: false }),
];
