/** Compares what was met on the two sides of every place, and gives each change once, where it begins. */
import type { Place, Places } from "./observed-schema.ts";
import {
  emptinessChange,
  isMet,
  nullabilityChange,
  presenceChange,
  type RawChange,
  type Share,
  typeChange,
  valuesChange,
} from "./place-changes.ts";
import { pieceTwice } from "./repeats.ts";
import { ofBody, type RootName, spelling } from "./structure.ts";

const holdsOn = ({ sides }: Place): boolean => sides[0].objects.exchanges > 0 && sides[1].objects.exchanges > 0;

/** The part that is told already above a place: the shares of exchanges in which its content may have gone, or come, along with what holds it. */
interface Turns {
  readonly removed: number;
  readonly added: number;
}

const noTurns: Turns = { removed: 0, added: 0 };

/** A place that is still to be compared. */
interface Open {
  readonly place: Place;
  readonly told: Turns;
}

const rate = ({ in: shown, of }: Share): number => (of === 0 ? 0 : shown / of);

/** Whether something only went, or only came. */
function turnOf({ kind, shares }: RawChange): keyof Turns | undefined {
  if (kind === "removed" || kind === "added") return kind;
  if (shares[1].in === 0) return "removed";
  return shares[0].in === 0 ? "added" : undefined;
}

/** Whether it went or came along with what is told already. */
function isTold(change: RawChange, told: Turns): boolean {
  const turn = turnOf(change);
  if (turn === undefined) return false;
  // A member that only some objects have is in all of them if the others went, and the other way round.
  const isPartly = change.before !== null && change.after !== null && change.kind === turn;
  const most = isPartly ? Math.max(told.removed, told.added) : told[turn];
  return most > 0 && Math.abs(rate(change.shares[0]) - rate(change.shares[1])) <= most;
}

/** A member that came or went takes along whatever is below it. */
function withPresence(told: Turns, change: RawChange | undefined): Turns {
  const turn = change && turnOf(change);
  return turn === undefined ? told : { ...told, [turn]: Number.POSITIVE_INFINITY };
}

/** A value of another type takes along the content of the values whose place it took. */
const withType = (told: Turns, { shares }: RawChange): Turns => ({
  removed: Math.max(told.removed, rate(shares[1])),
  added: Math.max(told.added, rate(shares[0])),
});

/** Whether it is a piece of text that follows itself in a few streams, as in what models write. A stream that is sent on twice shows it in most. */
const isChance = ({ where: [label], shares }: RawChange): boolean =>
  label === pieceTwice && !(Math.min(...shares.map(rate)) === 0 && Math.max(...shares.map(rate)) >= 0.5);

/** The members of an object that both sides have, those whose presence changed told. */
function* membersOf(root: RootName, holder: Place, told: Turns, open: Open[]): Generator<RawChange> {
  if (!holdsOn(holder)) return;
  for (const place of holder.members.values()) {
    if (holder.isMap && place.described.parts.length === 0) continue;
    const change = presenceChange(root, place);
    if (change && !isTold(change, told) && !isChance(change)) yield change;
    if (isMet(place)) open.push({ place, told: withPresence(told, change) });
  }
}

/** All changes below the roots; below what is on one side only there are none. */
export function* changesIn(places: Places): Generator<RawChange> {
  for (const [key, start] of places.roots) {
    const root = JSON.parse(key) as RootName;
    const open: Open[] = [];
    if (!isMet(start)) continue;
    if (root.schema === spelling || root.schema === ofBody) yield* membersOf(root, start, noTurns, open);
    else open.push({ place: start, told: noTurns });
    for (let next = open.pop(); next; next = open.pop()) {
      const { place, told } = next;
      let below = told;
      for (const compared of [nullabilityChange, typeChange, emptinessChange, valuesChange]) {
        const change = compared(root, place);
        if (!change) continue;
        if (!isTold(change, below)) yield change;
        if (compared !== valuesChange) below = withType(below, change);
      }
      for (const holder of [place, ...place.variants.values()]) yield* membersOf(root, holder, below, open);
      if (place.items && isMet(place.items)) open.push({ place: place.items, told: below });
    }
  }
}
