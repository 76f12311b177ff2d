/** What judging costs beside reading: `JSON.parse` of the same bytes is the measure. */

import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import type { Bench, Table } from "../table.bench-kit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { loadCatalogue } from "./catalogue.ts";
import { streamedReply, wholeReply } from "./typical.test-kit.ts";

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
