/** The cost of taking credentials out beside writing the exchange: the keeper does both for all that passes. */
import { exchangeLine } from "../../cassette/write.ts";
import { redact } from "../../redact/redact.ts";
import { exchangeOf, jsonRequest, jsonResponse } from "../../wire/build.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { head, streamedReply, usageOf, wholeReply } from "../../wire/typical.test-kit.ts";
import { type Bench, type Contender, processorMs, type Table } from "./table.ts";

const sent = (body: unknown): ReturnType<typeof jsonRequest> =>
  jsonRequest("/v1/chat/completions", [["Authorization", "Bearer sk-bench-0123456789abcdefghij"]], body);

/** A reply of some 60 KB with the log probabilities of its tokens. */
function longReply(): Exchange {
  const entry = (token: string, logprob: number): object => ({ token, logprob, bytes: [...Buffer.from(token)] });
  const words = Array.from({ length: 228 }, (_, i) => ` word${i}`);
  const content = words.map((token, i) => ({
    ...entry(token, -0.0123 * (i % 90)),
    top_logprobs: [entry(token, -0.0123 * (i % 90)), entry(` other${i}`, -3.75 - i / 1024)],
  }));
  const message = { role: "assistant", content: words.join(""), refusal: null };
  const choices = [{ index: 0, message, logprobs: { content }, finish_reason: "stop" }];
  const body = { ...head, object: "chat.completion", choices, usage: usageOf(228) };
  return exchangeOf(sent({ model: "chat-model", messages: [{ role: "user", content: "Count." }] }), jsonResponse(body));
}

/** Thousands of secrets, and a reply of megabytes to look for them in. */
function manySecrets(): Exchange {
  const members = Array.from({ length: 60_000 }, (_, i) => ({ password: `secret-${i}-${(i * 7919) % 99991}` }));
  return exchangeOf(sent({ members }), jsonResponse({ text: "secret-1 and more of the same ".repeat(100_000) }));
}

const withKey = (exchange: Exchange): Exchange => ({
  ...exchange,
  request: { ...exchange.request, headers: sent({}).headers },
});

function table(title: string, exchange: Exchange, times: number): Table {
  const bytes = exchange.response!.body.length;
  const contender = (name: string, run: () => void): Contender => ({
    name,
    run() {
      const all = processorMs(() => {
        for (let i = 0; i < times; i++) run();
      });
      return (1000 * all) / times;
    },
  });
  const safe = redact(exchange);
  return {
    title: `Redacting ${title}`,
    method: `A response body of ${bytes} bytes, ${times === 1 ? "once" : `${times} times`} each.`,
    rounds: 7,
    columns: ["µs of processor time"],
    contenders: [
      contender("writing its line", () => void exchangeLine(safe)),
      contender("redacting it", () => void redact(exchange)),
    ],
  };
}

export const bench: Bench = async () => [
  table("a short reply", withKey(wholeReply()), 5_000),
  table("a reply with log probabilities", longReply(), 500),
  table("a stream of 200 events", withKey(streamedReply()), 500),
  table("60,000 secrets", manySecrets(), 1),
];
