/**
 * Keeps frames until the keeper has written their exchanges, so that a successor can receive them again. Acknowledged frames
 * are removed when the log has doubled since the last time: the cost per byte is constant, and the log takes at most
 * twice the bytes of unacknowledged exchanges, plus a few MiB.
 */
import { frameKinds, headLength } from "./frames.ts";

export interface FrameLog {
  /** Takes the next bytes: whole frames, or the payload of the frame whose head came last. @param isStable whether the bytes never change */
  add(bytes: Uint8Array, isStable: boolean): void;
  /** An exchange begins: its frames are kept from now on. */
  begin(id: number): void;
  /** The last frame of an exchange is about to come. The keeper writes exchanges in the order of these calls. */
  end(id: number): void;
  /** The keeper has written this many more exchanges. */
  acknowledge(count: number): void;
  /** The keeper will never write this exchange. */
  forget(id: number): void;
  /** The frames of all exchanges that are not acknowledged, in their order. The bytes never change. */
  frames(): readonly Uint8Array[];
  /** The unacknowledged exchange with the most bytes. */
  largest(): number | undefined;
  /** Unacknowledged exchanges. */
  count(): number;
}

/** The log holds the bytes between `from` and `to`. */
interface Entry {
  readonly bytes: Buffer;
  readonly from: number;
  to: number;
  /** Whether the log has allocated the buffer, and may write behind `to`. */
  readonly isOwn: boolean;
}

/** Frames are copied into buffers of this size. */
const bufferSize = 1 << 20;

/** Buffers that are kept for the next frames. */
const maxSpare = 32;

/** The log may have this many bytes before acknowledged frames are removed. */
const minThreshold = 4 << 20;

const look = frameKinds.indexOf("look");

/** Buffers of entries that are not needed any more. */
const reusableOf = (entries: readonly Entry[]): Buffer[] =>
  [...new Set(entries.filter(({ isOwn }) => isOwn).map(({ bytes }) => bytes))].filter(
    ({ length }) => length === bufferSize,
  );

export function createFrameLog(): FrameLog {
  const open = new Set<number>();
  /** Exchanges that have ended, in the order in which they are written. */
  const ended = new Set<number>();
  let entries: Entry[] = [];
  let size = 0;
  let threshold = minThreshold;
  let spare: Buffer[] = [];

  const isWaiting = (id: number): boolean => open.has(id) || ended.has(id);

  function addCopy(bytes: Uint8Array): void {
    const last = entries.at(-1);
    if (last?.isOwn && last.bytes.length - last.to >= bytes.length) {
      last.bytes.set(bytes, last.to);
      last.to += bytes.length;
      return;
    }
    const buffer =
      bytes.length > bufferSize
        ? Buffer.allocUnsafeSlow(bytes.length)
        : (spare.pop() ?? Buffer.allocUnsafeSlow(bufferSize));
    buffer.set(bytes, 0);
    entries.push({ bytes: buffer, from: 0, to: bytes.length, isOwn: true });
  }

  function addStable(bytes: Uint8Array): void {
    const last = entries.at(-1);
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    entries.push({ bytes: view, from: 0, to: view.length, isOwn: false });
    // Copies continue behind the last one, in the same buffer.
    if (last?.isOwn) entries.push({ ...last, from: last.to });
  }

  function append(bytes: Uint8Array, isStable: boolean): void {
    size += bytes.length;
    if (isStable) addStable(bytes);
    else addCopy(bytes);
  }

  /** Calls with the exchange of each frame and its bytes: one buffer, or the head and the payload. */
  function eachFrame(visit: (id: number, kind: number, head: Buffer, payload: Buffer | undefined) => void): void {
    let payloadOf: Buffer | undefined;
    for (const { bytes, from, to } of entries) {
      for (let at = from; at < to; ) {
        if (payloadOf) {
          visit(payloadOf.readUInt32LE(1), payloadOf[0]!, payloadOf, bytes.subarray(from, to));
          payloadOf = undefined;
          break;
        }
        const end = at + headLength + bytes.readUInt32LE(at + 9);
        const frame = bytes.subarray(at, Math.min(end, to));
        if (end > to) payloadOf = frame;
        else visit(frame.readUInt32LE(1), frame[0]!, frame, undefined);
        at = end;
      }
    }
  }

  /**
   * Removes the frames of acknowledged exchanges. Entries without any stay as they are: most exchanges are acknowledged in
   * the order of their frames, and copying the rest would leave much garbage.
   */
  function compact(): void {
    const before = entries;
    entries = [];
    size = 0;
    /** Whether the payload of the last head is kept; undefined unless it is the next entry. */
    let keepsPayload: boolean | undefined;
    for (const entry of before) {
      const { bytes, from, to } = entry;
      if (from === to) continue;
      if (keepsPayload !== undefined) {
        if (keepsPayload) append(bytes.subarray(from, to), true);
        keepsPayload = undefined;
        continue;
      }
      /** The beginning and the end of each run of frames to keep. */
      const runs: number[] = [];
      for (let at = from; at < to; ) {
        const end = at + headLength + bytes.readUInt32LE(at + 9);
        const isKept = bytes[at] !== look && isWaiting(bytes.readUInt32LE(at + 1));
        if (end > to) keepsPayload = isKept;
        const last = Math.min(end, to);
        if (isKept && runs.at(-1) === at) runs[runs.length - 1] = last;
        else if (isKept) runs.push(at, last);
        at = end;
      }
      if (runs.length === 2 && runs[0] === from && runs[1] === to) {
        entries.push(entry);
        size += to - from;
      } else for (let i = 0; i < runs.length; i += 2) append(bytes.subarray(runs[i]!, runs[i + 1]!), false);
    }
    threshold = Math.max(minThreshold, 2 * size);
    const used = new Set(entries.map(({ bytes }) => bytes));
    spare = [...new Set([...spare, ...reusableOf(before)])].filter((bytes) => !used.has(bytes)).slice(0, maxSpare);
  }

  return {
    add(bytes, isStable) {
      if (open.size + ended.size === 0) return;
      append(bytes, isStable);
      if (size > threshold) compact();
    },
    begin(id) {
      if (open.size + ended.size === 0 && size > 0) {
        spare = reusableOf(entries);
        entries = [];
        size = 0;
      }
      open.add(id);
    },
    end(id) {
      if (open.delete(id)) ended.add(id);
    },
    acknowledge(count) {
      let rest = count;
      for (const id of ended) {
        if (rest-- <= 0) break;
        ended.delete(id);
      }
    },
    forget(id) {
      open.delete(id);
      ended.delete(id);
    },
    frames() {
      compact();
      spare = [];
      const all = entries.filter(({ from, to }) => to > from).map(({ bytes, from, to }) => bytes.subarray(from, to));
      // The caller may use these buffers for long: they are not written to again.
      entries = all.map((bytes) => ({ bytes, from: 0, to: bytes.length, isOwn: false }));
      return all;
    },
    largest() {
      const sizes = new Map<number, number>();
      eachFrame((id, _kind, head, payload) => {
        if (isWaiting(id)) sizes.set(id, (sizes.get(id) ?? 0) + head.length + (payload?.length ?? 0));
      });
      return [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0];
    },
    count: () => open.size + ended.size,
  };
}
