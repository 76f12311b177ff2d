/** What judging costs beside reading: `JSON.parse` of the same bytes is the measure. */
import type { Bench, Table } from "../bench.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { exchangeOf, jsonRequest, jsonResponse, sseEvent, streamResponse } from "../wire/build.ts";
import type { Exchange } from "../wire/exchange.ts";
import { loadCatalogue } from "./catalogue.ts";

const head = { id: "chatcmpl-1", created: 1_735_689_600, model: "chat-model", system_fingerprint: "fp_1" };
const words = "All happy families are alike and each unhappy one is unhappy in its own way. ";
const request = (stream: boolean) =>
  jsonRequest("/v1/chat/completions", [["Authorization", "Bearer key"]], {
    model: "chat-model",
    messages: [{ role: "user", content: "Tell me something." }],
    ...(stream && { stream: true }),
  });

/** A reply of about 1.5 KB. */
function wholeReply(): Exchange {
  const message = { role: "assistant", content: words.repeat(14), refusal: null, annotations: [] };
  const usage = { prompt_tokens: 12, completion_tokens: 260, total_tokens: 272 };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
  return exchangeOf(request(false), jsonResponse({ ...head, object: "chat.completion", choices, usage }));
}

/** A stream of 200 events, about 50 KB. */
function streamedReply(): Exchange {
  const chunk = (delta: object, finish_reason: string | null): string =>
    sseEvent({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
  const increments = Array.from({ length: 197 }, (_, i) =>
    chunk({ content: ` word number ${i} of this stream` }, null),
  );
  const events = [
    chunk({ role: "assistant", content: "" }, null),
    ...increments,
    chunk({}, "stop"),
    "data: [DONE]\n\n",
  ];
  return exchangeOf(request(true), streamResponse(events));
}

export const bench: Bench = async () => {
  const catalogue = await loadCatalogue();
  const options = { names: namesFrom(), policy: lenient };
  const table = (title: string, exchange: Exchange, texts: readonly string[], times: number): Table => ({
    title: `${title}, ${exchange.response?.body.length} bytes`,
    method: `${times} times each.`,
    rounds: 9,
    contenders: [
      {
        name: "JSON.parse of the reply",
        run: () => repeat(times, () => texts.forEach((text) => void JSON.parse(text))),
      },
      {
        name: "judging the exchange",
        run: () => repeat(times, () => void judge(exchange, { source: "bench", exchange: 0 }, catalogue, options)),
      },
    ],
  });
  const whole = wholeReply();
  const streamed = streamedReply();
  const text = (exchange: Exchange): string => Buffer.from(exchange.response?.body ?? []).toString("utf8");
  const data = text(streamed)
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event) => event.slice(6));
  for (const exchange of [whole, streamed]) {
    const { findings } = judge(exchange, { source: "bench", exchange: 0 }, catalogue, options);
    if (findings.length > 0) throw new Error(`the benchmark judges good replies, and found: ${findings[0]?.message}`);
  }
  return [
    table("Judging a whole chat reply", whole, [text(whole)], 20_000),
    table("Judging a stream of 200 events", streamed, data, 300),
  ];
};

function repeat(times: number, run: () => void): void {
  for (let i = 0; i < times; i++) run();
}
