/** Encodes what passes as frames, so that another process can take it over. */
import type { ExchangeObserver } from "../../proxy/observer.ts";
import { type FrameReceiver, headLength, separator } from "./frames.ts";

/** Positions in `frameKinds`. */
const [open, requestBytes, responseHead, responseBytes, close, look] = [0, 1, 2, 3, 4, 5];

/** The sink of frames. A call hands the bytes on before it returns, where there is room. */
export interface FrameSink {
  /** @param isStable whether the bytes never change; otherwise they may once all is handed on */
  write(bytes: Uint8Array, isStable: boolean): unknown;
  cork(): void;
  uncork(): void;
  /** Whether everything that was written is handed on: its memory may be used again. */
  empty(): boolean;
  /** A promise, never rejected, that it will be so. */
  emptied(): Promise<void>;
}

/** Frames are put together in a buffer of this size; payloads of `lentFrom` bytes and more are handed over as they are. */
const bufferSize = 64 << 10;
const lentFrom = 8 << 10;

/** Milliseconds that frames may wait for more, where no client is about to see what they say. */
const gathering = 10;

/**
 * An observer that writes frames, many in one call: when it is flushed, before clients see what they say, or a little later.
 * Heads travel as Latin-1, which is how Node reads them.
 */
export function createFrameEncoder(sink: FrameSink): ExchangeObserver & Required<Pick<FrameReceiver, "look">> {
  let buffer = Buffer.allocUnsafeSlow(bufferSize);
  /** Bytes of the buffer up to `from` were handed over, those up to `to` are taken. */
  let from = 0;
  let to = 0;
  let pieces: Uint8Array[] = [];
  let lentBytes = 0;
  let due = false;

  /** Moves what stands in the buffer to the pieces. */
  function takeBuffered(): void {
    if (to > from) pieces.push(buffer.subarray(from, to));
    from = to;
  }

  function writePieces(): void {
    takeBuffered();
    if (pieces.length === 0) return;
    const all = pieces;
    pieces = [];
    lentBytes = 0;
    const write = (piece: Uint8Array): unknown => sink.write(piece, piece.buffer !== buffer.buffer);
    if (all.length === 1) write(all[0]!);
    else {
      sink.cork();
      for (const piece of all) write(piece);
      sink.uncork();
    }
    if (sink.empty()) from = to = 0;
  }

  /** Makes room, writes a frame's head. */
  function begin(kind: number, id: number, at: number, length: number, room: number): void {
    if (bufferSize - to < headLength + room) writePieces();
    if (bufferSize - to < headLength + room) {
      buffer = Buffer.allocUnsafeSlow(Math.max(bufferSize, headLength + room));
      from = to = 0;
    }
    buffer[to] = kind;
    buffer.writeUInt32LE(id >>> 0, to + 1);
    buffer.writeUInt32LE(Math.min(Math.round(at * 100), 0xffffffff), to + 5);
    buffer.writeUInt32LE(length, to + 9);
    to += headLength;
    if (due) return;
    due = true;
    setTimeout(() => {
      due = false;
      writePieces();
    }, gathering);
  }

  function addBytes(kind: number, id: number, bytes: Uint8Array, at: number): void {
    const { length } = bytes;
    if (length < lentFrom) {
      begin(kind, id, at, length, length);
      buffer.set(bytes, to);
      to += length;
    } else {
      begin(kind, id, at, length, 0);
      takeBuffered();
      pieces.push(bytes);
      lentBytes += length;
      if (lentBytes >= bufferSize) writePieces();
    }
  }

  function addText(kind: number, id: number, text: string, at = 0): void {
    begin(kind, id, at, text.length, text.length);
    to += buffer.write(text, to, "latin1");
  }

  return {
    open(id, { started, origin = "", method, target, headers }) {
      addText(open, id, [started, origin, method, target, ...headers].join(separator));
    },
    requestBytes: (id, bytes) => addBytes(requestBytes, id, bytes, 0),
    responseHead: (id, status, reason, headers) =>
      addText(responseHead, id, [status, reason, ...headers].join(separator)),
    responseBytes: (id, bytes, at) => addBytes(responseBytes, id, bytes, at),
    close(id, ending) {
      const { time, ...rest } = ending;
      // Most endings have no member but the time.
      const plain = Object.keys(rest).length === 0;
      const text = plain ? "" : Buffer.from(JSON.stringify(ending)).toString("latin1");
      addText(close, id, text, time);
    },
    look: (question) => addText(look, 0, Buffer.from(question).toString("latin1")),
    flush() {
      writePieces();
      return sink.empty() ? undefined : sink.emptied();
    },
  };
}
