/** Compares values, and makes bounded ones of them for people. */
import { isDeepStrictEqual } from "node:util";
import { isObject, parseJson } from "../../wire/json.ts";
import type { Json } from "../trip.ts";

/** Whether two JSON values are the same; numbers that differ by rounding alone are. */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
  return isDeepStrictEqual(a, b);
}

/** A JSON text's value; undefined where it is none. */
export function valueOfJson(text: string): { readonly value: unknown } | undefined {
  const json = parseJson(text);
  return json.ok ? { value: json.value } : undefined;
}

export type Joined = "same" | "spaced" | "other";

/**
 * Whether texts in a row say the same as others in a row: `same` where they join to the same text, `spaced` where white space
 * between or around the first ones differs. Linear.
 */
export function compareTexts(before: readonly string[], after: readonly string[]): Joined {
  const text = after.join("");
  if (before.join("") === text) return "same";
  let at = 0;
  const skipSpace = (): void => {
    while (at < text.length && /\s/.test(text[at]!)) at++;
  };
  for (const part of before) {
    const core = part.trim();
    skipSpace();
    if (!text.startsWith(core, at)) return "other";
    at += core.length;
  }
  skipSpace();
  return at === text.length ? "spaced" : "other";
}

const [maxText, maxItems, maxMembers, maxDepth] = [200, 8, 12, 6];

const shortened = (text: string, most = maxText): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;

/** A value cut down to what people look at: some 2 KB at most. */
export function bounded(value: unknown, room = { left: 1_600 }, depth = 0): Json | undefined {
  if (value === undefined) return undefined;
  room.left -= 8;
  if (typeof value === "string") {
    const text = shortened(value, Math.max(20, Math.min(maxText, room.left)));
    room.left -= text.length;
    return text;
  }
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (depth >= maxDepth || room.left <= 0) return "…";
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item) => bounded(item, room, depth + 1) ?? null);
    return value.length > maxItems ? [...items, `… (${value.length} items)`] : items;
  }
  if (!isObject(value)) return String(value);
  const names = Object.keys(value);
  const members = names.slice(0, maxMembers).flatMap((name): [string, Json][] => {
    const member = bounded(value[name], room, depth + 1);
    if (member === undefined) return [];
    room.left -= name.length;
    return [[shortened(name, 60), member]];
  });
  if (names.length > maxMembers) members.push(["…", `${names.length} members`]);
  return Object.fromEntries(members);
}
