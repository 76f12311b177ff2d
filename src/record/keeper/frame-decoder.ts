/**
 * Decodes frames and notifies an observer. Waiting bytes lie in a pool of buffers, where they take the least memory. Copying
 * each read into a buffer of its own takes the decoder a tenth to a quarter more time, and lets small reads fill memory with
 * objects.
 */
import { type FrameReceiver, frameKinds, headLength, separator } from "./frames.ts";

export interface FrameDecoder {
  /** Takes the next bytes, cut anywhere. They are lent, not kept. */
  add(bytes: Uint8Array): void;
  /** Decodes frames in order, until `enough` or no more are whole. Throws where the bytes are no frames. */
  decode(enough?: () => boolean): void;
  /** Whether there may be whole frames. */
  waits(): boolean;
  /** Bytes that wait. */
  size(): number;
}

/** Bytes between `from` and `to` wait. */
interface PooledBuffer {
  readonly bytes: Buffer;
  from: number;
  to: number;
}

const bufferSize = 512 << 10;
/** Bytes left free at a buffer's start: the beginning of a frame that ends in this buffer is moved there. */
const headroom = 80 << 10;
/** Buffers that are kept for what comes next. */
const maxSpare = 16;
/** No frame is larger: payloads are what one read of a socket gave, or a message's head. */
const maxPayload = 32 << 20;

/** Notifies the observer of the frame that stands from `from` to `end`. */
function decodeFrame(observer: FrameReceiver, bytes: Buffer, from: number, end: number): void {
  const kind = frameKinds[bytes[from]!];
  const id = bytes.readUInt32LE(from + 1);
  const at = bytes.readUInt32LE(from + 5) / 100;
  const start = from + headLength;
  if (kind === "requestBytes") return void observer.requestBytes(id, bytes.subarray(start, end));
  if (kind === "responseBytes") return void observer.responseBytes(id, bytes.subarray(start, end), at);
  if (kind === "close")
    return void observer.close(id, start === end ? { time: at } : JSON.parse(bytes.toString("utf8", start, end)));
  if (kind === "look") return void observer.look?.(bytes.toString("utf8", start, end));
  const fields = bytes.toString("latin1", start, end).split(separator);
  if (kind === "responseHead") return void observer.responseHead(id, Number(fields[0]), fields[1]!, fields.slice(2));
  const [started, origin, method, target] = fields as [string, string, string, string];
  const opening = { started: Number(started), method, target, headers: fields.slice(4) };
  observer.open(id, origin === "" ? opening : { ...opening, origin });
}

/** A decoder that notifies `observer` of what frames say. */
export function createFrameDecoder(observer: FrameReceiver): FrameDecoder {
  const buffers: PooledBuffer[] = [];
  const spare: Buffer[] = [];
  let size = 0;
  let fresh = false;

  function begin(): PooledBuffer {
    const bytes = spare.pop() ?? Buffer.allocUnsafeSlow(bufferSize);
    const buffer = { bytes, from: headroom, to: headroom };
    buffers.push(buffer);
    return buffer;
  }

  /** Takes the first buffer away. */
  function drop({ bytes }: PooledBuffer): void {
    buffers.shift();
    if (bytes.length === bufferSize && spare.length < maxSpare) spare.push(bytes);
  }

  /** Length of the frame that a buffer begins with; undefined where the buffer does not hold all of it. */
  function frameIn({ bytes, from, to }: PooledBuffer): number | undefined {
    if (to - from < headLength) return undefined;
    const payload = bytes.readUInt32LE(from + 9);
    if (frameKinds[bytes[from]!] === undefined || payload > maxPayload) throw new Error("these bytes are no frames");
    return headLength + payload <= to - from ? headLength + payload : undefined;
  }

  /** Moves the start of a frame to where the rest of it stands. */
  function joinFrame(buffer: PooledBuffer, next: PooledBuffer): void {
    const start = buffer.bytes.subarray(buffer.from, buffer.to);
    drop(buffer);
    if (start.length <= next.from) {
      next.from -= start.length;
      next.bytes.set(start, next.from);
      return;
    }
    const bytes = Buffer.concat([start, next.bytes.subarray(next.from, next.to)]);
    buffers[0] = { bytes, from: 0, to: bytes.length };
  }

  return {
    add(bytes) {
      fresh = true;
      size += bytes.length;
      for (let rest = bytes; rest.length > 0; ) {
        const last = buffers.at(-1);
        const buffer = last && last.to < last.bytes.length ? last : begin();
        const part = rest.subarray(0, buffer.bytes.length - buffer.to);
        buffer.bytes.set(part, buffer.to);
        buffer.to += part.length;
        rest = rest.subarray(part.length);
      }
    },
    decode(enough = () => false) {
      for (let buffer = buffers[0]; buffer; buffer = buffers[0]) {
        const length = frameIn(buffer);
        const next = buffers[1];
        if (length !== undefined) {
          const { bytes, from } = buffer;
          buffer.from += length;
          size -= length;
          decodeFrame(observer, bytes, from, from + length);
          if (buffer.from === buffer.to) drop(buffer);
          if (enough()) return;
        } else if (next) joinFrame(buffer, next);
        else break;
      }
      fresh = false;
    },
    waits: () => fresh,
    size: () => size,
  };
}
