/** How much of a stream is read: real ones whole, and floods of events without content in part. */
import { expect, test } from "vitest";
import { lastLineEnd } from "./read.ts";

const streamOf = (event: string, events: number): Buffer => Buffer.from(event.repeat(events));

test("streams as services send them are read whole, however long", () => {
  const event = `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}\n\n`;
  expect(lastLineEnd(streamOf(event, 300_000))).toBeUndefined();
  expect(lastLineEnd(streamOf("data:{}\n\n", 50_000))).toBeUndefined();
});

test.each(["data:{}\n\n", "data:x\n\n", "data\r\n"])("of a flood of %j the beginning is read", (event) => {
  const bytes = streamOf(event, 8_000_000 / event.length);
  const read = bytes.subarray(0, lastLineEnd(bytes)).length / event.length;
  expect(Math.round(read)).toBe(Math.floor(50_000 + bytes.length / 64) + 1);
});

test("of comments and blank lines a million is read", () => {
  for (const line of [":\n", "\n"]) {
    expect(lastLineEnd(streamOf(line, 1_000_000))).toBeUndefined();
    expect(lastLineEnd(streamOf(line, 1_000_002))).toBe(1_000_001 * line.length);
  }
});
