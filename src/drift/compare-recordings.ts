/** Compares two recordings by structure: reads each of them twice, first what is asked, then what is answered where the same was asked. */
import type { Catalogue } from "../check/catalogue.ts";
import type { namesFrom } from "../check/names.ts";
import { routeOfExchange } from "../check/route.ts";
import { readSubject, type Subject } from "../check/subject.ts";
import type { Judging } from "../interfaces/judging.ts";
import { createInferred } from "../verdict/inferred-names.ts";
import type { Exchange } from "../wire/exchange.ts";
import { tokensOf } from "../wire/pointer.ts";
import { createJudged, type Judged } from "./allowed.ts";
import { turnChance } from "./chance.ts";
import { changesIn } from "./compare.ts";
import type { Change, ChangeKind, DriftDocument, SeenIn } from "./document.ts";
import { schemaFilesOf } from "./document-schema.ts";
import { createOrders, type OrderChange, type Orders } from "./event-order.ts";
import { asksOf, type Matching, type Met, matchingOf, outcomeChanges, turnedOutcomes } from "./match.ts";
import { createPlaces, type Places } from "./observed-schema.ts";
import type { Side } from "./occurrence.ts";
import { askedChanges } from "./operation-counts.ts";
import type { RawChange, Share } from "./place-changes.ts";
import { refusedKeys } from "./refused.ts";
import { sentTwice } from "./repeats.ts";
import { outcomeOf, visitRequest, visitResponse } from "./structure.ts";

/** An exchange of a recording, without credentials, and what findings would call it. */
export interface Entry {
  readonly exchange: Exchange;
  readonly source: string;
  /** 0-based position in its source. */
  readonly position: number;
  readonly names: ReturnType<typeof namesFrom>;
  /** The key it is matched by, if it was read for the sake of another one. */
  readonly asks?: string;
}

/** A recording that can be read again and again. */
export interface Recording {
  entries(): AsyncIterable<Entry> | Iterable<Entry>;
}

/** One side between its two readings. */
interface Reading {
  readonly met: Met[];
  readonly where: { readonly source: string; readonly exchange: number }[];
  undocumented: number;
}

export interface CompareOptions {
  /** The second side answers the requests of the first: what is asked is the same, and is not compared. */
  readonly against?: boolean;
  /** Changes that chance alone would bring more often are left out; 1 leaves out none. */
  readonly chance?: number;
}

interface Work {
  readonly catalogue: Catalogue;
  readonly judging: Pick<Judging, "policy">;
  readonly places: Places;
  readonly orders: Orders;
  readonly judged: Judged;
  readonly inferred: ReturnType<typeof createInferred>;
}

function subjectOf({ exchange, names }: Entry, { catalogue }: Work): Subject | undefined {
  const route = routeOfExchange(catalogue.interfaces, exchange);
  return route && readSubject(exchange, route, names);
}

async function readRequests(recording: Recording, side: Side, isCompared: boolean, work: Work): Promise<Reading> {
  const reading: Reading = { met: [], where: [], undocumented: 0 };
  for await (const entry of recording.entries()) {
    const subject = subjectOf(entry, work);
    if (!subject) {
      reading.undocumented++;
      continue;
    }
    const { interface: of, operation } = subject;
    const number = reading.met.length;
    const structure = isCompared ? visitRequest(work.places, subject, side, number) : 0;
    const asks = entry.asks ?? asksOf(subject);
    reading.met.push({
      interface: of,
      operation: operation.name,
      asks,
      structure: entry.asks ?? `${of} ${operation.name} ${subject.streamed} ${structure}`,
      outcome: outcomeOf(subject),
    });
    reading.where.push({ source: entry.source, exchange: entry.position });
  }
  return reading;
}

/** Gives which of the answers that were to be compared could be read. */
async function readAnswers(
  recording: Recording,
  side: Side,
  { isCompared }: Matching,
  turned: ReadonlySet<number>,
  work: Work,
): Promise<ReadonlySet<number>> {
  const read = new Set<number>();
  let number = 0;
  for await (const entry of recording.entries()) {
    const subject = subjectOf(entry, work);
    if (!subject) continue;
    const answered = isCompared(side, number);
    if (answered && (turned.has(number) || visitResponse(work.places, work.orders, subject, side, number)))
      read.add(number);
    work.inferred.add(subject.inferred);
    work.judged.add(entry.exchange, entry.names, side, answered);
    number++;
  }
  return read;
}

/** The most telling first. */
const kinds: readonly ChangeKind[] = ["status", "type", "removed", "order", "enum", "nullability", "added", "header"];

function rawOrder({ interface: of, operation, pair, before, after, seen, of: streams }: OrderChange): RawChange {
  const shares = [0, 1].map(
    (side): Share => ({ in: seen[side]!.exchanges, of: streams[side]!, first: seen[side]!.first }),
  ) as [Share, Share];
  return {
    kind: "order",
    root: { interface: of, operation, side: "response", in: "stream", answer: "success" },
    pointer: "",
    where: [`${pair[0]} and ${pair[1]}`],
    before,
    after,
    shares,
    chance: turnChance(shares[0].in, shares[0].of, shares[1].in, shares[1].of),
    about: pair,
    count: Math.max(shares[0].in, shares[1].in),
    clause: null,
    documented: false,
  };
}

/** Whether an order is another one since one of the two things is told to be something else, or to be gone. */
const isOfOther = ({ interface: of, operation, pair }: OrderChange, changes: readonly RawChange[]): boolean =>
  changes.some(({ root, pointer }) => {
    if (root.interface !== of || root.operation !== operation || root.in !== "stream" || pointer === "") return false;
    const steps = tokensOf(pointer).filter((step) => step !== "*");
    return pair.some((thing) => `.${steps.join(".")}`.endsWith(`.${thing}`));
  });

/** Headers that changed alike in replies and in failures, as one change. */
function mergedHeaders(changes: readonly RawChange[]): RawChange[] {
  const merged = new Map<string, RawChange>();
  for (const [i, change] of changes.entries()) {
    const { kind, root, pointer, before, after } = change;
    const key = kind === "header" ? JSON.stringify([{ ...root, answer: "" }, pointer, before, after]) : String(i);
    const other = merged.get(key);
    const share = (side: Side): Share => ({
      ...other!.shares[side],
      in: other!.shares[side].in + change.shares[side].in,
      of: other!.shares[side].of + change.shares[side].of,
    });
    merged.set(
      key,
      !other
        ? change
        : {
            ...other,
            shares: [share(0), share(1)],
            chance: Math.min(other.chance, change.chance),
            count: other.count + change.count,
          },
    );
  }
  return [...merged.values()];
}

/** Whether events are alike only since what told them apart is gone, or the other way round. */
const isOfIndex = ({ about, shares, root }: RawChange, changes: readonly RawChange[]): boolean =>
  about.includes(sentTwice) &&
  changes.some(
    (other) =>
      other.root.in === "stream" &&
      other.root.interface === root.interface &&
      other.root.operation === root.operation &&
      tokensOf(other.pointer).at(-1)?.toLowerCase() === "index" &&
      (other.kind === "removed" || other.kind === "added") &&
      other.shares[1].in < other.shares[0].in === shares[1].in > shares[0].in,
  );

const rank = ({ allowed, kind, chance, exchanges }: Change): readonly number[] => [
  allowed === false ? 0 : 1,
  kinds.indexOf(kind),
  chance,
  -exchanges,
];

function byTelling(a: Change, b: Change): number {
  const [left, right] = [rank(a), rank(b)];
  for (const [i, one] of left.entries()) if (one !== right[i]) return one - right[i]!;
  const text = ({ interface: of, operation, side, in: place, pointer, where }: Change): string =>
    JSON.stringify([of, operation, side, place, pointer, where]);
  return text(a) < text(b) ? -1 : 1;
}

/** Compares two recordings; the same document for the same recordings, whatever the order of their exchanges. */
export async function compareRecordings(
  before: Recording,
  after: Recording,
  catalogue: Catalogue,
  judging: Pick<Judging, "policy">,
  { against = false, chance: most = 1 }: CompareOptions = {},
): Promise<DriftDocument> {
  const work: Work = {
    catalogue,
    judging,
    places: createPlaces(schemaFilesOf(catalogue)),
    orders: createOrders(),
    judged: createJudged(catalogue, judging.policy),
    inferred: createInferred(),
  };
  const readings = [
    await readRequests(before, 0, !against, work),
    await readRequests(after, 1, !against, work),
  ] as const;
  const met = [readings[0].met, readings[1].met] as const;
  const matched = matchingOf(met);
  const refused = refusedKeys(met);
  const isRefused = (of: string): boolean => refused.some((one) => one.interface === of);
  const matching: Matching = {
    ...matched,
    isCompared: (side, number) => !isRefused(met[side][number]!.interface) && matched.isCompared(side, number),
  };
  const turned = turnedOutcomes(met);
  const read = [
    await readAnswers(before, 0, matching, turned[0], work),
    await readAnswers(after, 1, matching, turned[1], work),
  ] as const;
  const asked = new Set(Array.from(read[1], (number) => met[1][number]!.asks));
  const seen = (side: Side, { in: shown, of, first, lacking = -1 }: Share): SeenIn => ({
    in: shown,
    of,
    example: readings[side].where[first] ?? null,
    lacking: readings[side].where[lacking] ?? null,
  });
  const found = mergedHeaders([...changesIn(work.places)]);
  const raw = [
    ...[...outcomeChanges(met, matching)].filter(({ root }) => !isRefused(root.interface)),
    ...(against ? [] : askedChanges(met)),
    ...found.filter((change) => !isOfIndex(change, found)),
    ...work.orders.changes().flatMap((order) => (isOfOther(order, found) ? [] : [rawOrder(order)])),
  ];
  const changes = raw
    .filter(({ chance }) => chance <= most)
    .map((change): Change => {
      const { root, shares } = change;
      return {
        kind: change.kind,
        interface: root.interface,
        operation: root.operation,
        side: root.side,
        in: root.in,
        pointer: change.pointer,
        where: change.where,
        before: change.before,
        after: change.after,
        count: change.count,
        exchanges: Math.max(shares[0].in, shares[1].in),
        seen: { before: seen(0, shares[0]), after: seen(1, shares[1]) },
        chance: Number(change.chance.toPrecision(3)),
        ...work.judged.verdictOn(change),
        ...(against && { move: work.judged.moverOf(change) }),
      };
    })
    .sort(byTelling);
  const counts = <T>(of: (side: Side) => T): { before: T; after: T } => ({ before: of(0), after: of(1) });
  return {
    changes,
    summary: {
      changes: changes.length,
      forbidden: changes.filter(({ allowed }) => allowed === false).length,
      exchanges: counts((side) => met[side].length),
      compared: counts((side) => read[side].size),
      alike: Array.from(read[0]).filter((number) => asked.has(met[0][number]!.asks)).length,
      unmatched: counts((side) => met[side].length - matching.compared[side]),
      unread: counts(
        (side) => met[side].filter((_, number) => matching.isCompared(side, number)).length - read[side].size,
      ),
      undocumented: counts((side) => readings[side].undocumented),
      ...(refused.length > 0 && { refused }),
      ...work.inferred.all(),
      ...(work.places.isFull() && { incomplete: true as const }),
    },
  };
}
