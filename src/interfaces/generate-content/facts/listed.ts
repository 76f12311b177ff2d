/** Reads a streamed reply that came as one JSON list, which is what a request without `alt=sse` gets, as a stream of events. */
import { utf8 } from "../../../wire/build.ts";
import { decodeContent } from "../../../wire/encoding.ts";
import type { ChunkMark, Exchange } from "../../../wire/exchange.ts";
import { headerValue, mediaType } from "../../../wire/headers.ts";

const streamed = /:streamGenerateContent(?=$|\?)/;

/** Where each whole item of a list begins and ends, in bytes; also of a list that breaks off. */
function itemsIn(bytes: Uint8Array): (readonly [from: number, to: number])[] {
  const items: [number, number][] = [];
  const [quote, backslash, open, close] = [0x22, 0x5c, 0x7b, 0x7d];
  let depth = 0;
  let from = 0;
  let isInText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (isInText) {
      if (byte === backslash) i++;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === open && depth++ === 0) from = i;
    else if (byte === close && --depth === 0) items.push([from, i + 1]);
  }
  return items;
}

/** When the bytes at ascending positions came. */
function timesAt(chunks: readonly ChunkMark[], positions: readonly number[]): number[] {
  let next = 0;
  let end = 0;
  return positions.map((position) => {
    while (next < chunks.length && end < position) end += chunks[next++]![1];
    return chunks[Math.max(0, next - 1)]?.[0] ?? 0;
  });
}

/** The exchange with its list as events that came when their items were whole; any other exchange as it is. */
export function withListedEvents(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  if (!response || response.status >= 300 || !streamed.test(request.target)) return exchange;
  if (mediaType(headerValue(response.headers, "content-type")) !== "application/json") return exchange;
  const coding = headerValue(response.headers, "content-encoding");
  const decoded = decodeContent(response.body, coding);
  if (!decoded.ok) return exchange;
  const { bytes } = decoded;
  const items = itemsIn(bytes);
  if (items.length === 0 || !Buffer.from(bytes.subarray(0, items[0]![0])).toString("utf8").includes("["))
    return exchange;
  const events = items.map(([from, to]) =>
    Buffer.concat([utf8("data: "), oneLine(bytes.subarray(from, to)), utf8("\n\n")]),
  );
  const { chunks } = response;
  const ends = items.map(([, to]) => to);
  const isKnown = chunks !== undefined && bytes.length === response.body.length;
  const { chunks: _chunks, ...rest } = response;
  return {
    ...exchange,
    request: { ...request, target: `${request.target}${request.target.includes("?") ? "&" : "?"}alt=sse` },
    response: {
      ...rest,
      headers: [["content-type", "text/event-stream"]],
      body: Buffer.concat(events),
      ...(isKnown && { chunks: timesAt(chunks, ends).map((at, i) => [at, events[i]!.length] as const) }),
    },
  };
}

/** JSON without the breaks of lines that stand between its tokens; within texts JSON has none. */
const oneLine = (bytes: Uint8Array): Uint8Array => bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d);
