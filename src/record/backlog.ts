/** Frames that came and were not played yet: as bytes, which take the least memory, in a few slabs used again and again. */

import type { Tape } from "../proxy/observer.ts";
import { headLength, kinds, separator } from "./frames.ts";

export interface Backlog {
  /** Takes the next bytes, cut anywhere. They are lent, not kept. */
  add(bytes: Uint8Array): void;
  /** Plays frames in order, until `enough` or no more are whole. Throws where the bytes are no frames. */
  play(enough?: () => boolean): void;
  /** Whether there may be whole frames to play. */
  waits(): boolean;
  /** Bytes that were not played. */
  size(): number;
}

/** Bytes between `from` and `to` were not played. */
interface Slab {
  readonly bytes: Buffer;
  from: number;
  to: number;
}

const slabSize = 512 << 10;
/** Room before what a slab is filled with, for the start of a frame that ends in it. */
const headroom = 80 << 10;
/** Memory that is kept for what comes next. */
const mostSpare = 16;
/** No frame is larger: payloads are what one read of a socket gave, or a message's head. */
const mostPayload = 32 << 20;

/** Plays the frame that stands from `from` to `end`. */
function playFrame(tape: Tape, bytes: Buffer, from: number, end: number): void {
  const kind = kinds[bytes[from]!];
  const id = bytes.readUInt32LE(from + 1);
  const at = bytes.readUInt32LE(from + 5) / 100;
  const start = from + headLength;
  if (kind === "requestBytes") return void tape.requestBytes(id, bytes.subarray(start, end));
  if (kind === "responseBytes") return void tape.responseBytes(id, bytes.subarray(start, end), at);
  if (kind === "close")
    return void tape.close(id, start === end ? { time: at } : JSON.parse(bytes.toString("utf8", start, end)));
  const fields = bytes.toString("latin1", start, end).split(separator);
  if (kind === "responseHead") return void tape.responseHead(id, Number(fields[0]), fields[1]!, fields.slice(2));
  const [started, origin, method, target] = fields as [string, string, string, string];
  const opening = { started: Number(started), method, target, headers: fields.slice(4) };
  tape.open(id, origin === "" ? opening : { ...opening, origin });
}

/** A backlog of what is played onto a tape. */
export function createBacklog(tape: Tape): Backlog {
  const slabs: Slab[] = [];
  const spare: Buffer[] = [];
  let size = 0;
  let fresh = false;

  function begin(): Slab {
    const bytes = spare.pop() ?? Buffer.allocUnsafeSlow(slabSize);
    const slab = { bytes, from: headroom, to: headroom };
    slabs.push(slab);
    return slab;
  }

  /** Takes the first slab away. */
  function drop({ bytes }: Slab): void {
    slabs.shift();
    if (bytes.length === slabSize && spare.length < mostSpare) spare.push(bytes);
  }

  /** Length of the frame that a slab begins with; undefined where the slab does not hold all of it. */
  function frameIn({ bytes, from, to }: Slab): number | undefined {
    if (to - from < headLength) return undefined;
    const payload = bytes.readUInt32LE(from + 9);
    if (kinds[bytes[from]!] === undefined || payload > mostPayload) throw new Error("these bytes are no frames");
    return headLength + payload <= to - from ? headLength + payload : undefined;
  }

  /** Moves the start of a frame to where the rest of it stands. */
  function carry(slab: Slab, next: Slab): void {
    const start = slab.bytes.subarray(slab.from, slab.to);
    drop(slab);
    if (start.length <= next.from) {
      next.from -= start.length;
      next.bytes.set(start, next.from);
      return;
    }
    const bytes = Buffer.concat([start, next.bytes.subarray(next.from, next.to)]);
    slabs[0] = { bytes, from: 0, to: bytes.length };
  }

  return {
    add(bytes) {
      fresh = true;
      size += bytes.length;
      for (let rest = bytes; rest.length > 0; ) {
        const last = slabs.at(-1);
        const slab = last && last.to < last.bytes.length ? last : begin();
        const part = rest.subarray(0, slab.bytes.length - slab.to);
        slab.bytes.set(part, slab.to);
        slab.to += part.length;
        rest = rest.subarray(part.length);
      }
    },
    play(enough = () => false) {
      for (let slab = slabs[0]; slab; slab = slabs[0]) {
        const length = frameIn(slab);
        const next = slabs[1];
        if (length !== undefined) {
          const { bytes, from } = slab;
          slab.from += length;
          size -= length;
          playFrame(tape, bytes, from, from + length);
          if (slab.from === slab.to) drop(slab);
          if (enough()) return;
        } else if (next) carry(slab, next);
        else break;
      }
      fresh = false;
    },
    waits: () => fresh,
    size: () => size,
  };
}
