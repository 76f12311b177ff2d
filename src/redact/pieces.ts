/**
 * What a body says in pieces, put together fast: from the values that judging reads anyway, without the way back to where the
 * pieces stand. It serves to see that no secret is split over pieces, which is so for nearly every body.
 */
import { valuesOf } from "../wire/read.ts";
import { alternatives, deepest } from "./views.ts";
import { overlapFor, windowSize } from "./windows.ts";

/**
 * The values at one path, as `joined` tells them apart: an item of a list stands under the list's own name, told from its like
 * by its `index`, or by its position where the list is one of alternatives.
 */
interface Place {
  readonly name: string;
  /** The first text, and how often it came while nothing else did; -1 once another one came. */
  first: string;
  alike: number;
  /** What was not looked at yet, and how long it is. */
  texts: string[];
  size: number;
  /** The same of the numbers of a list called `bytes`, and how many were looked at. */
  numbers: number[];
  seen: number;
  readonly members: Map<string, Place>;
  readonly numbered: Map<number, Place>;
}

const newPlace = (name: string): Place => ({
  name,
  first: "",
  alike: 0,
  texts: [],
  size: 0,
  numbers: [],
  seen: 0,
  members: new Map(),
  numbered: new Map(),
});

/** The place under a key. */
function under<K>(places: Map<K, Place>, key: K, name: string): Place {
  let found = places.get(key);
  if (!found) places.set(key, (found = newPlace(name)));
  return found;
}

/** The places that hold enough to be looked at, which is more than `limit`. */
interface Full {
  readonly limit: number;
  places: Place[];
}

function addText(place: Place, text: string, full: Full): void {
  if (place.alike === 0) place.first = text;
  if (place.alike >= 0) {
    if (text === place.first) return void place.alike++;
    // What all say says nothing in pieces; only now is it known that they do not.
    place.texts.push(place.first.repeat(place.alike));
    place.size = place.first.length * place.alike;
    place.alike = -1;
  }
  place.texts.push(text);
  place.size += text.length;
  if (place.size > full.limit) full.places.push(place);
}

/**
 * Collects all texts of a value; false where it says `index` in a way that only looking closely makes sense of.
 * @param position of an alternative among its like
 */
function gather(value: unknown, place: Place, depth: number, full: Full, position?: number): boolean {
  if (typeof value === "string") addText(place, value, full);
  if (typeof value !== "object" || value === null || depth > deepest) return true;
  if (Array.isArray(value) && position === undefined) return gatherItems(value, place, depth, full);
  const { index } = value as { index?: unknown };
  const isNumber = typeof index === "number";
  if (isNumber ? !Number.isSafeInteger(index) || index < 0 : typeof index === "object" && index !== null) return false;
  const which = isNumber ? index : position;
  const here = which === undefined ? place : under(place.numbered, which, place.name);
  if (Array.isArray(value)) return gatherItems(value, here, depth, full);
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member !== "string" && (typeof member !== "object" || member === null)) continue;
    if (!gather(member, under(here.members, key, key), depth + 1, full)) return false;
  }
  return true;
}

function gatherItems(list: readonly unknown[], place: Place, depth: number, full: Full): boolean {
  const { name } = place;
  const items = under(place.members, name, name);
  const apart = alternatives.has(name);
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (typeof item === "number" && (name === "bytes" || name === "index")) {
      if (!Number.isSafeInteger(item) || item < 0 || name === "index") return false;
      if (place.numbers.push(item) > full.limit) full.places.push(place);
    } else if (!gather(item, items, depth + 1, full, apart ? i : undefined)) return false;
  }
  return true;
}

/** What is told of pieces put together; `last` where their path says no more. Once it gives true, nothing else is asked. */
export type Look = (piece: Buffer, last: boolean) => boolean;

/** Looks at what a place holds and keeps the end of it, for what comes next. */
function flush(place: Place, overlap: number, look: Look): boolean {
  const { numbers, texts } = place;
  if (numbers.length > overlap) {
    place.seen += numbers.length;
    place.numbers = numbers.slice(-overlap);
    if (look(Buffer.from(numbers), false)) return true;
  }
  if (place.size <= overlap) return false;
  const text = texts.join("");
  place.texts = [text.slice(-overlap)];
  place.size = overlap;
  return look(Buffer.from(text, "utf8"), false);
}

/** Looks at what is left. */
function finish({ numbers, seen, texts, members, numbered }: Place, look: Look): boolean {
  if (seen + numbers.length > 1 && look(Buffer.from(numbers), true)) return true;
  if (texts.length > 0 && look(Buffer.from(texts.join(""), "utf8"), true)) return true;
  for (const place of members.values()) if (finish(place, look)) return true;
  for (const place of numbered.values()) if (finish(place, look)) return true;
  return false;
}

/**
 * Looks at the pieces of all paths, escapes undone, one path after another; at long ones bit by bit. Says whether `look` gave
 * true. Undefined where the body is not made of JSON alone that says all its text says: then only looking closely tells.
 * @param longest length of the longest value that is looked for
 * @param broken whether the body lacks its end
 */
export function eachPiece(bytes: Buffer, longest: number, broken: boolean, look: Look): boolean | undefined {
  const overlap = Math.min(overlapFor(longest), bytes.length);
  const root = newPlace("");
  // What is kept for the next look must not be enough for one.
  const full: Full = { limit: windowSize + overlap, places: [] };
  const values = valuesOf(bytes, broken);
  for (let next = values.next(); ; next = values.next()) {
    if (next.done) return next.value ? finish(root, look) : undefined;
    if (!gather(next.value, root, 1, full)) return undefined;
    if (full.places.length === 0) continue;
    for (const place of full.places) if (flush(place, overlap, look)) return true;
    full.places = [];
  }
}
