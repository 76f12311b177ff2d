/** Two exchanges of the size and shape that vendors send all day: what benchmarks judge, send and record. */
import { exchangeOf, jsonRequest, jsonResponse, sseEvent, streamResponse } from "./build.ts";
import type { Exchange } from "./exchange.ts";

/** Headers as a vendor sends them: a good dozen, few of which anybody asks for. */
const sent = [
  ["Date", "Tue, 31 Mar 2026 13:11:51 GMT"],
  ["Transfer-Encoding", "chunked"],
  ["Connection", "keep-alive"],
  ["openai-organization", "acme"],
  ["openai-processing-ms", "2456"],
  ["openai-version", "2020-10-01"],
  ["x-ratelimit-limit-requests", "10000"],
  ["x-ratelimit-limit-tokens", "50000000"],
  ["x-ratelimit-remaining-requests", "9999"],
  ["x-ratelimit-remaining-tokens", "49999955"],
  ["x-request-id", "req_eef92f69867f4cbf9405c941a9ac1a37"],
  ["strict-transport-security", "max-age=31536000; includeSubDomains; preload"],
] as const;
const request = (stream: boolean) =>
  jsonRequest("/v1/chat/completions", [["Authorization", "Bearer key"]], {
    model: "chat-model",
    messages: [{ role: "user", content: "Explain recursion in a poem." }],
    ...(stream && { stream: true }),
  });
/** The beginning of all messages of a reply. */
export const head = { id: "chatcmpl-DPTAiWp7QnZLUkTrJ1HEeKD50OKZu", created: 1_774_962_708, model: "chat-model-0125" };

/** Two lines of what a reply says. */
export const verse = 'In the heart of code, a dance takes flight,\nRecursion whispers "go" at night,\n';

/** All counts of a reply of so many tokens. */
export const usageOf = (completion: number): object => ({
  prompt_tokens: 39,
  completion_tokens: completion,
  total_tokens: 39 + completion,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});

/** A whole reply of 1.5 KB as the vendor writes it: indented, 14 lines of verse, null and empty members, all counts. */
export function wholeReply(): Exchange {
  const message = { role: "assistant", content: verse.repeat(7), refusal: null, annotations: [] };
  const usage = usageOf(178);
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
  const { id, created, model } = head;
  const reply = {
    id,
    object: "chat.completion",
    created,
    model,
    choices,
    usage,
    service_tier: "default",
    system_fingerprint: null,
  };
  const { headers, ...response } = jsonResponse(reply);
  const body = Buffer.from(JSON.stringify(reply, null, 2));
  return exchangeOf(request(false), { ...response, headers: [...headers, ...sent], body });
}

/** A stream of 200 events, about 50 KB, as the vendor writes it; a word an event, padded against eavesdroppers. */
export function streamedReply(): Exchange {
  const chunk = (delta: object, finish_reason: string | null, i: number): string =>
    sseEvent({
      id: head.id,
      object: "chat.completion.chunk",
      created: head.created,
      model: head.model,
      service_tier: "default",
      system_fingerprint: null,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      obfuscation: "MZz5UqK0vB2xW".slice(0, i % 14),
    });
  const increments = Array.from({ length: 197 }, (_, i) => chunk({ content: ` word${i}` }, null, i));
  const events = [
    chunk({ role: "assistant", content: "", refusal: null }, null, 3),
    ...increments,
    chunk({}, "stop", 5),
    "data: [DONE]\n\n",
  ];
  const { headers, ...response } = streamResponse(events);
  return exchangeOf(request(true), { ...response, headers: [...headers, ...sent] });
}
