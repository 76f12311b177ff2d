/** Reads server-sent events for the proof client, with the mistakes that readers make. */
import type { Has } from "./faults.ts";

export interface ReadEvent {
  readonly event: string;
  readonly data: string;
}

/** Characters of a line that a client takes. */
const maxLine = 8 << 20;

/** A reader of bytes as they come. */
export interface EventsReader {
  push(bytes: Uint8Array): ReadEvent[];
  end(): ReadEvent[];
}

interface Block {
  data: string[];
  event: string;
  hasId: boolean;
  hasComment: boolean;
  hasField: boolean;
}

const newBlock = (): Block => ({ data: [], event: "", hasId: false, hasComment: false, hasField: false });

const known = new Set(["data", "event", "id", "retry"]);

/** The end of a line. */
function lineEnds(has: Has): RegExp {
  if (has("split-at-lf-lf") || has("no-crlf")) return /\n/g;
  if (has("split-at-unicode")) return /\r\n|[\n\r\u2028\u2029\u0085]/g;
  return has("no-cr") ? /\r?\n/g : /\r\n|\n|\r/g;
}

export function createEventsReader(has: Has): EventsReader {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: has("bom-kept") });
  const ends = lineEnds(has);
  let text = "";
  let block = newBlock();
  let isOver = false;
  /** How much of the text holds no end of a line. */
  let searched = 0;

  function close(): ReadEvent[] {
    const { data, event, hasId, hasComment, hasField } = block;
    block = newBlock();
    if (has("retry-line-fails") && data.length === 0 && hasField) throw new Error("an event has no data");
    if (data.length === 0) return [];
    if ((has("id-drops-event") && hasId) || (has("comment-drops-event") && hasComment)) return [];
    return [{ event, data: has("first-data-line") ? data[0]! : data.join("\n") }];
  }

  function takeLine(line: string): ReadEvent[] {
    if (line === "") return close();
    if (has("drops-beyond-64k") && line.length > 1 << 16) return [];
    if (line.startsWith(":")) {
      block.hasComment = true;
      if (has("comment-as-data")) block.data.push(line);
      return [];
    }
    const at = line.indexOf(":");
    const name = at < 0 ? line : line.slice(0, at);
    const rest = at < 0 ? "" : line.slice(at + 1);
    if (!known.has(name)) {
      if (has("unknown-field-fails")) throw new Error(`unknown field ${name.slice(0, 20)}`);
      return [];
    }
    block.hasField = true;
    if (name === "data" && has("blank-required") && !rest.startsWith(" ")) return [];
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (name === "data") block.data.push(value);
    else if (name === "event") block.event = value;
    else if (name === "id") block.hasId = true;
    return [];
  }

  function take(all: boolean): ReadEvent[] {
    const found: ReadEvent[] = [];
    let from = 0;
    ends.lastIndex = Math.max(0, searched - 1);
    for (let match = ends.exec(text); match; match = ends.exec(text)) {
      // A CR at the very end may be the first half of a CR LF.
      if (match[0] === "\r" && match.index === text.length - 1 && !all) break;
      found.push(...takeLine(text.slice(from, match.index)));
      from = ends.lastIndex;
    }
    text = text.slice(from);
    searched = text.length;
    if (text.length > maxLine) throw new Error("a line of the stream is too long");
    return found;
  }

  return {
    push(bytes) {
      if (isOver) return [];
      const decoded = has("decoder-per-chunk")
        ? new TextDecoder().decode(bytes)
        : decoder.decode(bytes, { stream: true });
      text += decoded;
      if (has("end-marker-in-text") && text.includes("[DONE]")) {
        isOver = true;
        const before = text.slice(0, text.indexOf("[DONE]"));
        text = before.slice(0, before.lastIndexOf("\n\n") + 2);
        searched = 0;
        return [...take(false), { event: "", data: "[DONE]" }];
      }
      if (!has("chunk-is-event")) return take(false);
      const found = [...take(true), ...(text === "" ? [] : takeLine(text)), ...close()];
      text = "";
      searched = 0;
      return found;
    },
    end() {
      text += decoder.decode();
      const found = take(true);
      // Lines that no blank line closes are no event, except for lenient readers.
      return isOver ? [] : [...found, ...(text === "" ? [] : takeLine(text)), ...close()];
    },
  };
}
