/** The families of `npm run growth`: hostile inputs of any size, and those who have to read or judge them. */
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../wire/build.ts";
import type { Exchange } from "../wire/exchange.ts";

/** Inputs alike but for their size, and what is done with one. */
export interface Family {
  readonly name: string;
  /** Makes the work for a size; only doing it is measured. */
  readonly make: (n: number) => () => unknown;
}

const catalogue = await openCatalogue();
const options = { names: namesFrom(), policy: { strict: "all", openEnums: false } } as const;

/** Judging an exchange under every strict option, which looks at the most. */
export const judging = (name: string, make: (n: number) => Exchange): Family => ({
  name: `judge: ${name}`,
  make(n) {
    const exchange = make(n);
    return () => judge(exchange, { source: "growth", exchange: 0 }, catalogue, options);
  },
});

export const reading = <T>(name: string, make: (n: number) => T, read: (input: T) => unknown): Family => ({
  name,
  make(n) {
    const input = make(n);
    return () => read(input);
  },
});

/** A list made of positions. */
export const list = <T>(n: number, item: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => item(i));

export const members = (n: number, value: (i: number) => unknown, name = "m"): Record<string, unknown> =>
  Object.fromEntries(list(n, (i) => [`${name}${i}`, value(i)]));

const whole = { finish_reason: "stop", logprobs: null };

const ofChat = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

const asked = (target: string, body: unknown) => jsonRequest(target, [["Authorization", "Bearer k"]], body);
const bytesOf = (text: string): Uint8Array => Buffer.from(text);

const streamOf = (events: readonly unknown[]) => ({
  status: 200,
  headers: [["content-type", "text/event-stream"]] as const,
  body: bytesOf(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`),
});

export const chat = (more: object, message: object = {}, choice: object = {}): Exchange =>
  exchangeOf(
    asked("/v1/chat/completions", { model: "m", messages: [{ role: "user", content: "hi" }], ...more }),
    jsonResponse({
      ...ofChat,
      choices: [
        { index: 0, message: { role: "assistant", content: "x", refusal: null, ...message }, ...whole, ...choice },
      ],
    }),
  );

export const chatOf = (body: object): Exchange => {
  const { request } = chat({});
  return exchangeOf(request, jsonResponse({ ...ofChat, ...body }));
};

export const chatStream = (chunks: readonly object[], more: object = {}): Exchange =>
  exchangeOf(
    chat({ stream: true, ...more }).request,
    streamOf(chunks.map((chunk) => ({ ...ofChat, usage: undefined, object: "chat.completion.chunk", ...chunk }))),
  );

export const delta = (index: unknown, said: object, finish: string | null = null): object => ({
  choices: [{ index, delta: said, finish_reason: finish }],
});

export const messages = (more: object, reply: object = {}): Exchange =>
  exchangeOf(
    asked("/v1/messages", { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }], ...more }),
    jsonResponse({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: "x" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
      ...reply,
    }),
  );

export const messagesStream = (events: readonly object[]): Exchange =>
  exchangeOf(messages({ stream: true }).request, streamOf(events));

export const generate = (more: object, candidate: object = {}, reply: object = {}): Exchange =>
  exchangeOf(
    asked("/v1beta/models/m:generateContent?key=k", { contents: [{ role: "user", parts: [{ text: "hi" }] }], ...more }),
    jsonResponse({
      candidates: [
        { content: { role: "model", parts: [{ text: "x" }] }, finishReason: "STOP", index: 0, ...candidate },
      ],
      ...reply,
    }),
  );

export const images = (more: object, data: readonly unknown[]): Exchange =>
  exchangeOf(
    asked("/v1/images/generations", { model: "image-v2", prompt: "x", ...more }),
    jsonResponse({ created: 1, data }),
  );
