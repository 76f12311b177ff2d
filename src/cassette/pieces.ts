/**
 * What a body says in pieces, put together fast: from the values that judging reads anyway, without the way back to where the
 * pieces stand. It serves to see that no secret is split over pieces, which is so for nearly every body.
 */
import { isStream, readEvents, readJson } from "../wire/read.ts";
import { alternatives, deepest } from "./views.ts";

/**
 * The values at one path, as `joined` tells them apart: an item of a list stands under the list's own name, told from its like
 * by its `index`, or by its position where the list is one of alternatives.
 */
interface Place {
  readonly name: string;
  readonly texts: string[];
  /** The numbers of a list called `bytes`. */
  readonly numbers: number[];
  readonly members: Map<string, Place>;
  readonly numbered: Map<number, Place>;
}

const newPlace = (name: string): Place => ({
  name,
  texts: [],
  numbers: [],
  members: new Map(),
  numbered: new Map(),
});

/** The place under a key. */
function under<K>(places: Map<K, Place>, key: K, name: string): Place {
  let found = places.get(key);
  if (!found) places.set(key, (found = newPlace(name)));
  return found;
}

/**
 * Collects all texts of a value; false where it says `index` in a way that only looking closely makes sense of.
 * @param position of an alternative among its like
 */
function gather(value: unknown, place: Place, depth: number, position?: number): boolean {
  if (typeof value === "string") place.texts.push(value);
  if (typeof value !== "object" || value === null || depth > deepest) return true;
  const { index } = value as { index?: unknown };
  const isNumber = typeof index === "number";
  if (isNumber ? !Number.isSafeInteger(index) || index < 0 : typeof index === "object" && index !== null) return false;
  const which = isNumber ? index : position;
  const here = which === undefined ? place : under(place.numbered, which, place.name);
  if (Array.isArray(value)) return gatherItems(value, here, depth);
  for (const key in value)
    if (!gather((value as Record<string, unknown>)[key], under(here.members, key, key), depth + 1)) return false;
  return true;
}

function gatherItems(list: readonly unknown[], place: Place, depth: number): boolean {
  const { name } = place;
  const items = under(place.members, name, name);
  const apart = alternatives.has(name);
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (typeof item === "number" && (name === "bytes" || name === "index")) {
      if (!Number.isSafeInteger(item) || item < 0 || name === "index") return false;
      place.numbers.push(item);
    } else if (!gather(item, items, depth + 1, apart ? i : undefined)) return false;
  }
  return true;
}

function* piecesIn({ texts, numbers, members, numbered }: Place): Generator<Buffer> {
  if (numbers.length > 1) yield Buffer.from(numbers);
  if (texts.length > 1 && texts.some((text) => text !== texts[0])) yield Buffer.from(texts.join(""), "utf8");
  for (const place of members.values()) yield* piecesIn(place);
  for (const place of numbered.values()) yield* piecesIn(place);
}

const lineEnd = Buffer.from("\n");

/**
 * The pieces of all paths, escapes undone, one path after another with a line end between. Undefined where the body is not
 * made of JSON alone that says all its text says: then only looking closely tells.
 */
export function piecesOf(bytes: Buffer): Buffer | undefined {
  const root = newPlace("");
  const reading = isStream(bytes) ? readEvents(bytes) : readJson(bytes);
  if (!reading.plain) return undefined;
  for (const one of "values" in reading ? reading.values : [reading.json])
    if (one.ok && !gather(one.value, root, 1)) return undefined;
  return Buffer.concat([...piecesIn(root)].flatMap((piece) => [piece, lineEnd]));
}
