/** Reads JSON lines and JSON text sequences (RFC 7464) as events, which a media type chooses over server-sent events. */
import { viewOf } from "./bytes.ts";
import { mediaType } from "./headers.ts";
import { parseJson } from "./json.ts";
import type { SseEvent, SseReading } from "./sse.ts";

const lineTypes = new Set(["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl"]);
const sequence = "application/json-seq";

/** Whether a Content-Type value says that each line, or each record of a sequence, is JSON. */
export const isJsonLines = (contentType: string | undefined): boolean => {
  const media = mediaType(contentType);
  return media !== undefined && (media === sequence || lineTypes.has(media));
};

const lf = 10;
const recordSeparator = 0x1e;
const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 9 || byte === 13 || byte === lf;

/** One event for each line that is not blank. A last line without a line feed is open unless it is JSON. */
export function parseJsonLines(bytes: Uint8Array, contentType: string | undefined): SseReading {
  const end = mediaType(contentType) === sequence ? recordSeparator : lf;
  const body = viewOf(bytes);
  const events: SseEvent[] = [];
  let from = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  while (from < body.length) {
    const found = body.indexOf(end, from);
    let to = found < 0 ? body.length : found;
    const next = to + 1;
    while (from < to && (isBlank(body[from]) || body[from] === recordSeparator)) from++;
    while (to > from && isBlank(body[to - 1])) to--;
    if (to > from) events.push({ data: body.toString("utf8", from, to), offset: from });
    from = next;
  }
  const last = events.at(-1);
  const isClosed = last === undefined || body.at(-1) === lf || body.at(-1) === end || parseJson(last.data).ok;
  return { events, terminated: isClosed, open: !isClosed, comments: [], quotes: false };
}
