/** Matches exchanges of two recordings with the same request: by the canonical form that the player uses, else by the structure of the request. */
import type { Subject } from "../check/subject.ts";
import { createDigester } from "../play/digest.ts";
import { patternOf } from "../play/request-pattern.ts";
import { treeOf } from "../play/wildcards.ts";
import { turnChance } from "./chance.ts";
import type { Side } from "./occurrence.ts";
import type { RawChange, Share } from "./place-changes.ts";
import type { Outcome } from "./structure.ts";

/** The data kept of an exchange between the two readings of a recording. */
export interface Met {
  readonly interface: string;
  readonly operation: string;
  /** The same for exchanges that ask alike to the letter. */
  readonly asks: string;
  /** The same for exchanges whose requests have one structure. */
  readonly structure: string;
  readonly outcome: Outcome;
}

/** The canonical request as one short text; whatever stands before the operation's own path is left out, as a gateway adds it. */
export function asksOf({ exchange, interface: of, operation }: Subject): string {
  const { request, wildcards } = patternOf(exchange.request);
  const at = operation.at(request.path);
  const own = { ...request, path: at < 0 ? request.path : request.path.slice(at) };
  const places = wildcards.map(({ path }) => path).sort();
  return `${of} ${request.method} ${JSON.stringify(places)} ${createDigester(own).digest(treeOf(wildcards))}`;
}

/** Exchanges of one side, those of an operation together. */
type ByOperation = ReadonlyMap<string, readonly number[]>;

const operationOf = ({ interface: of, operation }: Met): string => `${of} ${operation}`;

function grouped(met: readonly Met[], keyOf: (one: Met) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [number, one] of met.entries()) {
    const group = groups.get(keyOf(one));
    if (group) group.push(number);
    else groups.set(keyOf(one), [number]);
  }
  return groups;
}

export interface Matching {
  /** Exchanges whose answers are compared, by side and number. */
  readonly isCompared: (side: Side, exchange: number) => boolean;
  readonly compared: readonly [number, number];
}

/** Answers are compared if both sides have a request of the same structure. If no exchange of an operation has one, all of it is compared. */
export function matchingOf(sides: readonly [readonly Met[], readonly Met[]]): Matching {
  const shapes = sides.map((met) => new Set(met.map(({ structure }) => structure)));
  const both = (side: Side, one: Met): boolean => shapes[1 - side]!.has(one.structure);
  const operations: ByOperation[] = sides.map((met) => grouped(met, operationOf));
  const compared = sides.map(() => new Set<number>());
  for (const [operation, before] of operations[0]!) {
    const after = operations[1]!.get(operation);
    if (!after) continue;
    const lists = [before, after].map((list, side) =>
      list.filter((number) => both(side as Side, sides[side]![number]!)),
    );
    for (const side of [0, 1] as const)
      for (const number of lists[0]!.length > 0 ? lists[side]! : [before, after][side]!) compared[side]!.add(number);
  }
  return {
    isCompared: (side, exchange) => compared[side]!.has(exchange),
    compared: [compared[0]!.size, compared[1]!.size],
  };
}

/** Exchanges of both sides that are compared with one another: those that ask the same to the letter, else by structure. */
function groupsOf(sides: readonly [readonly Met[], readonly Met[]]): Map<string, number[]>[] {
  const asked = sides.map((met) => new Set(met.map(({ asks }) => asks)));
  return sides.map((met, side) =>
    grouped(met, (one) => (asked[1 - side]!.has(one.asks) ? one.asks : `structure ${one.structure}`)),
  );
}

/** The kind of an answer, whatever it says: a reply or a failure, and of which kind; undefined if nobody can tell. */
const kindOf = ({ outcome: { status, body } }: Met): string | undefined => body && `${status.startsWith("2")} ${body}`;

/**
 * Exchanges that were answered by something else on the other side: a failure for a reply, or JSON for a stream. That is the
 * change; other content of such answers tells nothing of those that were there before.
 */
export function turnedOutcomes(sides: readonly [readonly Met[], readonly Met[]]): readonly [Set<number>, Set<number>] {
  const turned = [new Set<number>(), new Set<number>()] as const;
  const groups = groupsOf(sides);
  for (const [key, before] of groups[0]!) {
    const both = [before, groups[1]!.get(key) ?? []] as const;
    if (both[1].length === 0) continue;
    const outcomes = both.map((list, side) => list.map((number) => sides[side as Side][number]!));
    for (const side of [0, 1] as const) {
      const own = new Set(outcomes[side]!.map(({ outcome }) => outcome.status));
      const others = outcomes[1 - side]!;
      const there = new Set(others.map(({ outcome }) => outcome.status));
      const kindsOf = (list: readonly Met[]) => new Set(list.map(kindOf));
      // A status that took the place of another: what else was asked there, such as without a key, says nothing of it.
      const replaced = others.filter(({ outcome }) => !own.has(outcome.status));
      const ofNew = kindsOf(replaced.length > 0 ? replaced : others);
      const ofKnown = kindsOf(others);
      for (const number of both[side]) {
        const one = sides[side][number]!;
        const kinds = there.has(one.outcome.status) ? ofKnown : ofNew;
        const kind = kindOf(one);
        if (kind !== undefined && !kinds.has(undefined) && !kinds.has(kind)) turned[side].add(number);
      }
    }
  }
  return turned;
}

/** Outcomes of one side of a group of exchanges that ask the same: by status, then by body, the exchanges. */
type Outcomes = Map<string, Map<string, number[]>>;

function outcomesIn(met: readonly Met[], numbers: readonly number[]): Outcomes {
  const outcomes: Outcomes = new Map();
  for (const number of numbers) {
    const { status, body = "" } = met[number]!.outcome;
    const bodies = outcomes.get(status) ?? new Map<string, number[]>();
    outcomes.set(status, bodies);
    const same = bodies.get(body);
    if (same) same.push(number);
    else bodies.set(body, [number]);
  }
  return outcomes;
}

/** A change of outcomes with the exchanges that show it. */
interface Shift {
  readonly kind: "status" | "type";
  readonly one: Met;
  readonly before: string;
  readonly after: string;
  readonly numbers: readonly [number[], number[]];
}

const names = (values: Iterable<string>): string => [...values].sort().join(", ");

function* shiftsOf(one: Met, [before, after]: readonly [Outcomes, Outcomes]): Generator<Shift> {
  const only = <T>(mine: ReadonlyMap<string, T>, theirs: ReadonlyMap<string, T>): T[] =>
    [...mine].filter(([key]) => !theirs.has(key)).map(([, value]) => value);
  /** The outcomes that took each other's place; all of them if something only came or went. */
  const named = (mine: ReadonlyMap<string, unknown>, theirs: ReadonlyMap<string, unknown>) => {
    const keys = [[...mine.keys()], [...theirs.keys()]] as const;
    const turned = [keys[0].filter((key) => !theirs.has(key)), keys[1].filter((key) => !mine.has(key))] as const;
    const [was, is] = turned.every((list) => list.length > 0) ? turned : keys;
    return { before: names(was), after: names(is) };
  };
  const [gone, come] = [only(before, after), only(after, before)];
  if (gone.length > 0 || come.length > 0)
    yield {
      kind: "status",
      one,
      ...named(before, after),
      numbers: [
        gone.flatMap((bodies) => [...bodies.values()].flat()),
        come.flatMap((bodies) => [...bodies.values()].flat()),
      ],
    };
  for (const [status, bodies] of before) {
    const now = after.get(status);
    // A body that cannot be read says nothing.
    if (!now || bodies.has("") || now.has("")) continue;
    const [lost, won] = [only(bodies, now).flat(), only(now, bodies).flat()];
    if (lost.length > 0 || won.length > 0) yield { kind: "type", one, ...named(bodies, now), numbers: [lost, won] };
  }
}

/** Statuses and kinds of bodies that changed, where the same was asked; alike to the letter if that was so, else in structure. */
export function* outcomeChanges(
  sides: readonly [readonly Met[], readonly Met[]],
  { isCompared }: Matching,
): Generator<RawChange> {
  const groups = groupsOf(sides);
  const shifts = new Map<string, Shift>();
  for (const [key, before] of groups[0]!) {
    const after = groups[1]!.get(key);
    if (!after) continue;
    const one = sides[0][before[0]!]!;
    for (const shift of shiftsOf(one, [outcomesIn(sides[0], before), outcomesIn(sides[1], after)])) {
      const name = JSON.stringify([operationOf(one), shift.kind, shift.before, shift.after]);
      const known = shifts.get(name);
      if (!known) shifts.set(name, shift);
      else
        for (const side of [0, 1] as const) for (const number of shift.numbers[side]) known.numbers[side].push(number);
    }
  }
  const counts = sides.map((met, side) => {
    const counted = new Map<string, number>();
    for (const [number, one] of met.entries())
      if (isCompared(side as Side, number)) counted.set(operationOf(one), (counted.get(operationOf(one)) ?? 0) + 1);
    return counted;
  });
  for (const { kind, one, before, after, numbers } of shifts.values()) {
    const shares = ([0, 1] as const).map((side): Share => {
      const list = numbers[side];
      return { in: list.length, of: counts[side]!.get(operationOf(one)) ?? 0, first: list[0] ?? -1 };
    }) as [Share, Share];
    yield {
      kind,
      root: {
        interface: one.interface,
        operation: one.operation,
        side: "response",
        in: kind === "status" ? "status" : "body",
        answer: "",
      },
      pointer: "",
      where: [],
      before,
      after,
      shares,
      chance: turnChance(shares[0].in, shares[0].of, shares[1].in, shares[1].of),
      about: [],
      count: Math.max(numbers[0].length, numbers[1].length),
      clause: null,
      documented: false,
    };
  }
}
