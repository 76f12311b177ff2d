/** A stream's events as a page shows them: when each came, and what it says. */
import type { ChunkMark } from "../wire/exchange.ts";
import { maxValues, parseJson } from "../wire/json.ts";
import { parseJsonLines } from "../wire/json-lines.ts";
import { isWord, lastLineEnd } from "../wire/read.ts";
import { parseEvents, type SseEvent } from "../wire/sse.ts";
import type { Bounds } from "./bounds.ts";
import { decodedText, shortJson, shortText } from "./text.ts";
import type { ViewedBody, ViewedEvent } from "./viewed.ts";

/** When the byte before each position had come; asked for positions that grow. */
function createClock(chunks: readonly ChunkMark[] | undefined): (end: number) => number | undefined {
  let next = 0;
  let reached = 0;
  let time: number | undefined;
  return (end) => {
    for (; chunks && next < chunks.length && reached < end; next++) {
      reached += chunks[next]![1];
      time = chunks[next]![0];
    }
    return time;
  };
}

/** The listed ones of many events: the first and the last, and some around each that is wanted. */
function listed(count: number, max: number, wanted: ReadonlySet<number>): (position: number) => boolean {
  if (count <= max) return () => true;
  const near = new Set<number>();
  for (const one of wanted) for (let at = one - 10; at <= one + 10 && near.size < max; at++) near.add(at);
  return (position) => position < max / 2 || position >= count - max / 4 || near.has(position);
}

/** The bytes of an event's data show what the reader has replaced; of data in several lines, the lines. */
function dataBytes(bytes: Uint8Array, { data, offset }: SseEvent, end: number): Uint8Array | undefined {
  if (!data.includes("\ufffd") || data.includes("\n")) return undefined;
  const block = Buffer.from(bytes.subarray(offset, end));
  const line = /(?:^|[\r\n])data: ?/.exec(block.toString("latin1"));
  if (!line) return undefined;
  const from = line.index + line[0].length;
  const to = block.subarray(from).findIndex((byte) => byte === 10 || byte === 13);
  return block.subarray(from, to < 0 ? block.length : from + to);
}

/** Which events are shown, and how they are framed. */
interface Shown {
  /** Positions of events that are not to be left out. */
  readonly wanted?: ReadonlySet<number> | undefined;
  /** The media type of JSON lines. */
  readonly lines?: string | undefined;
}

/**
 * @param chunks how the bytes came; undefined where their content encoding was undone
 */
export function viewedEvents(
  bytes: Uint8Array,
  chunks: readonly ChunkMark[] | undefined,
  bounds: Bounds,
  { wanted = new Set(), lines }: Shown = {},
): Extract<ViewedBody, { kind: "stream" }> {
  const end = lastLineEnd(bytes);
  const read = end === undefined ? bytes : bytes.subarray(0, end);
  const { events, terminated } = lines === undefined ? parseEvents(read) : parseJsonLines(read, lines);
  const isListed = listed(events.length, bounds.events, wanted);
  const timeAt = createClock(chunks);
  const shown: ViewedEvent[] = [];
  for (const [position, one] of events.entries()) {
    if (!isListed(position)) continue;
    const next = events[position + 1]?.offset ?? bytes.length;
    const time = timeAt(next);
    const raw = dataBytes(bytes, one, next);
    const text = raw ? decodedText(raw) : { text: one.data };
    const json = parseJson(one.data, maxValues);
    const isJson = json.ok || json.beyond === true;
    shown.push({
      position,
      ...(time !== undefined && { time }),
      ...(one.event !== undefined && { event: one.event }),
      ...(one.id !== undefined && { id: one.id }),
      ...(one.retry !== undefined && { retry: one.retry }),
      ...(!isJson && !isWord(one.data) && { problem: json.problem }),
      ...(isJson ? shortJson(text, bounds) : shortText(text, bounds)),
    });
  }
  return { kind: "stream", count: events.length, events: shown, terminated: terminated && end === undefined };
}
