/** Reads values of JSON that have to be of one kind, and names the place of what is not. */
import { UserError } from "../user-error.ts";
import type { HeaderPairs } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { pointer } from "../wire/pointer.ts";

/** The value that does not fit. Its place is put together on the way out, so that what fits costs nothing for it. */
class Misfit extends Error {
  readonly path: (string | number)[] = [];
}

export type Members = Readonly<Record<string, unknown>>;
export type Read<T> = (value: unknown) => T;

export function refuse(wanted: string): never {
  throw new Misfit(wanted);
}

/** Reads what stands under a key; a complaint about it gets the key. */
export function under<T>(key: string | number, value: unknown, read: Read<T>): T {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof Misfit) error.path.unshift(key);
    throw error;
  }
}

/** Reads a member that may be absent. */
export const optional = <T>(members: Members, key: string, read: Read<T>): T | undefined =>
  members[key] === undefined ? undefined : under(key, members[key], read);

export const object: Read<Members> = (value) => (isObject(value) ? value : refuse("an object"));
export const list: Read<readonly unknown[]> = (value) => (Array.isArray(value) ? value : refuse("a list"));
export const text: Read<string> = (value) => (typeof value === "string" ? value : refuse("a string"));
export const number: Read<number> = (value) =>
  typeof value === "number" && value >= 0 ? value : refuse("a number from 0 up");
export const base64: Read<string> = (value) =>
  /^[A-Za-z0-9+/]*={0,2}$/.test(text(value)) ? (value as string) : refuse("base64");

/** Reads every item; complaints get its position. */
export function items<T>(value: unknown, read: Read<T>): T[] {
  const all = list(value);
  const made: T[] = [];
  for (let i = 0; i < all.length; i++) made.push(under(i, all[i], read));
  return made;
}

export const texts: Read<string[]> = (value) => items(value, text);

const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && typeof value[1] === "string";

function pair(value: unknown): readonly [string, string] {
  const { length, 0: name, 1: content } = list(value);
  if (length !== 2) refuse("a pair of name and value");
  return [under(0, name, text), under(1, content, text)];
}

/** Every exchange has many pairs, nearly all of which fit: only those that do not are read one by one. */
export const pairs: Read<HeaderPairs> = (value) =>
  Array.isArray(value) && value.every(isPair) ? (value as unknown as HeaderPairs) : items(value, pair);

/** Reads a value that stands at `path` of `source`; what does not fit becomes UserError. */
export function readAt<T>(source: string, path: readonly (string | number)[], value: unknown, read: Read<T>): T {
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const place = [...path, ...error.path];
    throw new UserError(
      `${source}: ${place.length === 0 ? "the document" : pointer(...place)} is not ${error.message}`,
      "Mend that place by hand, or record the session again.",
    );
  }
}
