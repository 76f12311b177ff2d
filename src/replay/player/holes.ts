/** Redacted values: where a recording has them, what may stand there, and texts of forms that pass over them. */
import { createHash } from "node:crypto";
import { bodyMembers, type RequestForm } from "./form.ts";

/** What a recorder puts in a secret's place: its placeholder, or a mask as long as the secret. */
const redacted = /\[redacted\]|x{8,}|1{8,}/;
const everyRedacted = new RegExp(redacted, "g");

/** One place of a form that a recording holds redacted, wholly or in part. */
export interface Hole {
  readonly path: readonly string[];
  /** What stands around the redacted parts, in order; undefined where anything goes, even nothing. */
  readonly around: readonly string[] | undefined;
}

/** Holes by step; `true` ends a path. */
export type HoleTree = ReadonlyMap<string, HoleTree | true>;

/** The holes of a recorded form. One whose body was not kept whole has a single hole for it. */
export function holesOf(form: RequestForm, cut: boolean): Hole[] {
  const holes: Hole[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value === "string") {
      if (redacted.test(value)) holes.push({ path, around: value.split(everyRedacted) });
    } else if (typeof value === "object" && value !== null)
      for (const [key, member] of Object.entries(value)) walk(member, [...path, key]);
  };
  for (const [name, value] of Object.entries(form))
    if (!cut || !bodyMembers.includes(name as never)) walk(value, [name]);
  if (cut) for (const name of bodyMembers) holes.push({ path: [name], around: undefined });
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

/** JSON with sorted members, and a star at every hole, whether something stands there or not. */
function write(value: unknown, holes: HoleTree | undefined): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const item = (key: string, member: unknown): string => {
    const inner = holes?.get(key);
    return inner === true ? "*" : write(member, inner);
  };
  if (Array.isArray(value)) return `[${value.map((member, i) => item(String(i), member)).join()}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members);
  for (const [key, inner] of holes ?? []) if (inner === true && !Object.hasOwn(members, key)) keys.push(key);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${item(key, members[key])}`)
    .join()}}`;
}

/** A digest that is the same for forms that differ at the holes only. */
export function digestOf(form: RequestForm, holes: HoleTree): string {
  return createHash("sha256")
    .update(write(form, holes.size > 0 ? holes : undefined))
    .digest("base64");
}

function valueAt(form: unknown, path: readonly string[]): unknown {
  let value = form;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Whether a text has these pieces in order, the first at its start and the last at its end. */
function isAround(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0]!;
  const last = pieces.at(-1)!;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
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
    return typeof value === "string" && isAround(value, around);
  });
}
