/** The cost of judging beside reading: `JSON.parse` of the same bytes is the measure. */
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { namesFrom } from "../../check/names.ts";
import { routeOf } from "../../check/route.ts";
import { requestParts, responseParts } from "../../check/schema-targets.ts";
import { readSubject } from "../../check/subject.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { utf8Text } from "../../wire/bytes.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { streamedReply, wholeReply } from "../../wire/typical.test-kit.ts";
import { type Bench, type Contender, processorMs, type Table } from "./table.ts";

/** Microseconds of processor time that one of so many takes. */
function each(times: number, run: () => void): number {
  const all = processorMs(() => {
    for (let i = 0; i < times; i++) run();
  });
  return (1000 * all) / times;
}

/** The JSON texts of a reply: one, or one an event. */
function textsOf({ response }: Exchange): string[] {
  const text = utf8Text(response?.body ?? Buffer.of());
  if (!text.startsWith("data: ")) return [text];
  return text.split("\n\n").flatMap((event) => (event.startsWith("data: {") ? [event.slice(6)] : []));
}

export const bench: Bench = async () => {
  const catalogue = await openCatalogue();
  const marks = new Uint8Array(catalogue.clauses.length);
  const options = { names: namesFrom(), policy: lenient, marks };
  const at = { source: "bench", exchange: 0 };
  const table = (title: string, exchange: Exchange, times: number): Table => {
    const { findings } = judge(exchange, at, catalogue, options);
    if (findings.length > 0) throw new Error(`the benchmark judges good replies, and found: ${findings[0]?.message}`);
    const { method, target } = exchange.request;
    const route = routeOf(catalogue.interfaces, method, target)!;
    const subject = readSubject(exchange, route, options.names);
    const parts = [...requestParts(subject), ...responseParts(subject)];
    const context = { marks, closed: true };
    const texts = textsOf(exchange);
    const contender = (name: string, run: () => void): Contender => ({ name, run: () => each(times, run) });
    return {
      title,
      method: `A reply of ${exchange.response?.body.length} bytes, ${times} times each.`,
      rounds: 9,
      columns: ["µs of processor time"],
      contenders: [
        contender("JSON.parse of the reply", () => texts.forEach((text) => void JSON.parse(text))),
        contender("judging the exchange", () => void judge(exchange, at, catalogue, options)),
        contender("of it: reading request and reply", () => void readSubject(exchange, route, options.names)),
        contender("of it: their schemas", () =>
          parts.forEach(({ schema, value }) => void catalogue.validator(schema).call(context, value)),
        ),
      ],
    };
  };
  return [
    table("Judging a whole chat reply", wholeReply(), 20_000),
    table("Judging a stream of 200 events", streamedReply(), 300),
  ];
};
