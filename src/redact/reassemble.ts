/** Joins text that a body carries in pieces: the same member of all events, the items of a list, lines of plain text. */

import { createSpare, roomIn } from "./int-buffer.ts";
import { type Leaves, ofNumbers, readLeaves } from "./leaf-reader.ts";
import { isSpace, writeNumbers } from "./numbers.ts";
import { addStretch, lazyView, type SourceMap } from "./source-map.ts";

/** Copied by hand where it is short: most of it is. */
function copy(bytes: Buffer, from: number, to: number, into: Buffer, at: number): void {
  if (to - from > 64) bytes.copy(into, at, from, to);
  else for (let i = from; i < to; i++) into[at++] = bytes[i]!;
}

/** The leaves put together, as they follow each other. The place of each is found out once somebody asks. */
function viewOf(bytes: Buffer, { rows }: Leaves, first: number, next: (leaf: number) => number): SourceMap {
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

function hasNumbers({ count, rows }: Leaves): boolean {
  for (let leaf = 0; leaf < count; leaf++) if (rows[4 * leaf + 3] === ofNumbers) return true;
  return false;
}

/** The texts that a body says in pieces. `everything` holds what the others hold, in the order it came. */
export interface Reassembled {
  /** One a path at which more than one thing is said. */
  readonly paths: readonly SourceMap[];
  readonly everything: SourceMap | undefined;
  /** Whether what is said at a path goes on from piece to piece, rather than being a list of things. */
  readonly continued: boolean;
}

const noPieces: Reassembled = { paths: [], everything: undefined, continued: false };
const streamStart = /^(?:(?:data|event|id|retry)(?::|\r|\n)|:)/;

/** Whether a body may be JSON, several of them or a stream of events. */
function isMadeOfJson(bytes: Buffer): boolean {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && isSpace(bytes[at]!)) at++;
  const first = bytes[at];
  if (first === 123 || first === 91 || first === 34) return true;
  if (streamStart.test(bytes.toString("latin1", at, at + 8))) return true;
  // A stream may begin with what is no field.
  return bytes.includes("\ndata:");
}

const spareSlots = createSpare();
const spareGroups = createSpare();
const spareFollowing = createSpare();

/** The texts that a body says in pieces, each with the way back to its place. */
export function reassemble(bytes: Buffer): Reassembled {
  if (!isMadeOfJson(bytes)) return noPieces;
  const read = readLeaves(bytes);
  const total = read.count;
  // A list of numbers may say something by itself.
  if (total === 0) return noPieces;
  const { path, continued } = read;
  // Leaves of a path follow each other; a path that says one thing only, however often, says nothing in pieces.
  const size = 2 ** Math.ceil(Math.log2(2 * total));
  const slots = roomIn(spareSlots, size).fill(-1, 0, size);
  const firsts: number[] = [];
  let group = roomIn(spareGroups, total);
  let following = roomIn(spareFollowing, total).fill(-1, 0, total);
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
      if (!varied[which] && !sameAs(bytes, read, firsts[which]!, leaf)) varied[which] = true;
      following[lasts[which]!] = leaf;
      lasts[which] = leaf;
    }
    group[leaf] = which;
  }
  if (!varied.includes(true) && !continued && !hasNumbers(read)) return noPieces;
  // Views find their way back later than this room is used again.
  const leaves = { ...read, rows: read.rows.slice(0, 4 * total) };
  group = group.slice(0, total);
  following = following.slice(0, total);
  const paths: SourceMap[] = [];
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
    continued && firsts.length > 1 && nextSaid(-1) >= 0 ? viewOf(bytes, leaves, nextSaid(-1), nextSaid) : undefined;
  return { paths, everything, continued };
}
