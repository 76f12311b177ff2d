/** The requests and replies of the benchmarks: legal traffic of chat completions, as bytes. */

import { usageOf, head as usual, verse } from "../../wire/typical.test-kit.ts";

/** `events` is the stream with one write an event, as services send it; `stream` is the same in one write. */
export type Load = "short" | "long" | "events" | "stream" | "huge";

/** Headers as a vendor sends them. */
const sent = [
  "Date: Tue, 31 Mar 2026 13:11:51 GMT",
  "openai-organization: acme",
  "openai-processing-ms: 2456",
  "openai-version: 2020-10-01",
  "x-ratelimit-limit-requests: 10000",
  "x-ratelimit-limit-tokens: 50000000",
  "x-ratelimit-remaining-requests: 9999",
  "x-ratelimit-remaining-tokens: 49999955",
  "x-request-id: req_eef92f69867f4cbf9405c941a9ac1a37",
  "strict-transport-security: max-age=31536000; includeSubDomains; preload",
].join("\r\n");

const head = { ...usual, service_tier: "default" };

/** A whole reply; with log probabilities for each of its tokens where there are any. */
function reply(content: string, tokens: readonly string[]): string {
  const entry = (token: string, logprob: number): object => ({ token, logprob, bytes: [...Buffer.from(token)] });
  const logprobs = tokens.map((token, i) => ({
    ...entry(token, -0.0123 * (i % 90)),
    top_logprobs: [entry(token, -0.0123 * (i % 90)), entry(` other${i}`, -3.75 - i / 1024)],
  }));
  const message = { role: "assistant", content, refusal: null, annotations: [] };
  return JSON.stringify({
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: tokens.length > 0 ? { content: logprobs } : null, finish_reason: "stop" }],
    usage: usageOf(tokens.length || 178),
    system_fingerprint: null,
  });
}

const words = Array.from({ length: 228 }, (_, i) => ` word${i}`);

const whole = (body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${sent}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

export const streamHead = `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n${sent}\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** A piece of a chunked body. */
export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
export const lastChunk = "0\r\n\r\n";

/** The events of a stream, one chunk each. */
export function eventsOf(count: number): string[] {
  const event = (delta: object, finish_reason: string | null, i: number): string =>
    `data: ${JSON.stringify({
      ...head,
      object: "chat.completion.chunk",
      system_fingerprint: null,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      obfuscation: "MZz5UqK0vB2xW".slice(0, i % 14),
    })}\n\n`;
  return [
    event({ role: "assistant", content: "", refusal: null }, null, 3),
    ...Array.from({ length: count - 3 }, (_, i) => event({ content: ` word${i}` }, null, i)),
    event({}, "stop", 5),
    "data: [DONE]\n\n",
  ];
}

const streamed = [streamHead, ...eventsOf(200).map(chunk), lastChunk].map((text) => Buffer.from(text));

/** Each load's answer, ready for the wire, as what is written at once; `huge` is written piece by piece instead. */
export const answers: Readonly<Record<Exclude<Load, "huge">, readonly Buffer[]>> = {
  short: [Buffer.from(whole(reply(verse.repeat(13), [])))],
  long: [Buffer.from(whole(reply(words.join(""), words)))],
  events: streamed,
  stream: [Buffer.concat(streamed)],
};

const digits = "0000000000";

/** A request for a load, and where its ten digits stand, so that no two are alike. */
export function requestFor(load: Load, host: string): { readonly bytes: Buffer; readonly digitsAt: number } {
  const body = JSON.stringify({
    model: "chat-model",
    messages: [{ role: "user", content: `Explain recursion in poem ${digits}.` }],
    ...(load === "long" && { logprobs: true, top_logprobs: 2 }),
    ...((load === "events" || load === "stream" || load === "huge") && { stream: true }),
  });
  const bytes = Buffer.from(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n` +
      "Authorization: Bearer sk-bench-0123456789abcdefghij\r\nUser-Agent: OpenAI/JS 6.49.0\r\nx-stainless-lang: js\r\n" +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return { bytes, digitsAt: bytes.indexOf(digits) };
}
