/** The law that a stream arrives as it is made, not all at once when the whole reply would be there. */
import type { Grade } from "../../../check/clause.ts";
import type { Law } from "../../../check/law.ts";
import { inWords } from "../../../check/unquoted.ts";
import type { ChunkMark, Exchange } from "../../../wire/exchange.ts";
import { headerValue, isEventStream } from "../../../wire/headers.ts";
import { parseEvents } from "../../../wire/sse.ts";
import { type Facts, faultOf, type ReadFacts, type Replied, repliesOf } from "./facts.ts";
import { pairsOf } from "./twins.ts";

/** Fewer pieces of text may come at once, and a shorter wait may be that for the first of them. */
const minPieces = 5;
const minWaitMs = 2_000;

/** No model makes a piece in less: pieces that come faster were made before. Behind a queue a fast model takes more for each. */
const fastestPieceMs = 1;

/** A wait of more a piece is hardly one for pieces: a model that is loaded, or a queue. */
const slowestPieceMs = 1_000;

const reading: Grade = { id: "X-INCREMENTAL", default: "warning", strict: "error" };

/** When the last byte of a reply came, in milliseconds; 0 where nobody kept it. */
const endOf = ({ member: { subject } }: Replied): number => {
  const { chunks, time } = subject.exchange.response ?? {};
  return chunks?.at(-1)?.[0] ?? time ?? 0;
};

/** When the first and the last piece of a stream's text came, in milliseconds. */
interface Arrival {
  readonly first: number;
  readonly last: number;
}

/** When the byte before a position came. */
function arrivalOf(chunks: readonly ChunkMark[], position: number): number {
  let size = 0;
  for (const [at, length] of chunks) if ((size += length) >= position) return at;
  return chunks.at(-1)?.[0] ?? 0;
}

/** When the text of a stream came; undefined where that cannot be told. */
function arrivalOfText({ facts, member: { subject } }: Replied): Arrival | undefined {
  const { response } = subject.exchange;
  const [only, ...others] = response?.chunks ?? [];
  if (!response || !only) return undefined;
  if (others.length === 0) return { first: only[0], last: only[0] };
  if (headerValue(response.headers, "content-encoding") !== undefined) return undefined;
  const pieces = facts.pieces.filter(({ text }) => text !== "");
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last) return undefined;
  const { events } = parseEvents(response.body);
  const arrival = ({ event }: Facts["pieces"][number]): number =>
    arrivalOf(response.chunks!, events[event + 1]?.offset ?? response.body.length);
  return { first: arrival(first), last: arrival(last) };
}

/** Whether text came at once, after a wait in which its pieces may well have been made one after the other. */
function isLate({ first, last }: Arrival, pieces: number): boolean {
  const isAtOnce = last - first < pieces * fastestPieceMs;
  return isAtOnce && first >= minWaitMs && first <= pieces * slowestPieceMs;
}

/** All of a stream in one piece after four seconds, which the whole reply takes, too. */
const late = (exchange: Exchange): Exchange => {
  const { response } = exchange;
  if (!response) return exchange;
  return { ...exchange, response: { ...response, time: 4_000, chunks: [[4_000, response.body.length]] } };
};

/** A stream of many pieces does not come at once after as long a wait as every whole reply takes. */
export function arrivesInPieces(clause: string, read: ReadFacts): Law {
  const concerned = (replies: readonly Replied[]) =>
    pairsOf(replies).filter(
      ({ stream }) =>
        stream.facts.pieces.length >= minPieces && stream.member.subject.exchange.response?.chunks !== undefined,
    );
  return {
    clause,
    applies: (members) => concerned(repliesOf(members, read)).length > 0,
    *check(members) {
      for (const { whole, again, stream } of concerned(repliesOf(members, read))) {
        const { length } = stream.facts.pieces;
        const arrival = arrivalOfText(stream);
        if (!arrival || !isLate(arrival, length)) continue;
        // If one of them came soon, the wait was no time in which replies are made.
        if ([whole, ...(again ? [again] : [])].some((one) => endOf(one) < arrival.first / 2)) continue;
        const actual = inWords(`all ${length} pieces of text at once, after ${(arrival.first / 1000).toFixed(1)} s`);
        yield faultOf(
          stream,
          { value: actual, spot: { in: "stream", event: 0, pointer: "" } },
          { expected: "events that arrive one after the other while the reply is made", reading },
        );
      }
    },
    spoil: (exchanges) => (exchanges.some(({ response }) => isEventStream(response)) ? exchanges.map(late) : undefined),
  };
}
