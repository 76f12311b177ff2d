/** Returns the length of the prefix that is safe to show: no later byte can turn it into part of a secret. */
import { readLeaves } from "./leaf-reader.ts";

/** Bytes of a member's text that are held back while it goes on without a blank: most keys are shorter. */
const longestRun = 256;

/** Events without a member after which its text has ended; what came once only is seldom the beginning of a text. */
const silence = 32;
const silenceOfOne = 4;

/** A value of so many bytes that comes again unchanged, as a type does, is no piece of a text. */
const minConstant = 8;

/** A piece of a member's text, and the event it came with. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly event: number;
}

/** The pieces of each member, in the order they came. */
function piecesOf(body: Buffer, ends: readonly number[]): Iterable<readonly Piece[]> {
  const { count, rows, path } = readLeaves(body);
  const pieces = new Map<number, Piece[]>();
  let event = 0;
  for (let leaf = 0; leaf < count; leaf++) {
    const [from, to] = [rows[4 * leaf]!, rows[4 * leaf + 1]!];
    while (from >= ends[event]!) event++;
    const own = pieces.get(path[leaf]!);
    if (own) own.push({ from, to, event });
    else pieces.set(path[leaf]!, [{ from, to, event }]);
  }
  return pieces.values();
}

/** The event from which on a member's text is held back; `events` where none of it is. */
function heldFrom(body: Buffer, pieces: readonly Piece[], events: number): number {
  const [last, before] = [pieces.at(-1)!, pieces.at(-2)];
  const quiet = events - 1 - last.event;
  const isWord = /^[a-z_]+$/.test(body.toString("latin1", last.from, last.to));
  if (!before) return quiet >= silenceOfOne || isWord ? events : last.event;
  if (quiet >= silence) return events;
  const isSame = (one: Piece): boolean => body.compare(body, last.from, last.to, one.from, one.to) === 0;
  if (last.to - last.from >= minConstant ? isSame(before) : pieces.every(isSame)) return events;
  let held = events;
  let length = 0;
  for (let i = pieces.length - 1; i >= 0 && length < longestRun; i--) {
    const { from, to, event } = pieces[i]!;
    let begins = to;
    while (begins > from && body[begins - 1]! > 32) begins--;
    if (begins < to) held = event;
    if (begins > from) break;
    length += to - from;
  }
  return held;
}

/**
 * How many events at the beginning of a stream are settled. A text in pieces is held back from its last blank on, since the
 * rest may show that a key stands there. So are the events behind that.
 * @param body whole events
 * @param ends where each event ends
 */
export function settledEvents(body: Buffer, ends: readonly number[]): number {
  let settled = ends.length;
  for (const pieces of piecesOf(body, ends)) settled = Math.min(settled, heldFrom(body, pieces, ends.length));
  return settled;
}
