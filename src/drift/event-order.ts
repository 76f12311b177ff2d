/** Records the order of stream events: for each pair, which comes first and which last. */
import type { Subject } from "../check/subject.ts";
import { newOccurrence, type Occurrence, type Side, see } from "./occurrence.ts";

/** How two things followed one another on one side, by relation. */
type Relations = Map<string, Occurrence>;

interface OfOperation {
  readonly interface: string;
  readonly operation: string;
  /** By the names of both, in alphabetical order. */
  readonly pairs: Map<string, readonly [Relations, Relations]>;
  /** Streams of each side. */
  readonly streams: [number, number];
  /** One stream of each relation, written out: by side, pair and relation. */
  readonly examples: Map<string, string>;
}

/** An order that changed. */
export interface OrderChange {
  readonly interface: string;
  readonly operation: string;
  /** The two things of which it is told. */
  readonly pair: readonly [string, string];
  /** Streams as what they brought, in order. */
  readonly before: string;
  readonly after: string;
  /** Streams of one side in an order that the other side never has, and all of them. */
  readonly seen: readonly [Occurrence, Occurrence];
  readonly of: readonly [number, number];
}

export interface Orders {
  /** @param brought what each event brings */
  add(subject: Subject, side: Side, exchange: number, brought: readonly (readonly string[])[]): void;
  changes(): OrderChange[];
}

/** Things that are told apart in one stream. */
const maxThings = 24;
const shownSteps = 14;

const relation = (a: number, b: number): string => (a < b ? "<" : a > b ? ">" : "=");

/** A stream in one line: what follows itself is named once. */
function written(brought: readonly (readonly string[])[]): string {
  const steps: string[] = [];
  let last = "";
  for (const names of brought) {
    const step = names.join("+").slice(0, 80);
    if (step !== "" && step !== last && steps.length <= shownSteps) steps.push(step);
    if (step !== "") last = step;
  }
  return steps.length > shownSteps ? `${steps.slice(0, shownSteps).join(", ")}, …` : steps.join(", ");
}

export function createOrders(): Orders {
  const operations = new Map<string, OfOperation>();
  return {
    add({ interface: of, operation: { name } }, side, exchange, brought) {
      const key = `${of} ${name}`;
      const known = operations.get(key) ?? {
        interface: of,
        operation: name,
        pairs: new Map(),
        streams: [0, 0] as [number, number],
        examples: new Map(),
      };
      operations.set(key, known);
      known.streams[side]++;
      const places = new Map<string, [first: number, last: number]>();
      for (const [at, names] of brought.entries())
        for (const one of names) {
          const place = places.get(one);
          if (place) place[1] = at;
          else if (places.size < maxThings) places.set(one, [at, at]);
        }
      const things = [...places].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [i, [a, [firstA, lastA]]] of things.entries())
        for (const [b, [firstB, lastB]] of things.slice(i + 1)) {
          const pair = JSON.stringify([a, b]);
          const relations = known.pairs.get(pair) ?? [new Map(), new Map()];
          known.pairs.set(pair, relations);
          const how = relation(firstA, firstB) + relation(lastA, lastB);
          const seen = relations[side].get(how) ?? newOccurrence();
          relations[side].set(how, seen);
          see(seen, exchange);
          const example = `${side} ${how} ${pair}`;
          if (!known.examples.has(example)) known.examples.set(example, written(brought));
        }
    },
    changes: () => [...operations.values()].flatMap((one) => changeOf(one) ?? []),
  };
}

/** The pair whose order changed in the most streams; undefined where none did. */
function changeOf({ interface: of, operation, pairs, streams, examples }: OfOperation): OrderChange | undefined {
  let best: { readonly change: OrderChange; readonly weight: number } | undefined;
  for (const [pair, sides] of pairs) {
    if (sides[0].size === 0 || sides[1].size === 0) continue;
    const news = ([0, 1] as const).map((side) => [...sides[side]].filter(([how]) => !sides[1 - side]!.has(how)));
    const [gone, come] = news as [[string, Occurrence][], [string, Occurrence][]];
    if (gone.length === 0 && come.length === 0) continue;
    const most = (list: [string, Occurrence][], all: Relations): [string, Occurrence] =>
      [...(list.length > 0 ? list : all)].sort(([, a], [, b]) => b.exchanges - a.exchanges)[0]!;
    const [before, after] = [most(gone, sides[0]), most(come, sides[1])];
    const example = (side: Side, how: string): string => examples.get(`${side} ${how} ${pair}`) ?? "";
    const weight = (gone[0]?.[1].exchanges ?? 0) + (come[0]?.[1].exchanges ?? 0);
    if (best && best.weight >= weight) continue;
    const change = {
      interface: of,
      operation,
      pair: JSON.parse(pair) as [string, string],
      before: example(0, before[0]),
      after: example(1, after[0]),
      seen: [gone.length > 0 ? before[1] : newOccurrence(), come.length > 0 ? after[1] : newOccurrence()] as const,
      of: [...streams] as const,
    };
    best = { change, weight };
  }
  return best?.change;
}
