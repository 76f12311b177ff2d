/** Says of a change whether the document allows what is there now, by which clause, and whose move it is: by judging both sides. */
import type { Catalogue } from "../check/catalogue.ts";
import type { Policy } from "../check/clause.ts";
import { anywhere } from "../check/groups.ts";
import { judge } from "../check/judge.ts";
import type { Names } from "../check/names.ts";
import type { Exchange } from "../wire/exchange.ts";
import { tokensOf } from "../wire/pointer.ts";
import type { Mover } from "./document.ts";
import type { Side } from "./occurrence.ts";
import type { RawChange } from "./place-changes.ts";
import { pieceTwice, sentTwice } from "./repeats.ts";

/** The findings at one place, by clause. */
type Found = Map<string, Set<string>>;

/** The document's word on the two sides of a change. */
export interface Allowed {
  /** Whether the new state is allowed, and whether the old one was; null if the document says nothing. */
  readonly allowed: boolean | null;
  readonly allowedBefore: boolean | null;
  /** The clause that speaks of it. */
  readonly clause: string | null;
}

export interface Judged {
  /** @param answered whether its answer is compared as well; else only what was asked is judged */
  add(exchange: Exchange, names: Names, side: Side, answered: boolean): void;
  /** Whether the document allows what is there after the change, and the clause that speaks of it. */
  verdictOn(change: RawChange): Allowed;
  /** The party that would have to move, if the first side is the vendor and the second a target. */
  moverOf(change: RawChange): Mover;
}

const repeats: ReadonlySet<string> = new Set([pieceTwice, sentTwice]);

export function createJudged(catalogue: Catalogue, policy: Policy): Judged {
  const sides: readonly [Found, Found] = [new Map(), new Map()];
  const keyOf = (of: string, operation: string, side: string, place: string, pointer: string): string =>
    JSON.stringify([of, operation, side, place, pointer]);

  /** The keys of what was found on a side, in order; made again where more was found since. */
  const ordered: [string[], string[]] = [[], []];
  function keysOf(side: Side): readonly string[] {
    if (ordered[side].length !== sides[side].size) ordered[side] = [...sides[side].keys()].sort();
    return ordered[side];
  }

  /** Clauses that are broken on a side by what the value at the place of a change holds. */
  function* brokenBelow({ root, pointer }: RawChange, side: Side): Generator<string> {
    // Without the end of the text and of the list: what all keys of places below begin with.
    const start = keyOf(root.interface, root.operation, root.side, root.in, `${pointer}/`).slice(0, -2);
    const keys = keysOf(side);
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle]! < start) low = middle + 1;
      else high = middle;
    }
    for (let i = low; i < keys.length && keys[i]!.startsWith(start); i++) yield* sides[side].get(keys[i]!)!;
  }

  /** Clauses that are broken at the place of a change on a side. */
  function brokenAt({ root, pointer, kind, about }: RawChange, side: Side): readonly string[] {
    const at = (place: string): Iterable<string> =>
      sides[side].get(keyOf(root.interface, root.operation, root.side, place, pointer)) ?? [];
    const ofThings = about.length > 0 ? brokenAbout(root, about, side) : [];
    if (kind === "order" || ofThings.length > 0 || about.some((thing) => repeats.has(thing))) return ofThings;
    // If a message as a whole is another one, the fault may be its status, its body, or data of its events.
    if (pointer === "" && root.in !== "headers")
      return [
        ...at(root.in),
        ...["status", "body", "stream"].flatMap((place) => (place === root.in ? [] : [...at(place)])),
      ];
    const there = [...at(root.in)];
    return there.length > 0 || root.in !== "stream" ? there : brokenByAbsence(root, pointer, side);
  }

  /** Clauses that a stream as a whole breaks by a lack, if a rule on all of it demands what the place is named after. */
  function brokenByAbsence(root: RawChange["root"], pointer: string, side: Side): string[] {
    const name = tokensOf(pointer).findLast((token) => token !== "*");
    const ofWhole = sides[side].get(keyOf(root.interface, root.operation, root.side, root.in, ""));
    return name === undefined ? [] : [...(ofWhole ?? [])].filter((id) => speaksOf(id, [name]));
  }

  /** Whether a rule, which points to no place, is about things. */
  function speaksOf(id: string, things: readonly string[]): boolean {
    const { kind, says } = catalogue.clauses[catalogue.indexOf(id)]!;
    return kind === "behaviour" && things.some((thing) => says.includes(thing));
  }

  /** Rules on a stream as a whole point to an event that came too early, too late or again. Their subject tells which they are. */
  function brokenAbout(root: RawChange["root"], about: readonly string[], side: Side): readonly string[] {
    const things = about.map((thing) => thing.split(".").at(-1)!);
    const found: string[] = [];
    for (const [key, clauses] of sides[side]) {
      const [of, operation, on, place] = JSON.parse(key) as string[];
      if (of !== root.interface || operation !== root.operation || on !== "response" || place !== "stream") continue;
      for (const id of clauses) if (speaksOf(id, things)) found.push(id);
    }
    return found;
  }

  /** A clause that the value which came breaks somewhere within, and that the other side did not break there. */
  function firstBelow(change: RawChange): string | undefined {
    const before = new Set(brokenBelow(change, 0));
    for (const id of brokenBelow(change, 1)) if (!before.has(id)) return id;
    return undefined;
  }

  function verdictOn(change: RawChange): Allowed {
    const { kind, pointer, documented, clause } = change;
    const [before, after] = [brokenAt(change, 0), brokenAt(change, 1)];
    const isNew = (id: string): boolean => !before.includes(id);
    const broken =
      after.find(isNew) ??
      // A finding at the whole of a message may be about anything in it, and is about the change only if it is new.
      (pointer !== "" && (kind !== "added" || !documented) ? after.find((id) => id === clause) : undefined) ??
      // Changes below a value that came are told nowhere else.
      (kind === "added" && pointer !== "" ? firstBelow(change) : undefined);
    // Nothing allows or forbids it at its place.
    const otherwise = documented ? true : null;
    if (broken !== undefined)
      return { allowed: false, allowedBefore: before.includes(broken) ? false : otherwise, clause: broken };
    // A clause that forbade it, or demanded what was missing, and no longer does.
    const mended = before.find((id) => !after.includes(id));
    if (mended !== undefined) return { allowed: true, allowedBefore: false, clause: mended };
    return { allowed: otherwise, allowedBefore: otherwise, clause };
  }

  return {
    add(exchange, names, side, answered) {
      const judgement = judge(exchange, { source: "", exchange: 0 }, catalogue, { names, policy, maxPerGroup: 0 });
      if (judgement.interface === null || judgement.operation === null) return;
      for (const { clause, level, side: of, in: place, pointer } of judgement.groups) {
        if (level === "note" || pointer === anywhere || (of === "response" && !answered)) continue;
        // A clause with basis `field` forbids nothing.
        if (catalogue.clauses[catalogue.indexOf(clause)]!.basis === "field") continue;
        const key = keyOf(judgement.interface, judgement.operation, of, place, pointer);
        const known = sides[side].get(key);
        if (known) known.add(clause);
        else sides[side].set(key, new Set([clause]));
      }
    },
    verdictOn,
    moverOf(change) {
      const { allowed, allowedBefore } = verdictOn(change);
      if (allowed === false) return "target";
      if (allowedBefore === false || (change.pointer !== "" && brokenAt(change, 0).length > 0)) return "vendor";
      return allowed === true ? "nobody" : "document";
    },
  };
}
