/** Operations that one side alone asked for. */
import { chanceOf } from "./chance.ts";
import type { Met } from "./match.ts";
import type { RawChange, Share } from "./place-changes.ts";

interface OperationCount {
  readonly one: Met;
  readonly shares: [Share, Share];
}

type Sides = readonly [readonly Met[], readonly Met[]];

/** Exchanges of both sides by operation. */
function countBy(sides: Sides): Map<string, OperationCount> {
  const counts = new Map<string, OperationCount>();
  for (const side of [0, 1] as const)
    for (const [number, one] of sides[side].entries()) {
      const none = (on: 0 | 1): Share => ({ in: 0, of: sides[on].length, first: -1 });
      const key = `${one.interface} ${one.operation}`;
      const known = counts.get(key) ?? { one, shares: [none(0), none(1)] };
      const { in: before, of, first } = known.shares[side];
      known.shares[side] = { in: before + 1, of, first: before === 0 ? number : first };
      counts.set(key, known);
    }
  return counts;
}

const isOfOneSide = ({ shares }: OperationCount): boolean => shares[0].in === 0 || shares[1].in === 0;

function changeOf({ one, shares }: OperationCount): RawChange {
  const isGone = shares[1].in === 0;
  return {
    kind: isGone ? "removed" : "added",
    root: { interface: one.interface, operation: one.operation, side: "request", in: "body", answer: "" },
    pointer: "",
    where: ["the operation"],
    before: isGone ? "asked for" : null,
    after: isGone ? null : "asked for",
    shares,
    chance: chanceOf(shares[0].in, shares[0].of, shares[1].in, shares[1].of),
    about: [],
    count: Math.max(shares[0].in, shares[1].in),
    clause: null,
    // A client may ask for anything.
    documented: true,
  };
}

/** Operations that one side alone has, where the two have any in common. */
export function* askedChanges(sides: Sides): Generator<RawChange> {
  const operations = [...countBy(sides).values()];
  if (!operations.some((asked) => !isOfOneSide(asked))) return;
  for (const asked of operations) if (isOfOneSide(asked)) yield changeOf(asked);
}
