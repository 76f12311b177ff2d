/** What a body says in pieces, put together: the same member of all events, the items of a list, lines of plain text. */
import { addStretch, lazyView, type View } from "./views.ts";

/** Deeper values are not put together. */
const deepest = 32;

const hashOf = (text: string): number => {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
};

/** Lists whose items are alternatives to each other rather than a sequence. */
const alternatives: ReadonlySet<number> = new Set(["top_logprobs", "candidates"].map(hashOf));
const indexKey = hashOf("index");
const plainLine = hashOf("a line of plain text");
const ofNumbers = hashOf("a list of small numbers");

/** Where the pieces of a body stand, and what tells their paths apart. */
interface Leaves {
  readonly count: number;
  /** Four numbers a leaf: where it begins and ends, its frame and its kind, which is its member or `ofNumbers`. */
  readonly rows: Int32Array;
  /** Digests of the paths. */
  readonly path: Int32Array;
  /** Whether it is more than one text, or a list of them: what comes later goes on with what came before. */
  readonly continued: boolean;
}

const isBlank = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);

const grown = (rows: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(2 * rows.length);
  larger.set(rows);
  return larger;
};

/**
 * Reads strings and lists of small numbers of JSON texts, with lines of a stream between them. A frame, an object or a list, is
 * told from its like by its own `index` member, or by its place in a list of alternatives; that is known once it is read, so
 * that paths are put together at the end.
 */
function readLeaves(bytes: Buffer): Leaves {
  const { length } = bytes;
  const room = Math.min(1 << 18, 64 + (length >> 2));
  let rows = new Int32Array(room);
  let at = 0;
  // Of frames: the one above, the member it is, what tells it apart. The first one is the body.
  let frames = new Int32Array(room);
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
    if (byte === 34) {
      const start = i + 1;
      let end = start;
      let hash = 0;
      for (; end < length; end++) {
        const one = bytes[end]!;
        if (one === 34 || one === 10) break;
        if (one === 92) end++;
        else hash = (Math.imul(hash, 31) + one) | 0;
      }
      if (end > length) end = length;
      let next = end + 1;
      if (!list) while (next < end + 8 && isBlank(bytes[next]!)) next++;
      if (!list && bytes[next] === 58) {
        key = hash;
        i = next;
      } else {
        if (key === indexKey && !list && frames[3 * frame + 2] === 0) frames[3 * frame + 2] = hash | 1;
        else if (end > start && depth <= deepest) leaf(start, end, list ? 0 : key);
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
    } else if (byte >= 48 && byte <= 57) {
      const start = i;
      if (list && isListStart(bytes[start - 1]!)) {
        const end = numbersEnd(bytes, start);
        if (end > start) {
          if (depth <= deepest) leaf(start, end, ofNumbers);
          i = end - 1;
          continue;
        }
      }
      let value = 0;
      for (; i < length && bytes[i]! >= 48 && bytes[i]! <= 57; i++) value = Math.min(1e9, value * 10 + bytes[i]! - 48);
      i--;
      if (!list && key === indexKey) frames[3 * frame + 2] = value + 1;
    }
  }

  const digest = new Int32Array(frameCount);
  for (let one = 1; one < frameCount; one++) {
    const above = Math.imul(digest[frames[3 * one]!]!, 0x01000193) ^ frames[3 * one + 1]!;
    digest[one] = (Math.imul(above, 0x85ebca6b) + Math.imul(frames[3 * one + 2]!, 0x9e3779b1)) | 0;
  }
  const path = new Int32Array(at >> 2);
  for (let one = 0; one < path.length; one++)
    path[one] = Math.imul(digest[rows[4 * one + 2]!]!, 0x01000193) ^ Math.imul(rows[4 * one + 3]!, 0xc2b2ae35);
  return { count: path.length, rows, path, continued };
}

const isListStart = (before: number): boolean => before === 91 || before === 44 || isBlank(before);

/** Where a run of numbers below 256 in a list ends that begins at a byte; the same byte where that is none. */
function numbersEnd(bytes: Buffer, from: number): number {
  let end = from;
  for (let i = from; ; ) {
    let value = 0;
    const start = i;
    while (bytes[i]! >= 48 && bytes[i]! <= 57 && i < start + 4) value = 10 * value + bytes[i++]! - 48;
    const after = bytes[i]!;
    if (i === start || value > 255 || (after !== 44 && after !== 93 && !isBlank(after))) return end;
    end = i;
    while (isBlank(bytes[i]!)) i++;
    if (bytes[i] !== 44) return end;
    i++;
    while (isBlank(bytes[i]!)) i++;
  }
}

/** Copied by hand where it is short: most of it is. */
function copy(bytes: Buffer, from: number, to: number, into: Buffer, at: number): void {
  if (to - from > 64) bytes.copy(into, at, from, to);
  else for (let i = from; i < to; i++) into[at++] = bytes[i]!;
}

/** Writes a run of numbers as bytes; tells of each where it stands. Returns where the next byte goes. */
function writeNumbers(
  bytes: Buffer,
  from: number,
  to: number,
  into: Buffer,
  at: number,
  tell?: (at: number, from: number, to: number) => void,
): number {
  for (let i = from; i < to; i++) {
    if (bytes[i]! < 48 || bytes[i]! > 57) continue;
    const start = i;
    let value = 0;
    while (i < to && bytes[i]! >= 48 && bytes[i]! <= 57) value = 10 * value + bytes[i++]! - 48;
    tell?.(at, start, i);
    into[at++] = value;
  }
  return at;
}

/** The leaves put together, as they follow each other. Where each stands is found out once somebody asks. */
function viewOf(bytes: Buffer, { rows }: Leaves, first: number, next: (leaf: number) => number): View {
  let size = 0;
  for (let leaf = first; leaf >= 0; leaf = next(leaf)) size += rows[4 * leaf + 1]! - rows[4 * leaf]!;
  const joined = Buffer.allocUnsafe(size);
  let at = 0;
  for (let leaf = first; leaf >= 0; leaf = next(leaf)) {
    const [start, end] = [rows[4 * leaf]!, rows[4 * leaf + 1]!];
    if (rows[4 * leaf + 3] === ofNumbers) at = writeNumbers(bytes, start, end, joined, at);
    else {
      copy(bytes, start, end, joined, at);
      at += end - start;
    }
  }
  return lazyView(joined.subarray(0, at), (view) => {
    let to = 0;
    const tell = (place: number, from: number, end: number): void => addStretch(view, place, from, end);
    for (let leaf = first; leaf >= 0; leaf = next(leaf)) {
      const [start, end] = [rows[4 * leaf]!, rows[4 * leaf + 1]!];
      if (rows[4 * leaf + 3] === ofNumbers) to = writeNumbers(bytes, start, end, joined, to, tell);
      else {
        addStretch(view, to, start, end);
        to += end - start;
      }
    }
  });
}

function sameAs(bytes: Buffer, { rows }: Leaves, one: number, other: number): boolean {
  const from = rows[4 * one]!;
  const by = rows[4 * other]! - from;
  const end = rows[4 * one + 1]!;
  if (end + by !== rows[4 * other + 1]!) return false;
  for (let i = from; i < end; i++) if (bytes[i] !== bytes[i + by]) return false;
  return true;
}

/** What a body says in pieces. `everything` holds what the others hold, in the order it came. */
export interface Pieces {
  /** One a path at which more than one thing is said. */
  readonly paths: readonly View[];
  readonly everything: View | undefined;
  /** Whether what is said at a path goes on from piece to piece, rather than being a list of things. */
  readonly continued: boolean;
}

const noPieces: Pieces = { paths: [], everything: undefined, continued: false };
const streamStart = /^(?:(?:data|event|id|retry)(?::|\r|\n)|:)/;

/** Whether a body may be JSON, several of them or a stream of events. */
function isMadeOfJson(bytes: Buffer): boolean {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && isBlank(bytes[at]!)) at++;
  const first = bytes[at];
  if (first === 123 || first === 91 || first === 34) return true;
  if (streamStart.test(bytes.toString("latin1", at, at + 8))) return true;
  // A stream may begin with what is no field.
  return bytes.includes("\ndata:");
}

/** What a body says in pieces, each with the way back to where it stands. */
export function piecesOf(bytes: Buffer): Pieces {
  if (!isMadeOfJson(bytes)) return noPieces;
  const leaves = readLeaves(bytes);
  const total = leaves.count;
  // A list of numbers may say something by itself.
  if (total === 0) return noPieces;
  const { path } = leaves;
  // Leaves of a path follow each other; a path that says one thing only, however often, says nothing in pieces.
  const size = 2 ** Math.ceil(Math.log2(2 * total));
  const slots = new Int32Array(size).fill(-1);
  const firsts: number[] = [];
  const group = new Int32Array(total);
  const following = new Int32Array(total).fill(-1);
  const lasts: number[] = [];
  const varied: boolean[] = [];
  for (let leaf = 0; leaf < total; leaf++) {
    const own = path[leaf]!;
    let slot = (own ^ (own >>> 15)) & (size - 1);
    while (slots[slot]! >= 0 && path[firsts[slots[slot]!]!] !== own) slot = (slot + 1) & (size - 1);
    let which = slots[slot]!;
    if (which < 0) {
      slots[slot] = which = firsts.length;
      firsts.push(leaf);
      lasts.push(leaf);
      varied.push(false);
    } else {
      if (!varied[which] && !sameAs(bytes, leaves, firsts[which]!, leaf)) varied[which] = true;
      following[lasts[which]!] = leaf;
      lasts[which] = leaf;
    }
    group[leaf] = which;
  }
  const paths: View[] = [];
  for (const [which, first] of firsts.entries())
    if (varied[which] || leaves.rows[4 * first + 3] === ofNumbers)
      paths.push(viewOf(bytes, leaves, first, (leaf) => following[leaf]!));
  const isSaid = (leaf: number): boolean =>
    varied[group[leaf]!]! ||
    (following[leaf]! < 0 && firsts[group[leaf]!] === leaf && leaves.rows[4 * leaf + 3] !== ofNumbers);
  const nextSaid = (leaf: number): number => {
    let next = leaf + 1;
    while (next < total && !isSaid(next)) next++;
    return next < total ? next : -1;
  };
  // Only what goes on may change its path on the way.
  const everything =
    leaves.continued && firsts.length > 1 && nextSaid(-1) >= 0
      ? viewOf(bytes, leaves, nextSaid(-1), nextSaid)
      : undefined;
  return { paths, everything, continued: leaves.continued };
}
