/** Reads server-sent events as the WHATWG algorithm does, whole or as they come, and keeps where each one stood. */

import { isAscii } from "node:buffer";
import { viewOf } from "./bytes.ts";

export interface SseEvent {
  /** The `event:` field; undefined when absent or empty. */
  readonly event?: string;
  /** The `data:` lines joined with a line feed. */
  readonly data: string;
  /** First byte of the event's block in the decoded body. */
  readonly offset: number;
  /** The block's own `id:` field. */
  readonly id?: string;
  /** The block's `retry:` field in milliseconds, where it is digits only. */
  readonly retry?: number;
}

export interface SseReading {
  readonly events: readonly SseEvent[];
  /** False when the last event lacks its closing blank line. */
  readonly terminated: boolean;
  /** True when the last of `events` was given because the body ended, not because a blank line closed it. */
  readonly open: boolean;
  /** First byte of every comment line. */
  readonly comments: readonly number[];
  /** Whether a line that is no data holds a quote. */
  readonly quotes: boolean;
}

export interface EventReader {
  /** Takes the next bytes of the body and gives the events whose closing blank line they brought. */
  push(bytes: Uint8Array): SseEvent[];
  /** Ends the body: gives an event still open, and whether all was closed. */
  end(): SseReading;
}

/** Bytes that hold whole lines, and the same as text with one character a byte, so that positions agree. */
interface Piece {
  readonly bytes: Buffer;
  readonly text: string;
  readonly ascii: boolean;
  /** The first quote from where it was last looked for; past the end where there is none. Looked for anew only behind it. */
  quote: number;
  /** Position of the piece's first byte in the body. */
  readonly base: number;
}

interface Block {
  /** The position of its first line; -1 before that. */
  start: number;
  /** Whether a field of an event was seen, so that an end of the body now cuts the event. */
  begun: boolean;
  data: string | undefined;
  /** Further data lines; joined once, since an event may have a million of them. */
  more: string[];
  event: string | undefined;
  id: string | undefined;
  retry: number | undefined;
}

const lf = 10;
const fields = ["data", "event", "id", "retry"] as const;
/** Longest run of bytes looked at in one go, so that no text reaches the engine's length limit. */
const stride = 1 << 26;

const newBlock = (): Block => ({
  start: -1,
  begun: false,
  data: undefined,
  more: [],
  event: undefined,
  id: undefined,
  retry: undefined,
});

/** The text of some bytes; ASCII, the usual case, is a cut from a text that exists already. */
function pieceText({ bytes, text, ascii }: Piece, from: number, to: number): string {
  return ascii ? text.slice(from, to) : bytes.toString("utf8", from, to);
}

function quoteFrom(text: string, from: number): number {
  const at = text.indexOf('"', from);
  return at < 0 ? text.length : at;
}

/** A reader for bytes as they come, however they are cut; it keeps no reference to what it is given. */
export function createEventReader(): EventReader {
  const comments: number[] = [];
  let ready: SseEvent[] = [];
  let block = newBlock();
  /** Bytes of all pieces so far. */
  let consumed = 0;
  /** The unfinished last line, in the pieces it came in, and where it starts. */
  let open: Buffer[] = [];
  let openAt = 0;
  let afterCr = false;
  let quotes = false;

  const closeBlock = (): void => {
    const { data, more, event, id, retry, start } = block;
    if (data !== undefined) {
      const made: { -readonly [K in keyof SseEvent]: SseEvent[K] } = {
        data: more.length === 0 ? data : `${data}\n${more.join("\n")}`,
        offset: start,
      };
      if (event) made.event = event;
      if (id !== undefined) made.id = id;
      if (retry !== undefined) made.retry = retry;
      ready.push(made);
    }
    if (start >= 0) block = newBlock();
  };

  const takeField = (name: (typeof fields)[number], value: string): void => {
    block.begun = true;
    if (name === "data") {
      if (block.data === undefined) block.data = value;
      else block.more.push(value);
    } else if (name === "event") block.event = value;
    else if (name === "id") {
      if (!value.includes("\0")) block.id = value;
    } else if (/^[0-9]+$/.test(value)) block.retry = Number(value);
  };

  const takeLine = (piece: Piece, from: number, to: number): void => {
    const { text, base } = piece;
    if (base + from === 0 && text.startsWith("\u00ef\u00bb\u00bf", from)) from += 3;
    if (from === to) {
      closeBlock();
      return;
    }
    if (block.start < 0) block.start = base + from;
    const first = text.charCodeAt(from);
    if (first !== 100 && !quotes) {
      if (piece.quote < from) piece.quote = quoteFrom(text, from);
      quotes = piece.quote < to;
    }
    if (first === 58) {
      comments.push(base + from);
      return;
    }
    const name = first === 100 ? "data" : first === 101 ? "event" : first === 105 ? "id" : "retry";
    if (!text.startsWith(name, from)) return void (quotes ||= first === 100);
    let at = from + name.length;
    if (at < to) {
      if (text.charCodeAt(at) !== 58) return void (quotes ||= first === 100);
      if (text.charCodeAt(++at) === 32 && at < to) at++;
    }
    takeField(name, pieceText(piece, at, to));
  };

  const pieceOf = (bytes: Buffer, base: number): Piece => ({
    bytes,
    text: bytes.toString("latin1"),
    ascii: isAscii(bytes),
    quote: -1,
    base,
  });

  const take = (bytes: Buffer): void => {
    const piece = pieceOf(bytes, consumed);
    const { text } = piece;
    consumed += bytes.length;
    let from = 0;
    if (afterCr && bytes.length > 0) {
      if (bytes[0] === lf) from = 1;
      afterCr = false;
    }
    // Both are remembered until passed, so that a body without one of them is searched for it only once.
    let nextLf = text.indexOf("\n", from);
    let nextCr = text.indexOf("\r", from);
    while (nextLf >= 0 || nextCr >= 0) {
      const isCr = nextCr >= 0 && (nextLf < 0 || nextCr < nextLf);
      const end = isCr ? nextCr : nextLf;
      if (open.length > 0) {
        const line = Buffer.concat([...open, bytes.subarray(from, end)]);
        open = [];
        takeLine(pieceOf(line, openAt), 0, line.length);
      } else takeLine(piece, from, end);
      from = end + 1;
      if (isCr) {
        if (from === bytes.length) afterCr = true;
        else if (text.charCodeAt(from) === lf) from++;
        nextCr = text.indexOf("\r", from);
      }
      if (nextLf >= 0 && nextLf < from) nextLf = text.indexOf("\n", from);
    }
    if (from < bytes.length) {
      if (open.length === 0) openAt = piece.base + from;
      open.push(Buffer.from(bytes.subarray(from)));
    }
  };

  return {
    push(bytes) {
      const view = viewOf(bytes);
      for (let from = 0; from < view.length; from += stride) take(view.subarray(from, from + stride));
      const events = ready;
      ready = [];
      return events;
    },
    end() {
      let torn = false;
      if (open.length > 0) {
        const line = Buffer.concat(open);
        const start = line.toString("latin1", 0, 8);
        torn = fields.some((name) => name.startsWith(start));
        open = [];
        takeLine(pieceOf(line, openAt), 0, line.length);
      }
      const terminated = !torn && !block.begun;
      closeBlock();
      const events = ready;
      ready = [];
      return { events, terminated, open: events.length > 0, comments, quotes };
    },
  };
}

/** Reads a whole decoded body. An event that lacks its closing blank line is given as well. */
export function parseEvents(body: Uint8Array): SseReading {
  const reader = createEventReader();
  const events = reader.push(body);
  const { events: last, ...rest } = reader.end();
  return { ...rest, events: last.length > 0 ? [...events, ...last] : events };
}
