/** Reads the leaves of a body (strings, runs of numbers, lines of text) and the path of each. */

import { createSpare, keepRoom, roomIn } from "./int-buffer.ts";
import { isListStart, isSpace, numbersEnd } from "./numbers.ts";

/** Deeper values are not put together. */
const maxDepth = 32;

const hashOf = (text: string): number => {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
};

/** The same of a string's bytes, escapes left out. */
function hashBetween(bytes: Buffer, from: number, to: number): number {
  let hash = 0;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (byte === 92) i++;
    else hash = (Math.imul(hash, 31) + byte) | 0;
  }
  return hash;
}

/** Bytes that say something about where a piece stands; digits do in lists and as an index only. */
const tells = new Uint8Array(256);
for (const byte of Buffer.from('"{}[],\n\r0123456789')) tells[byte] = 1;

/** Bytes that may end a string or escape its end. */
const stops = new Uint8Array(256);
for (const byte of [10, 34, 92]) stops[byte] = 1;

/** Lists whose items are alternatives to each other rather than a sequence. */
const alternatives: ReadonlySet<number> = new Set(["top_logprobs", "candidates"].map(hashOf));
const indexKey = hashOf("index");
const plainLine = hashOf("a line of plain text");
/** The kind of a leaf that is a run of numbers. */
export const ofNumbers = hashOf("a list of small numbers");

/** The pieces of a body, and what tells their paths apart; holds until the next body is read. */
export interface Leaves {
  readonly count: number;
  /** Four numbers a leaf: where it begins and ends, its frame and its kind, which is its member or `ofNumbers`. */
  readonly rows: Int32Array;
  /** Digests of the paths. */
  readonly path: Int32Array;
  /** Whether it is more than one text, or a list of them: what comes later goes on with what came before. */
  readonly continued: boolean;
}

const spareRows = createSpare();
const spareFrames = createSpare();
const spareDigests = createSpare();
const sparePaths = createSpare();

const grown = (rows: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(2 * rows.length);
  larger.set(rows);
  return larger;
};

/**
 * Reads strings and lists of small numbers of JSON texts, with lines of a stream between them. A frame, an object or a list, is
 * told from its like by its own `index` member, or by its place in a list of alternatives. That is known once it is read, so
 * paths are put together at the end.
 */
export function readLeaves(bytes: Buffer): Leaves {
  const { length } = bytes;
  let rows = roomIn(spareRows, 64);
  let at = 0;
  // The numbers of frames: the one above, the member it is, what tells it apart. The first one is the body.
  let frames = roomIn(spareFrames, 64).fill(0, 0, 3);
  let frameCount = 1;
  let frame = 0;
  let depth = 0;
  let key = 0;
  let list = false;
  let count = 0;
  const keys: number[] = [];
  const lists: boolean[] = [];
  const counts: number[] = [];
  let event = 0;
  let lineStart = true;
  let texts = 0;
  let continued = false;

  const leaf = (start: number, end: number, kind: number): void => {
    if (at + 4 > rows.length) rows = grown(rows);
    rows[at] = start;
    rows[at + 1] = end;
    rows[at + 2] = frame;
    rows[at + 3] = kind;
    at += 4;
  };
  const open = (above: number, name: number, which: number): void => {
    if (3 * frameCount + 3 > frames.length) frames = grown(frames);
    frames[3 * frameCount] = above;
    frames[3 * frameCount + 1] = name;
    frames[3 * frameCount + 2] = which;
    frame = frameCount++;
  };

  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    if (lineStart && byte !== 10 && byte !== 13) {
      lineStart = false;
      if (byte === 100 && bytes[i + 4] === 58 && bytes[i + 1] === 97 && bytes[i + 2] === 116 && bytes[i + 3] === 97) {
        let from = i + 5;
        if (bytes[from] === 32) from++;
        const first = bytes[from];
        if (first === 123 || first === 91 || first === 34) {
          i = from - 1;
          continue;
        }
        let end = from;
        while (end < length && bytes[end] !== 10 && bytes[end] !== 13) end++;
        leaf(from, end, plainLine);
        continued = true;
        i = end - 1;
        continue;
      }
    }
    if (tells[byte] === 0) continue;
    if (byte === 34) {
      const start = i + 1;
      let end = start;
      for (; end < length; end++) {
        const one = bytes[end]!;
        if (stops[one] === 0) continue;
        if (one !== 92) break;
        end++;
      }
      if (end > length) end = length;
      let next = end + 1;
      if (!list) while (next < end + 8 && isSpace(bytes[next]!)) next++;
      if (!list && bytes[next] === 58) {
        key = hashBetween(bytes, start, end);
        i = next;
      } else {
        if (key === indexKey && !list && frames[3 * frame + 2] === 0)
          frames[3 * frame + 2] = hashBetween(bytes, start, end) | 1;
        else if (end > start && depth <= maxDepth) leaf(start, end, list ? 0 : key);
        i = bytes[end] === 10 ? end - 1 : end;
      }
    } else if (byte === 123 || byte === 91) {
      if (depth === 0 && (++texts > 1 || byte === 91)) continued = true;
      keys[depth] = key;
      lists[depth] = list;
      counts[depth] = count;
      open(frame, list ? 0 : key, list && alternatives.has(key) ? count + 1 : 0);
      depth++;
      // An item of a list stands under the list's own name.
      if (byte === 123) key = 0;
      list = byte === 91;
      count = 0;
    } else if (byte === 125 || byte === 93) {
      if (depth === 0) continue;
      depth--;
      frame = frames[3 * frame]!;
      key = keys[depth]!;
      list = lists[depth]!;
      count = counts[depth]!;
    } else if (byte === 44) count++;
    else if (byte === 10 || byte === 13) {
      // A blank line ends an event, whatever state its JSON is in.
      if (lineStart && !(byte === 10 && bytes[i - 1] === 13) && (depth > 0 || frame !== event)) {
        open(0, 0, 0);
        event = frame;
        depth = key = count = 0;
        list = false;
      }
      lineStart = true;
    } else if (list) {
      if (depth > maxDepth || !isListStart(bytes[i - 1]!)) continue;
      const end = numbersEnd(bytes, i);
      if (end === i) continue;
      leaf(i, end, ofNumbers);
      i = end - 1;
    } else if (key === indexKey) {
      let value = 0;
      for (; i < length && bytes[i]! >= 48 && bytes[i]! <= 57; i++) value = Math.min(1e9, value * 10 + bytes[i]! - 48);
      i--;
      frames[3 * frame + 2] = value + 1;
    }
  }

  keepRoom(spareRows, rows);
  keepRoom(spareFrames, frames);
  const digest = roomIn(spareDigests, frameCount);
  digest[0] = 0;
  for (let one = 1; one < frameCount; one++) {
    const above = Math.imul(digest[frames[3 * one]!]!, 0x01000193) ^ frames[3 * one + 1]!;
    digest[one] = (Math.imul(above, 0x85ebca6b) + Math.imul(frames[3 * one + 2]!, 0x9e3779b1)) | 0;
  }
  const total = at >> 2;
  const path = roomIn(sparePaths, total);
  for (let one = 0; one < total; one++)
    path[one] = Math.imul(digest[rows[4 * one + 2]!]!, 0x01000193) ^ Math.imul(rows[4 * one + 3]!, 0xc2b2ae35);
  return { count: total, rows, path, continued };
}
