/** Wildcards: where a recording was redacted, and what may stand there. */

import { bodyMembers, type CanonicalRequest } from "./canonical-request.ts";
import type { WildcardTree } from "./digest.ts";

/** One place of a recorded request that was redacted, wholly or in part. */
export interface Wildcard {
  readonly path: readonly string[];
  /** The text around the redacted parts, in order; undefined if anything goes, even nothing. */
  readonly around: readonly string[] | undefined;
}

/**
 * The wildcards of a recorded request: where the marker stands.
 * @param marker undefined where nothing was redacted
 * @param anyBody whether its body may be any
 */
export function wildcardsOf(request: CanonicalRequest, marker: string | undefined, anyBody: boolean): Wildcard[] {
  const wildcards: Wildcard[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value === "string") {
      if (value.includes(marker!)) wildcards.push({ path, around: value.split(marker!) });
    } else if (typeof value === "object" && value !== null) {
      // If a name was redacted, other members that are there cannot be told from those that are not.
      if (!Array.isArray(value) && Object.keys(value).some((name) => name.includes(marker!)))
        wildcards.push({ path, around: undefined });
      else for (const [key, member] of Object.entries(value)) walk(member, [...path, key]);
    }
  };
  for (const [name, value] of Object.entries(request))
    if (marker !== undefined && !(anyBody && bodyMembers.includes(name as never))) walk(value, [name]);
  if (anyBody) for (const name of bodyMembers) wildcards.push({ path: [name], around: undefined });
  return wildcards;
}

/** The places of wildcards, step by step. */
export function treeOf(wildcards: readonly Wildcard[]): WildcardTree {
  const root = new Map<string, Map<string, never> | true>();
  for (const { path } of wildcards) {
    let level: Map<string, unknown> = root;
    for (const step of path.slice(0, -1)) {
      if (!level.has(step)) level.set(step, new Map());
      level = level.get(step) as Map<string, unknown>;
    }
    level.set(path.at(-1)!, true);
  }
  return root as WildcardTree;
}

function valueAt(request: unknown, path: readonly string[]): unknown {
  let value = request;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Shorter pieces are found by the native search, whose worst case is the product of both lengths. */
const shortPiece = 64;

/** The position of a piece in a text from some place on, or -1, in time linear in both (Knuth, Morris, Pratt). */
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

/** Whether what a request has at the wildcards may be what was redacted there. */
export function fits(request: CanonicalRequest, wildcards: readonly Wildcard[]): boolean {
  return wildcards.every(({ path, around }) => {
    if (around === undefined) return true;
    const value = valueAt(request, path);
    // A number that was redacted as a whole was one of digits only.
    if (typeof value === "number" || typeof value === "bigint") return around.every((piece) => piece === "");
    return typeof value === "string" && isAround(value, around);
  });
}
