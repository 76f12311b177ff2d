/**
 * What a body says in pieces, put together fast: the bytes that `joined` would show, without the way back to where they
 * stand. It serves to see that no secret is split over pieces, which is so for nearly every body.
 */

/** Ids of the names that have a meaning here; every other name gets the next free one. */
const wellKnown = ["", "top_logprobs", "candidates", "index", "bytes"].map((name) => Buffer.from(name));
const [nameless, topLogprobs, candidates, index, bytesName] = [0, 1, 2, 3, 4];

/** Deeper values are not put together. */
const deepest = 32;
/** Names beyond these are not told apart. */
const mostNames = 1 << 16;
/** Numbers are kept below this one, a multiple of what a byte holds. */
const mostNumber = 1 << 24;
/** Where names with one hash are looked for, before a new number is given. */
const slots = 4096;
const near = 8;

/** A slot for a name, from a few of its bytes. */
const slotOf = (bytes: Buffer, from: number, to: number): number =>
  ((to - from) * 7 + bytes[from]! * 31 + bytes[(from + to) >> 1]! * 173 + bytes[to - 1]! * 1021) & (slots - 1);

/** Gives equal names one number, from where they stand. */
class Names {
  readonly #bytes: Buffer;
  /** Ids by hash, 0 where there is none: the name without letters is never asked for. */
  readonly #ids = new Uint16Array(slots + near);
  readonly #froms: number[] = [];
  readonly #lengths: number[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    for (const [id, name] of wellKnown.entries()) {
      this.#froms.push(-1);
      this.#lengths.push(name.length);
      if (id > 0) this.#ids[slotOf(name, 0, name.length)] = id;
    }
  }

  idOf(from: number, to: number): number {
    if (from === to) return nameless;
    let slot = slotOf(this.#bytes, from, to);
    let id = 0;
    for (const end = slot + near; slot < end && (id = this.#ids[slot]!) > 0; slot++)
      if (this.#isAt(id, from, to)) return id;
    if (id > 0 || this.#froms.length >= mostNames) return mostNames - 1;
    this.#lengths.push(to - from);
    return (this.#ids[slot] = this.#froms.push(from) - 1);
  }

  #isAt(id: number, from: number, to: number): boolean {
    if (this.#lengths[id] !== to - from) return false;
    const start = this.#froms[id]!;
    if (start < 0) return this.#bytes.compare(wellKnown[id]!, 0, to - from, from, to) === 0;
    const bytes = this.#bytes;
    for (let i = from, j = start; i < to; i++, j++) if (bytes[i] !== bytes[j]) return false;
    return true;
  }
}

const isSpace = (code: number | undefined): boolean =>
  code === 32 || code === 0xa0 || (code !== undefined && code >= 9 && code <= 13);

/** Whether a colon stands at `at`, or after some blanks. */
function isKeyBefore(bytes: Buffer, at: number): boolean {
  if (bytes[at] === 58) return true;
  let colon = at;
  while (colon < at + 7 && isSpace(bytes[colon])) colon++;
  return colon > at && bytes[colon] === 58;
}

/** Objects and lists of a text, and the strings in them: columns rather than objects, since a body has thousands. */
interface Leaves {
  readonly above: number[];
  readonly name: number[];
  /** What tells a frame from its like, or -1. */
  readonly which: number[];
  /** Of each leaf: its frame, its key, where it stands. A run of numbers is one leaf, with the key -1. */
  readonly frame: number[];
  readonly key: number[];
  readonly from: number[];
  readonly to: number[];
}

/** The same walk as `leavesOf` of the views makes. */
function leavesOf(bytes: Buffer): Leaves {
  const names = new Names(bytes);
  const leaves: Leaves = { above: [], name: [], which: [], frame: [], key: [], from: [], to: [] };
  const list: boolean[] = [];
  const key: number[] = [];
  const count: number[] = [];
  const depth: number[] = [];
  let run = -1;
  const open = (above: number, isList: boolean): number => {
    const name = above < 0 ? nameless : key[above]!;
    const alternative = above >= 0 && list[above] && (name === topLogprobs || name === candidates);
    leaves.name.push(name);
    leaves.which.push(alternative ? count[above]! : -1);
    list.push(isList);
    key.push(isList ? name : nameless);
    count.push(0);
    depth.push(above < 0 ? 1 : depth[above]! + 1);
    run = -1;
    return leaves.above.push(above) - 1;
  };
  const add = (frame: number, name: number, from: number, to: number): number => {
    leaves.frame.push(frame);
    leaves.key.push(name);
    leaves.from.push(from);
    return leaves.to.push(to) - 1;
  };
  let frame = open(-1, false);
  const { length } = bytes;
  for (let line = 0; line < length; ) {
    const next = bytes.indexOf(10, line);
    const end = next < 0 ? length : next;
    if (end === line || (end === line + 1 && bytes[line] === 13)) frame = open(-1, false);
    for (let at = line; at < end; at++) {
      const code = bytes[at]!;
      if (code === 34) {
        const from = at + 1;
        let inner = 0;
        for (at = from; at < end && (inner = bytes[at]!) !== 34; at++) if (inner === 92) at++;
        if (at > end) at = end;
        if (!list[frame] && isKeyBefore(bytes, at + 1)) key[frame] = names.idOf(from, at);
        else if (depth[frame]! <= deepest) {
          add(frame, key[frame]!, from, at);
          run = -1;
        }
      } else if (code === 123 || code === 91) frame = open(frame, code === 91);
      else if (code === 125 || code === 93) {
        if (leaves.above[frame]! >= 0) frame = leaves.above[frame]!;
        run = -1;
      } else if (code === 44) count[frame]!++;
      else if (code >= 48 && code <= 57) {
        const from = at;
        let value = 0;
        let digit = code;
        for (; at < end && (digit = bytes[at]!) >= 48 && digit <= 57; at++)
          value = (value * 10 + digit - 48) % mostNumber;
        if (key[frame] === index) leaves.which[frame] = value;
        else if (key[frame] === bytesName && list[frame] && depth[frame]! <= deepest) {
          if (run >= 0) leaves.to[run] = at;
          else run = add(frame, -1, from, at);
        }
        at--;
      }
    }
    line = end + 1;
  }
  return leaves;
}

/** Numbers for pairs of numbers, of which the left ones are such numbers themselves, or 0. */
function pairs(): (left: number, right: number) => number {
  const rows: number[][] = [];
  const far = new Map<string, number>();
  let count = 0;
  return (left, right) => {
    if (right < 256) return ((rows[left] ??= [])[right] ??= ++count);
    const both = `${left} ${right}`;
    let id = far.get(both);
    if (id === undefined) far.set(both, (id = ++count));
    return id;
  };
}

/** Leaves of one path. */
interface Group {
  readonly leaves: number[];
  /** All that were added say the same. */
  alike: boolean;
}

function groupsOf(bytes: Buffer, { above, name, which, frame, key, from, to }: Leaves): Iterable<Group | undefined> {
  const step = pairs();
  const paths: number[] = [];
  for (let at = 0; at < above.length; at++) {
    // A frame comes after the one above it.
    const named = step(above[at]! < 0 ? 0 : paths[above[at]!]!, name[at]! * 2);
    paths.push(which[at]! < 0 ? named : step(named, which[at]! * 2 + 1));
  }
  const group = pairs();
  const groups: Group[] = [];
  for (let leaf = 0; leaf < frame.length; leaf++) {
    const id = group(paths[frame[leaf]!]!, key[leaf]! + 1);
    const known = groups[id];
    if (!known) {
      groups[id] = { leaves: [leaf], alike: key[leaf]! >= 0 };
      continue;
    }
    if (known.alike && !isSame(bytes, from[known.leaves[0]!]!, to[known.leaves[0]!]!, from[leaf]!, to[leaf]!))
      known.alike = false;
    known.leaves.push(leaf);
  }
  return groups.values();
}

function isSame(bytes: Buffer, from: number, to: number, start: number, end: number): boolean {
  if (to - from !== end - start) return false;
  for (let i = from, j = start; i < to; i++, j++) if (bytes[i] !== bytes[j]) return false;
  return true;
}

/** The pieces of all paths, one path after another with a line end between; empty where `joined` shows nothing. */
export function piecesOf(bytes: Buffer): Buffer {
  const leaves = leavesOf(bytes);
  const { key, from, to } = leaves;
  const out = Buffer.allocUnsafe(bytes.length + 1);
  let at = 0;
  for (const group of groupsOf(bytes, leaves)) {
    if (!group || group.alike) continue;
    for (const leaf of group.leaves) {
      const end = to[leaf]!;
      if (key[leaf]! >= 0) for (let i = from[leaf]!; i < end; i++) out[at++] = bytes[i]!;
      else
        for (let i = from[leaf]!; i < end; i++) {
          let value = -1;
          for (let code = bytes[i]!; code >= 48 && code <= 57 && i < end; code = bytes[++i]!)
            value = (Math.max(value, 0) * 10 + code - 48) % mostNumber;
          if (value >= 0) out[at++] = value;
        }
    }
    out[at++] = 10;
  }
  return out.subarray(0, at);
}
