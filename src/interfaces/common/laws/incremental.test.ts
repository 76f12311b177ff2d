/** Holds when a stream is told to have arrived all at once: never where a fast or a waiting server explains it. */
import { expect, test } from "vitest";
import { lenient } from "../../../check/clause.ts";
import { judgeLaws } from "../../../check/judge-laws.ts";
import { namesFrom } from "../../../check/names.ts";
import { editEvents } from "../../../wire/edit.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { isEventStream } from "../../../wire/headers.ts";
import { parseEvents } from "../../../wire/sse.ts";
import { openCatalogue } from "../../catalogue.ts";
import { shippedExamples } from "../../examples.ts";

const catalogue = await openCatalogue();
const [whole, stream] = shippedExamples.conversations["messages"]!.find(({ name }) =>
  name.endsWith("in many pieces"),
)!.exchanges;

/** The same exchange with the times at which its pieces came. */
const timed = (exchange: Exchange, ...times: readonly number[]): Exchange => {
  const { response } = exchange;
  const size = Math.floor(response!.body.length / times.length);
  const lengths = times.map((_, i) =>
    i < times.length - 1 ? size : response!.body.length - size * (times.length - 1),
  );
  const chunks = times.map((at, i) => [at, lengths[i]!] as const);
  return { ...exchange, response: { ...response!, chunks, time: times.at(-1)! } };
};

function told(...exchanges: readonly Exchange[]): readonly string[] {
  const placed = exchanges.map((exchange, position) => ({ exchange, position }));
  const { findings } = judgeLaws(placed, "test", catalogue, { names: namesFrom(), policy: lenient });
  return findings.filter(({ clause }) => clause.endsWith("stream-incremental")).map(({ level }) => level);
}

test("the example is a whole reply and a stream", () => {
  expect([isEventStream(whole!.response), isEventStream(stream!.response)]).toEqual([false, true]);
});

test("a stream in one piece warns where both took seconds", () => {
  expect(told(timed(whole!, 3_000), timed(stream!, 3_100))).toEqual(["warning"]);
});

/** The stream with its head at once, and each event of the rest so many milliseconds after the one before. */
function paced(from: number, between: number): Exchange {
  const { response } = stream!;
  const { events } = parseEvents(response!.body);
  const ends = events.map((_, i) => events[i + 1]?.offset ?? response!.body.length);
  const isHead = (i: number): boolean => !events[i]!.data.includes("delta");
  const head = events.findIndex((_, i) => !isHead(i));
  const chunks = ends.map((end, i): [number, number] => [
    i < head ? 5 : Math.round(from + (i - head) * between),
    end - (ends[i - 1] ?? 0),
  ]);
  return { ...stream!, response: { ...response!, chunks, time: chunks.at(-1)![0] } };
}

test("text in many pieces that come at one moment warns, though the head came before", () => {
  expect(told(timed(whole!, 3_000), paced(3_000, 0))).toEqual(["warning"]);
  expect(told(timed(whole!, 3_000), paced(3_000, 0.4))).toEqual(["warning"]);
});

test("text in several parts of an event warns, too", () => {
  const [gcWhole, gcStream] = shippedExamples.conversations["generate-content"]!.find(({ name }) =>
    name.endsWith("in many pieces"),
  )!.exchanges;
  const split = editEvents(gcStream!, (events) => {
    for (const { data } of events) {
      const { content } = (data as { candidates: { content?: { parts: { text: string }[] } }[] }).candidates[0]!;
      const [part] = content?.parts ?? [];
      if (part) content!.parts = [part, { text: "ly" }];
    }
  });
  expect(told(timed(gcWhole!, 3_000), timed(split, 3_000, 3_000))).toEqual(["warning"]);
});

test.each([
  ["a fast model answers behind a queue", timed(whole!, 3_030), paced(3_000, 3)],
  ["so few pieces hardly take the wait, as while a model is loaded", timed(whole!, 30_000), paced(30_000, 0)],
  ["it comes in two pieces", timed(whole!, 3_000), timed(stream!, 3_000, 3_100)],
  ["it comes soon", timed(whole!, 200), timed(stream!, 210)],
  ["the whole reply shows no such time", timed(whole!, 100), timed(stream!, 3_000)],
])("nothing is told where %s", (_, first, second) => {
  expect(told(first, second)).toEqual([]);
});

test("nothing is told where another whole reply to the question came soon", () => {
  const soon = timed(whole!, 40);
  expect(told(timed(whole!, 3_000), paced(3_000, 0), soon)).toEqual([]);
});
