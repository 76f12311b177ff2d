/** Words to write down what a document allows, as makers of legal values. */
import type { Chance } from "./chance.ts";

/** Makes a legal value; undefined leaves the member out. */
export type Make = (chance: Chance) => unknown;
export type Members = Readonly<Record<string, unknown>>;

/** One of these, each as likely. */
export const among =
  (...values: readonly unknown[]): Make =>
  ({ pick }) =>
    pick(values);

/** Makes one of these. */
export const oneOf =
  (...makes: readonly Make[]): Make =>
  (chance) =>
    chance.pick(makes)(chance);

/** The type allows null as well. */
export const orNull =
  (make: Make): Make =>
  (chance) =>
    chance.once(5) ? null : make(chance);

/** A number from `least` to `most`, its ends as likely as all between. */
export const number =
  (least: number, most: number): Make =>
  ({ below }) =>
    [least, most, least + ((most - least) * below(1000)) / 1000][below(3)];

export const integer =
  (least: number, most: number): Make =>
  ({ below }) =>
    [least, most, Math.min(most, least + 1), least + below(most - least + 1)][below(4)];

export const boolean: Make = among(true, false);

/** Makes so many items, the fewest and the most as likely as any number between. */
export const list =
  (item: Make, least: number, most: number): Make =>
  (chance) =>
    Array.from({ length: integer(least, most)(chance) as number }, () => item(chance));

/** Characters of one to four bytes, of one and two UTF-16 units, and such that JSON must escape. */
const characters = [
  "a",
  "Z",
  "7",
  " ",
  "é",
  "ß",
  "漢",
  "\u{1F600}",
  "\u{1D11E}",
  '"',
  "\\",
  "/",
  "\n",
  "\t",
  "\u0001",
  "\u2028",
];

/** Text of `least` to `most` code points; in full length it is often all astral. */
export const text =
  (least = 0, most = 40): Make =>
  (chance) => {
    const length = integer(least, most)(chance) as number;
    if (chance.once(4)) return "\u{1F600}".repeat(length);
    return Array.from({ length }, () => chance.pick(characters)).join("");
  };

/** Text of certain characters only. */
export const word =
  (alphabet: string, least: number, most: number): Make =>
  (chance) =>
    Array.from({ length: integer(least, most)(chance) as number }, () => chance.pick([...alphabet])).join("");

/** Members no document knows: new ones, empty ones, and one that has broken many a program. */
export const strangers = ["x_trace", "vendor:extra", "", "__proto__", "été", "constructor"];
export const strangeValues = [1, "text", null, true, [], {}, [{ deep: [null] }]];

/** Sets a member for what it is, `__proto__` included. */
export function setMember(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

interface ObjectOptions {
  /** Unknown members would change what the object means, e.g. that of a map. */
  readonly exact?: boolean;
}

/**
 * An object with all of `required`, any of `optional`, members in any order, and now and then one nobody knows.
 * A null may stand for an optional member that is absent: that warns, and no more (reading X-NULL).
 */
export const object =
  (
    required: Readonly<Record<string, Make>>,
    optional: Readonly<Record<string, Make>> = {},
    options: ObjectOptions = {},
  ): Make =>
  (chance) => {
    const members: [string, unknown][] = Object.entries(required).map(([name, make]) => [name, make(chance)]);
    const often = 1 + chance.below(4);
    for (const [name, make] of Object.entries(optional))
      if (chance.once(often)) members.push([name, chance.once(40) ? null : make(chance)]);
    if (!options.exact && chance.once(12)) members.push([chance.pick(strangers), chance.pick(strangeValues)]);
    const made = {};
    for (const [name, value] of chance.shuffled(members)) if (value !== undefined) setMember(made, name, value);
    return made;
  };

/** A map from names to values. */
export const map =
  (name: Make, value: Make, least: number, most: number): Make =>
  (chance) => {
    const made = {};
    const count = integer(least, most)(chance) as number;
    for (let i = 0; i < count; i++) setMember(made, String(name(chance)), value(chance));
    return made;
  };

/** Base64 of some bytes, in a form the readings allow. */
export const base64: Make = ({ below, pick }) => {
  const bytes = Buffer.from(Array.from({ length: 1 + below(20) }, () => below(256)));
  return bytes.toString(pick(["base64", "base64", "base64url"] as const));
};
