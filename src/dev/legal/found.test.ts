/** Generated exchanges that once showed a false accusation stay acquitted. */
import { describe, expect, test } from "vitest";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { jsonRequest, jsonResponse, sseEvent, streamResponse } from "../../wire/build.ts";
import type { Exchange, WireResponse } from "../../wire/exchange.ts";

const catalogue = await openCatalogue();

function faults(exchange: Exchange): string[] {
  const { findings } = judge(exchange, { source: "", exchange: 0 }, catalogue, { names: namesFrom(), policy: lenient });
  return findings.filter(({ level }) => level === "error").map(({ message }) => message);
}

const bearer = [["Authorization", "Bearer k"]] as const;
const chat = (more: object, response: WireResponse, rest: Partial<Exchange> = {}): Exchange => ({
  request: jsonRequest("/v1/chat/completions", bearer, {
    model: "m",
    messages: [{ role: "user", content: "JSON" }],
    ...more,
  }),
  response,
  ...rest,
});
const chunk = (delta: object, finish_reason: string | null = null): string =>
  sseEvent({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  });
const streamed = (...deltas: object[]): WireResponse =>
  streamResponse([
    chunk({ role: "assistant", content: "" }),
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, "stop"),
    sseEvent("[DONE]"),
  ]);
const cutAfter = (response: WireResponse, text: string): WireResponse => ({
  status: response.status,
  headers: response.headers,
  body: response.body.subarray(0, Buffer.from(response.body).indexOf(text) + text.length),
});

const generate = (more: object, reply: object): Exchange => ({
  request: jsonRequest("/v1beta/models/m:generateContent?key=k", [], {
    contents: [{ parts: [{ text: "x" }] }],
    ...more,
  }),
  response: jsonResponse(reply),
});
const told = (text: string) => ({
  candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }],
});

const audio = { modalities: ["text", "audio"], audio: { format: "mp3", voice: "ash" } };
const spoken = { audio: { id: "a", transcript: '{"a":1}', data: "AAAA" } };
const citation = {
  type: "url_citation",
  url_citation: { start_index: 2, end_index: 5, url: "https://a.example/", title: "A" },
};

describe("no error", () => {
  test.each<[string, Exchange]>([
    [
      "in an event that a break cut in the middle of its data",
      chat({ stream: true }, cutAfter(streamed({ content: "Hi" }), '{"content":"H'), { aborted: "upstream" }),
    ],
    [
      "in an event that a break cut before its blank line",
      chat({ stream: true }, cutAfter(streamed({ content: "Hi" }), '"finish_reason":null}]}'), { aborted: "client" }),
    ],
    [
      "when JSON is spoken and the streamed content stays empty",
      chat({ stream: true, response_format: { type: "json_object" }, ...audio }, streamed(spoken)),
    ],
    [
      "when a citation speaks of words that are spoken",
      chat({ stream: true, ...audio }, streamed(spoken, { annotations: [citation] })),
    ],
    [
      "when a stop sequence may have cut streamed JSON",
      chat({ stream: true, stop: "}", response_format: { type: "json_object" } }, streamed({ content: '{"a":1' })),
    ],
    [
      "when a stop sequence may have cut JSON",
      generate({ generationConfig: { responseMimeType: "application/json", stopSequences: ["}"] } }, told('{"a":1')),
    ],
    [
      "in a member nobody knows of an object that is to be empty",
      generate({ tools: [{ codeExecution: { x: 1 } }] }, told("Hi")),
    ],
  ])("%s", (_where, exchange) => expect(faults(exchange)).toEqual([]));

  test.each<[string, Exchange]>([
    [
      "an event whose data is cut though nothing broke off",
      chat({ stream: true }, streamResponse([sseEvent('{"content":"H')])),
    ],
    [
      "JSON cut without a stop sequence",
      generate({ generationConfig: { responseMimeType: "application/json" } }, told('{"a":1')),
    ],
    [
      "streamed text in JSON mode",
      chat({ stream: true, response_format: { type: "json_object" } }, streamed({ content: "Hi" })),
    ],
  ])("is no excuse for %s", (_what, exchange) => expect(faults(exchange)).not.toEqual([]));
});
