/** Wildcards: where a recording was redacted, and what may stand there. */
import type { HoleTree } from "./digest.ts";
import { bodyMembers, type RequestForm } from "./form.ts";

/** One place of a form that a recording holds redacted, wholly or in part. */
export interface Hole {
  readonly path: readonly string[];
  /** What stands around the redacted parts, in order; undefined where anything goes, even nothing. */
  readonly around: readonly string[] | undefined;
}

/**
 * The holes of a recorded form: where the mark stands.
 * @param mark undefined where nothing was redacted
 * @param anyBody whether its body may be any
 */
export function holesOf(form: RequestForm, mark: string | undefined, anyBody: boolean): Hole[] {
  const holes: Hole[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value === "string") {
      if (value.includes(mark!)) holes.push({ path, around: value.split(mark!) });
    } else if (typeof value === "object" && value !== null) {
      // Where a name was redacted, what else is there cannot be told from what is not.
      if (!Array.isArray(value) && Object.keys(value).some((name) => name.includes(mark!)))
        holes.push({ path, around: undefined });
      else for (const [key, member] of Object.entries(value)) walk(member, [...path, key]);
    }
  };
  for (const [name, value] of Object.entries(form))
    if (mark !== undefined && !(anyBody && bodyMembers.includes(name as never))) walk(value, [name]);
  if (anyBody) for (const name of bodyMembers) holes.push({ path: [name], around: undefined });
  return holes;
}

export function treeOf(holes: readonly Hole[]): HoleTree {
  const root = new Map<string, Map<string, never> | true>();
  for (const { path } of holes) {
    let level: Map<string, unknown> = root;
    for (const step of path.slice(0, -1)) {
      if (!level.has(step)) level.set(step, new Map());
      level = level.get(step) as Map<string, unknown>;
    }
    level.set(path.at(-1)!, true);
  }
  return root as HoleTree;
}

function valueAt(form: unknown, path: readonly string[]): unknown {
  let value = form;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Shorter pieces are found by the native search, whose worst case is the product of both lengths. */
const shortPiece = 64;

/** Where a piece stands in a text from some place on, or -1, in time linear in both (Knuth, Morris, Pratt). */
function placeOf(piece: string, text: string, from: number): number {
  if (piece.length <= shortPiece) return text.indexOf(piece, from);
  const fallback = new Int32Array(piece.length);
  for (let i = 1, k = 0; i < piece.length; i++) {
    while (k > 0 && piece[i] !== piece[k]) k = fallback[k - 1]!;
    if (piece[i] === piece[k]) k++;
    fallback[i] = k;
  }
  for (let i = from, k = 0; i < text.length; i++) {
    while (k > 0 && text[i] !== piece[k]) k = fallback[k - 1]!;
    if (text[i] === piece[k]) k++;
    if (k === piece.length) return i - k + 1;
  }
  return -1;
}

/** Whether a text has these pieces in order, the first at its start and the last at its end. */
function isAround(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0]!;
  const last = pieces.at(-1)!;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = placeOf(piece, text, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}

/** Whether what a request has at the holes may be what was redacted there. */
export function fits(form: RequestForm, holes: readonly Hole[]): boolean {
  return holes.every(({ path, around }) => {
    if (around === undefined) return true;
    const value = valueAt(form, path);
    // A number that was redacted as a whole was one of digits only.
    if (typeof value === "number" || typeof value === "bigint") return around.every((piece) => piece === "");
    return typeof value === "string" && isAround(value, around);
  });
}
