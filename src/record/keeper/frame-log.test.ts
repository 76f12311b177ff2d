/** The frame log returns exactly the frames of unacknowledged exchanges, in order, and stays bounded. */
import { expect, test } from "vitest";
import { collectExchanges } from "../../proxy/collector.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { createFrameDecoder } from "./frame-decoder.ts";
import { createFrameEncoder } from "./frame-encoder.ts";
import { createFrameLog } from "./frame-log.ts";

/** An observer that fills a log. */
function loggingObserver() {
  const log = createFrameLog();
  const encoder = createFrameEncoder({
    write: (bytes, isStable) => log.add(bytes, isStable),
    cork: () => {},
    uncork: () => {},
    empty: () => true,
    emptied: async () => {},
  });
  function begin(id: number, body: string | Buffer): void {
    log.begin(id);
    encoder.open(id, { started: 5, method: "GET", target: `/${id}`, headers: [] });
    encoder.responseHead(id, 200, "OK", []);
    encoder.responseBytes(id, Buffer.from(body), 1);
  }
  function end(id: number): void {
    log.end(id);
    encoder.close(id, { time: 2 });
    encoder.flush?.();
  }
  return { log, encoder, begin, end };
}

function exchangesIn(frames: readonly Uint8Array[]): Exchange[] {
  const exchanges: Exchange[] = [];
  const collector = collectExchanges((exchange) => exchanges.push(structuredClone(exchange)));
  const decoder = createFrameDecoder(collector);
  for (const bytes of frames) decoder.add(bytes);
  decoder.decode();
  collector.endOpen();
  return exchanges;
}

const summaryOf = (frames: readonly Uint8Array[]): string[] =>
  exchangesIn(frames).map(
    ({ request, response, aborted }) => `${request.target} ${response!.body.length} ${aborted ?? "whole"}`,
  );

const sizeOf = (frames: readonly Uint8Array[]): number => frames.reduce((sum, { length }) => sum + length, 0);

test("frames of exchanges that are not acknowledged come back in order, small and large payloads alike", () => {
  const { log, encoder, begin, end } = loggingObserver();
  begin(1, "one");
  begin(2, Buffer.alloc(100_000, 2));
  begin(3, "three");
  encoder.look("{}");
  end(3);
  end(1);
  expect(summaryOf(log.frames())).toEqual(["/3 5 whole", "/1 3 whole", "/2 100000 client"]);
  log.acknowledge(1);
  begin(4, Buffer.alloc(8 << 10, 4));
  end(4);
  end(2);
  expect(summaryOf(log.frames())).toEqual(["/1 3 whole", "/4 8192 whole", "/2 100000 whole"]);
  log.acknowledge(2);
  expect(summaryOf(log.frames())).toEqual(["/2 100000 whole"]);
  expect([log.count(), log.largest()]).toEqual([1, 2]);
  log.forget(2);
  expect([log.frames(), log.count(), log.largest()]).toEqual([[], 0, undefined]);
});

test("an exchange that stays open while a hundred thousand others pass takes no more than its own bytes", () => {
  const { log, begin, end, encoder } = loggingObserver();
  begin(0, "x".repeat(1_000));
  for (let id = 1; id <= 100_000; id++) {
    begin(id, id % 1_000 === 0 ? Buffer.alloc(50_000) : "y".repeat(100));
    if (id % 10 === 0) encoder.responseBytes(0, Buffer.from("z"), id);
    end(id);
    log.acknowledge(1);
  }
  end(0);
  const frames = log.frames();
  expect(summaryOf(frames)).toEqual(["/0 11000 whole"]);
  expect(sizeOf(frames)).toBeLessThan(200_000);
});

test("frames that were returned never change, whatever is added to the log later", () => {
  const { log, begin, end } = loggingObserver();
  begin(1, "a".repeat(500));
  end(1);
  const frames = log.frames();
  const before = Buffer.concat(frames);
  for (let id = 2; id < 30_000; id++) {
    begin(id, "b".repeat(500));
    end(id);
    log.acknowledge(1);
  }
  expect(Buffer.concat(frames).equals(before)).toBe(true);
});
