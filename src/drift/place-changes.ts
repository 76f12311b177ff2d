/** Makes the changes of one place: presence, types, null, values and emptiness, each with its shares and its chance. */
import { excerptPointer } from "../check/excerpt.ts";
import { chanceOf, turnChance } from "./chance.ts";
import type { ChangeKind } from "./document.ts";
import { clauseAt } from "./document-schema.ts";
import { labelsOf, type Place, pointerOf, type Sums, types } from "./observed-schema.ts";
import type { Occurrence, Side } from "./occurrence.ts";
import { sentTwice } from "./repeats.ts";
import { ofBody, type RootName } from "./structure.ts";

/** In how many exchanges of how many it is so, and in which first. */
export interface Share {
  readonly in: number;
  readonly of: number;
  /** Number of an exchange on its side; -1 where there is none. */
  readonly first: number;
  /** The number of the first exchange that could show it, if none does. */
  readonly lacking?: number;
}

/** A change that nobody has judged yet. */
export interface RawChange {
  readonly kind: ChangeKind;
  readonly root: Omit<RootName, "schema">;
  readonly pointer: string;
  /** The variant of an object, or the line of a stream. */
  readonly where: readonly string[];
  readonly before: string | null;
  readonly after: string | null;
  readonly shares: readonly [Share, Share];
  readonly chance: number;
  /** The subject of a change of a stream as a whole, in the document's words. */
  readonly about: readonly string[];
  /** How often the side that shows it shows it. */
  readonly count: number;
  /** The clause that describes the place, and whether the documents know it at all. */
  readonly clause: string | null;
  readonly documented: boolean;
}

/** The types of a value, in words. */
function typesText({ types: met }: Sums): string {
  const names = types.filter((type) => met.has(type)).map((type) => (type === "integer" ? "whole number" : type));
  return names.join(" or ");
}

/** The observations at a place, in words. */
function metText(place: Place, sums: Sums): string {
  if (place.label === sentTwice) return listed(sums.values.keys());
  return typesText(sums) || "there";
}

type Presence = "never" | "sometimes" | "always";

function presenceIn(place: Place, side: Side): Presence {
  const { seen, always } = place.sides[side];
  if (seen.exchanges === 0) return "never";
  return always === place.parent!.sides[side].objects.exchanges ? "always" : "sometimes";
}

/** @param whole the exchanges that could show it */
const share = (seen: Pick<Occurrence, "exchanges" | "first"> | undefined, whole: Occurrence): Share => {
  const { exchanges: shown, first } = seen ?? { exchanges: 0, first: -1 };
  return { in: shown, of: whole.exchanges, first, ...(first < 0 && { lacking: whole.first }) };
};

/** Things that come to be told of a stream as a whole: which parts of it, and which events. */
const aboutOf = ({ in: where, schema }: RootName, place: Place): string[] =>
  where !== "stream" || schema !== ofBody
    ? []
    : [...labelsOf(place), ...place.sides.flatMap(({ values }) => [...values.keys()])];

function rawOf(
  kind: ChangeKind,
  root: RootName,
  place: Place,
  [before, after]: readonly [string | null, string | null],
  shares: readonly [Share, Share],
  count: number,
  clause: string | undefined,
  chanceBy = chanceOf,
): RawChange {
  const { schema, ...rest } = root;
  return {
    kind: root.in === "headers" ? "header" : kind,
    root: rest,
    pointer: excerptPointer(pointerOf(place)),
    where: labelsOf(place),
    before,
    after,
    shares,
    chance: chanceBy(shares[0].in, shares[0].of, shares[1].in, shares[1].of),
    about: aboutOf(root, place),
    count,
    clause: clause ?? null,
    documented: place.described.parts.length > 0,
  };
}

/** How a member came or went; undefined where it is there as it was. */
export function presenceChange(root: RootName, place: Place): RawChange | undefined {
  const [was, is] = [presenceIn(place, 0), presenceIn(place, 1)];
  const holder = place.parent!;
  if (was === is) return undefined;
  const isAdded = was === "never" || is === "always";
  const [before, after] = place.sides;
  const partly = was !== "never" && is !== "never";
  const text = (presence: Presence, sums: Sums): string | null =>
    presence === "never" ? null : partly ? `${metText(place, sums)}, ${presence}` : metText(place, sums);
  const shareOf = (sums: Sums, side: Side): Share => {
    const { seen, always } = sums;
    return share({ exchanges: partly ? always : seen.exchanges, first: seen.first }, holder.sides[side].objects);
  };
  const clause =
    clauseAt(holder.described, ["required"], place.token) ??
    clauseAt(place.described, ["present", "type", "const", "enum"]) ??
    clauseAt(holder.described, ["closed"]);
  return rawOf(
    isAdded ? "added" : "removed",
    root,
    place,
    [text(was, before), text(is, after)],
    [shareOf(before, 0), shareOf(after, 1)],
    Math.abs(after.seen.count - before.seen.count) || Math.max(after.seen.count, before.seen.count),
    clause,
  );
}

/** The things on one side only, of several that are counted there. */
function onlyIn<K>(mine: ReadonlyMap<K, Occurrence>, theirs: ReadonlyMap<K, Occurrence>): [K, Occurrence][] {
  return [...mine].filter(([key]) => !theirs.has(key));
}

/** All of them as one: the exchanges of the most frequent, since who has one may have another. */
function together(list: readonly (readonly [unknown, Occurrence])[]): Occurrence | undefined {
  return list.map(([, seen]) => seen).sort((a, b) => b.exchanges - a.exchanges)[0];
}

export function typeChange(root: RootName, place: Place): RawChange | undefined {
  const [before, after] = place.sides;
  const values = ({ types: met }: Sums) => new Map([...met].filter(([type]) => type !== "null"));
  const [was, is] = [values(before), values(after)];
  if (was.size === 0 || is.size === 0) return undefined;
  const [gone, come] = [onlyIn(was, is), onlyIn(is, was)];
  if (gone.length === 0 && come.length === 0) return undefined;
  const [lost, won] = [together(gone), together(come)];
  return rawOf(
    "type",
    root,
    place,
    [typesText(before), typesText(after)],
    [share(lost, before.seen), share(won, after.seen)],
    (won ?? lost)!.count,
    clauseAt(place.described, ["type"]),
    turnChance,
  );
}

export function nullabilityChange(root: RootName, place: Place): RawChange | undefined {
  const [before, after] = place.sides;
  const nulls = [before.types.get("null"), after.types.get("null")] as const;
  const value = ({ types: met }: Sums) => together([...met].filter(([type]) => type !== "null"));
  const values = [value(before), value(after)] as const;
  const isNew = (nulls[0] === undefined) !== (nulls[1] === undefined);
  const isFilled = nulls[0] !== undefined && (values[0] === undefined) !== (values[1] === undefined);
  if (!isNew && !isFilled) return undefined;
  const told = isNew ? nulls : values;
  return rawOf(
    "nullability",
    root,
    place,
    [typesText(before), typesText(after)],
    [share(told[0], before.seen), share(told[1], after.seen)],
    (told[1] ?? told[0])!.count,
    clauseAt(place.described, ["type"]),
  );
}

const listed = (values: Iterable<string>): string => {
  const all = [...values].sort();
  return all.length > 12 ? `${all.slice(0, 12).join(", ")}, … (${all.length})` : all.join(", ");
};

/** Characters of a list of values within which what changed is seen at once. */
const shortList = 90;

/**
 * The values of both sides. For a header, the values that took each other's place, since streams and failures have other values
 * beside it. For long lists, the items that went and came.
 */
function valuesText(
  root: RootName,
  sides: readonly [ReadonlyMap<string, Occurrence>, ReadonlyMap<string, Occurrence>],
  turned: readonly [readonly [string, Occurrence][], readonly [string, Occurrence][]],
): readonly [string, string] {
  const all = sides.map((values) => listed(values.keys())) as [string, string];
  const own = turned.map((list) => listed(list.map(([value]) => value))) as [string, string];
  if (root.in === "headers" && own.every((text) => text !== "")) return own;
  if (all.every((text) => text.length <= shortList)) return all;
  const both = sides[0].size - turned[0].length;
  const others = `${both} ${both === 1 ? "other" : "others"}`;
  const text = (mine: string): string => (both === 0 ? mine : mine === "" ? others : `${mine} and ${others}`);
  return [text(own[0]), text(own[1])];
}

export function valuesChange(root: RootName, place: Place): RawChange | undefined {
  const [before, after] = place.sides;
  if (before.values.size === 0 || after.values.size === 0) return undefined;
  const [gone, come] = [onlyIn(before.values, after.values), onlyIn(after.values, before.values)];
  if (gone.length === 0 && come.length === 0) return undefined;
  const [lost, won] = [together(gone), together(come)];
  return rawOf(
    "enum",
    root,
    place,
    valuesText(root, [before.values, after.values], [gone, come]),
    [share(lost, before.seen), share(won, after.seen)],
    (won ?? lost)!.count,
    clauseAt(place.described, ["const", "enum", "type"]) ??
      clauseAt(place.parent?.described ?? place.described, ["closed"]),
    turnChance,
  );
}

/** Whether a list that held something is always empty now, or the other way round. */
export function emptinessChange(root: RootName, place: Place): RawChange | undefined {
  const { items } = place;
  const [was, is] = place.sides.map(({ types: met }) => met.get("list"));
  if (!items || !was || !is || isMet(items)) return undefined;
  const [before, after] = items.sides;
  const isGone = before.seen.exchanges > 0;
  const told = ["a list that holds something", "an empty list"] as const;
  return rawOf(
    isGone ? "removed" : "added",
    root,
    place,
    isGone ? told : [told[1], told[0]],
    [share(before.seen, was), share(after.seen, is)],
    (isGone ? before : after).seen.count,
    clauseAt(place.described, ["minItems", "type"]),
  );
}

/** Whether both sides have it. */
export const isMet = ({ sides }: Place): boolean => sides[0].seen.exchanges > 0 && sides[1].seen.exchanges > 0;
