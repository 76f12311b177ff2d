/** Leaves out of a JSON value what is not needed, by delta debugging over its members, items and texts. Pure: the caller tries. */

import { parseJson } from "../wire/json.ts";

/** Whatever stands deeper is left as it is. */
const maxDepth = 8;

/** Characters of a text that is short already, and of the shortest that takes its place. */
const [shortText, minKept] = [24, 8];

type Put = (smaller: unknown) => unknown;

/**
 * Yields smaller values, each a part of the whole, and is told of each whether it still serves. It begins with halves of a list
 * or object, then takes smaller parts, then what stands within. Lists and objects keep one, texts their beginning. The last
 * that served is the result.
 * @param kept members that stay, since replies may be of any length without them
 */
export function* smaller(
  value: unknown,
  kept: ReadonlySet<string>,
  put: Put = (own) => own,
  depth = 0,
): Generator<unknown, unknown, boolean> {
  if (typeof value === "string") return yield* shorter(value, put);
  if (typeof value !== "object" || value === null || depth > maxDepth) return value;
  const isList = Array.isArray(value);
  const wrap = (parts: readonly [string, unknown][]): unknown =>
    isList ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  let parts = Object.entries(value);
  for (let size = Math.ceil(parts.length / 2); size >= 1; ) {
    const before = parts.length;
    // From the last: a member may need one before it.
    for (let end = parts.length; end > 0; end -= size) {
      const rest = parts.filter(([name], i) => i < end - size || i >= end || (!isList && kept.has(name)));
      if (rest.length > 0 && rest.length < parts.length && (yield put(wrap(rest)))) parts = rest;
    }
    // A part may go once the part that needed it is gone.
    if (size > 1) size = Math.ceil(size / 2);
    else if (parts.length === before) break;
  }
  for (const i of parts.keys()) {
    const [name, part] = parts[i]!;
    const within = (own: unknown): [string, unknown][] => parts.with(i, [name, own]);
    parts = within(yield* smaller(part, kept, (own) => put(wrap(within(own))), depth + 1));
  }
  return wrap(parts);
}

/** The beginning of a text, up to the end of the word in which `length` lies; cut within a word only where that is long. */
function wholeWords(text: string, length: number): string {
  // The rest of the beginning's last word.
  const [, rest = ""] = /\S(\S*)/y.exec(text.slice(length - 1, length + shortText)) ?? [];
  const words = text.slice(0, length + (rest.length < shortText ? rest.length : 0)).trimEnd();
  return (words === "" || words === text ? text.slice(0, length) : words).toWellFormed();
}

/** Prose is cut; what is one word may be a name or data, and half of a JSON text is none. */
function* shorter(text: string, put: Put): Generator<unknown, string, boolean> {
  if (text.length <= shortText || !/\s/.test(text) || parseJson(text).ok) return text;
  for (let length = minKept; length <= text.length / 2; length *= 4) {
    const start = wholeWords(text, length);
    if (yield put(start)) return start;
  }
  return text;
}
