/** A tape as bytes, so that another process can take it over: frames of a kind, an exchange, a time and a payload. */
import type { Tape } from "../proxy/observer.ts";

export const kinds = ["open", "requestBytes", "responseHead", "responseBytes", "close"] as const;
const [open, requestBytes, responseHead, responseBytes, close] = [0, 1, 2, 3, 4];

/** Kind (1 byte), exchange (4), hundredths of a millisecond (4), payload length (4). */
export const headLength = 13;

/** What frames are written to. A call hands the bytes on before it returns, where there is room. */
export interface FrameSink {
  write(bytes: Uint8Array): unknown;
  cork(): void;
  uncork(): void;
  /** Whether everything that was written is handed on: its memory may be used again. */
  empty(): boolean;
  /** A promise, never rejected, that it will be so. */
  emptied(): Promise<void>;
}

/** Frames are put together in pieces of memory of this size; payloads from `lent` on are handed over as they are. */
const slabSize = 64 << 10;
const lent = 8 << 10;

/** Stands between the fields of a head, which are lines or parts of lines: none holds it. A reason may hold any other character. */
export const separator = "\n";

/** Milliseconds that frames may wait for more, where no client is about to see what they tell. */
const gathering = 10;

/**
 * A tape that writes frames, many in one call: when it is asked what is pending, before clients see it, or a little later.
 * Heads travel as Latin-1, which is how Node reads them.
 */
export function frameWriter(sink: FrameSink): Tape {
  let slab = Buffer.allocUnsafeSlow(slabSize);
  /** Bytes of the slab up to `from` were handed over, those up to `to` are taken. */
  let from = 0;
  let to = 0;
  let pieces: Uint8Array[] = [];
  let lentBytes = 0;
  let due = false;

  /** Moves what the slab holds to the pieces. */
  function cut(): void {
    if (to > from) pieces.push(slab.subarray(from, to));
    from = to;
  }

  function sync(): void {
    cut();
    if (pieces.length === 0) return;
    const all = pieces;
    pieces = [];
    lentBytes = 0;
    if (all.length === 1) sink.write(all[0]!);
    else {
      sink.cork();
      for (const piece of all) sink.write(piece);
      sink.uncork();
    }
    if (sink.empty()) from = to = 0;
  }

  /** Makes room, writes a frame's head. */
  function begin(kind: number, id: number, at: number, length: number, room: number): void {
    if (slabSize - to < headLength + room) sync();
    if (slabSize - to < headLength + room) {
      slab = Buffer.allocUnsafeSlow(Math.max(slabSize, headLength + room));
      from = to = 0;
    }
    slab[to] = kind;
    slab.writeUInt32LE(id >>> 0, to + 1);
    slab.writeUInt32LE(Math.min(Math.round(at * 100), 0xffffffff), to + 5);
    slab.writeUInt32LE(length, to + 9);
    to += headLength;
    if (due) return;
    due = true;
    setTimeout(() => {
      due = false;
      sync();
    }, gathering);
  }

  function addBytes(kind: number, id: number, bytes: Uint8Array, at: number): void {
    const { length } = bytes;
    if (length < lent) {
      begin(kind, id, at, length, length);
      slab.set(bytes, to);
      to += length;
    } else {
      begin(kind, id, at, length, 0);
      cut();
      pieces.push(bytes);
      lentBytes += length;
      if (lentBytes >= slabSize) sync();
    }
  }

  function addText(kind: number, id: number, text: string, at = 0): void {
    begin(kind, id, at, text.length, text.length);
    to += slab.write(text, to, "latin1");
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
      // Most ends say nothing but when.
      const plain = Object.keys(rest).length === 0;
      const text = plain ? "" : Buffer.from(JSON.stringify(ending)).toString("latin1");
      addText(close, id, text, time);
    },
    pending() {
      sync();
      return sink.empty() ? undefined : sink.emptied();
    },
  };
}
