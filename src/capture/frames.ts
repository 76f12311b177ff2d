/** A tape as bytes, so that another process can take it over: frames of a kind, an exchange, a time and a payload. */
import type { Tape } from "./tape.ts";

const kinds = ["open", "requestBytes", "responseHead", "responseBytes", "close"] as const;
type Kind = (typeof kinds)[number];

/** Kind (1 byte), exchange (4), hundredths of a millisecond (4), payload length (4). */
const headLength = 13;

function headOf(kind: Kind, id: number, at: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(headLength);
  head.writeUInt8(kinds.indexOf(kind), 0);
  head.writeUInt32LE(id >>> 0, 1);
  head.writeUInt32LE(Math.min(Math.round(at * 100), 0xffffffff), 5);
  head.writeUInt32LE(length, 9);
  return head;
}

/** What frames are written to. A call hands the bytes on before it returns, where there is room. */
export interface FrameSink {
  write(bytes: Uint8Array): unknown;
  cork(): void;
  uncork(): void;
  /** A promise, never rejected, while some of what was written is not handed on. */
  pending(): Promise<void> | undefined;
}

/** Batches below this are copied into one piece, which is cheaper than handing over many. */
const copied = 16 << 10;

/**
 * A tape that writes frames. What a client is about to see goes out before: the end of an exchange at once, the bytes
 * of a response at the end of the turn, when the client's own socket is written to. The request's may wait a little.
 */
export function frameWriter(sink: FrameSink): Tape {
  let batch: Uint8Array[] = [];
  let size = 0;
  let due: "turn" | "soon" | undefined;

  function flush(): void {
    due = undefined;
    if (batch.length === 0) return;
    const pieces = batch;
    const total = size;
    batch = [];
    size = 0;
    if (total <= copied) return void sink.write(Buffer.concat(pieces, total));
    sink.cork();
    for (const piece of pieces) sink.write(piece);
    sink.uncork();
  }

  function add(kind: Kind, id: number, payload: Uint8Array, at = 0): void {
    batch.push(headOf(kind, id, at, payload.length), payload);
    size += headLength + payload.length;
    if (kind === "responseBytes" && due !== "turn") {
      due = "turn";
      process.nextTick(flush);
    } else if (due === undefined) {
      due = "soon";
      setImmediate(flush);
    }
  }

  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  return {
    open: (id, opening) => add("open", id, json(opening)),
    requestBytes: (id, bytes) => add("requestBytes", id, bytes),
    responseHead: (id, status, reason, headers) => add("responseHead", id, json({ status, reason, headers })),
    responseBytes: (id, bytes, at) => add("responseBytes", id, bytes, at),
    close(id, ending) {
      add("close", id, json(ending));
      flush();
    },
    pending() {
      flush();
      return sink.pending();
    },
  };
}

/** Plays frames onto a tape; the function returned takes them cut anywhere. */
export function frameReader(tape: Tape): (bytes: Uint8Array) => void {
  let rest: Buffer = Buffer.alloc(0);

  function play(kind: Kind, id: number, at: number, payload: Buffer): void {
    if (kind === "requestBytes") return void tape.requestBytes(id, payload);
    if (kind === "responseBytes") return void tape.responseBytes(id, payload, at);
    const value = JSON.parse(payload.toString("utf8"));
    if (kind === "open") tape.open(id, value);
    else if (kind === "close") tape.close(id, value);
    else tape.responseHead(id, value.status, value.reason, value.headers);
  }

  return (bytes) => {
    rest = rest.length === 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : Buffer.concat([rest, bytes]);
    let from = 0;
    while (rest.length - from >= headLength) {
      const end = from + headLength + rest.readUInt32LE(from + 9);
      if (end > rest.length) break;
      const kind = kinds[rest.readUInt8(from)];
      if (kind === undefined) throw new Error("these bytes are no frames");
      play(kind, rest.readUInt32LE(from + 1), rest.readUInt32LE(from + 5) / 100, rest.subarray(from + headLength, end));
      from = end;
    }
    rest = rest.subarray(from);
  };
}
