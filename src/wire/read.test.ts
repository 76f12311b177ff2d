/** How much of a stream is read: real ones whole, and floods of events without content in part. */
import { expect, test } from "vitest";
import { lastLineEnd } from "./read.ts";

const streamOf = (event: string, events: number): Buffer => Buffer.from(event.repeat(events));

test("streams as services send them are read whole, however long", () => {
  const event = `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}\n\n`;
  expect(lastLineEnd(streamOf(event, 300_000))).toBeUndefined();
  expect(lastLineEnd(streamOf("data:{}\n\n", 50_000))).toBeUndefined();
});

test.each([["data:{}\n\n"], ["data:x\n\n"], [":\n"], ["\r\n"]])("of a flood of %j the beginning is read", (event) => {
  const bytes = streamOf(event, 8_000_000 / event.length);
  const end = lastLineEnd(bytes)!;
  expect(bytes.subarray(0, end).toString().match(/\n/g)!.length).toBe(Math.floor(100_000 + bytes.length / 32) + 1);
});
