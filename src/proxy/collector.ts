/** An observer that puts whole exchanges together. */
import type { ChunkMark, Exchange, HeaderPairs, WireResponse } from "../wire/exchange.ts";
import { pairsOf } from "../wire/listen.ts";
import { GrowingBuffer } from "./growing-buffer.ts";
import type { Ending, ExchangeObserver, Opening } from "./observer.ts";

/** The state of an exchange that has not ended. */
export interface UnderWay {
  readonly id: number;
  /** Bytes of the bodies so far, pieces of the response's, and when the last one came, in milliseconds since the exchange started. */
  readonly sent: number;
  readonly came: number;
  readonly pieces: number;
  readonly last: number | undefined;
  /** The exchange as if its client broke it off now: bodies are lent until more comes. */
  readonly soFar: () => Exchange;
}

export interface Collector extends ExchangeObserver {
  /** Exchanges that have not ended, in the order they began. */
  underWay(): readonly UnderWay[];
  /** Hands on what has not ended, as broken off by its client. */
  endOpen(): void;
}

/** An exchange that has not ended. */
interface OpenExchange {
  readonly opening: Opening;
  readonly sent: GrowingBuffer;
  head?: { readonly status: number; readonly reason: string; readonly headers: readonly string[] };
  readonly came: GrowingBuffer;
  readonly marks: [number, number][];
}

/** Chunks whose times are kept; later ones are counted to the last: an endless stream of single bytes must not fill the memory. */
const maxMarks = 1_000_000;

const round = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** Puts exchanges together from what it observes, and hands each on when it has ended. */
export function collectExchanges(onExchange: (exchange: Exchange, id: number) => void): Collector {
  const exchanges = new Map<number, OpenExchange>();
  const exchangeOf = ({ opening, sent, head, came, marks }: OpenExchange, ending: Ending): Exchange => ({
    ...(opening.origin !== undefined && { origin: opening.origin }),
    started: opening.started,
    request: {
      method: opening.method,
      target: opening.target,
      headers: pairsOf(opening.headers),
      body: sent.whole(),
      ...(ending.requestCut && { cut: ending.requestCut }),
    },
    response: head
      ? ({
          status: head.status,
          reason: head.reason,
          headers: pairsOf(head.headers),
          body: came.whole(),
          chunks: marks satisfies readonly ChunkMark[],
          ...(ending.trailers?.length && { trailers: pairsOf(ending.trailers) satisfies HeaderPairs }),
          time: round(ending.time),
          ...(ending.upgraded && { upgraded: ending.upgraded }),
          ...(ending.responseCut && { cut: ending.responseCut }),
        } satisfies WireResponse)
      : null,
    ...(ending.aborted && { aborted: ending.aborted }),
  });

  return {
    open(id, opening) {
      exchanges.set(id, { opening, sent: new GrowingBuffer(), came: new GrowingBuffer(), marks: [] });
    },
    requestBytes(id, bytes) {
      const exchange = exchanges.get(id);
      exchange?.sent.append(bytes);
    },
    responseHead(id, status, reason, headers) {
      const exchange = exchanges.get(id);
      if (exchange) exchange.head = { status, reason, headers };
    },
    responseBytes(id, bytes, at) {
      const exchange = exchanges.get(id);
      if (!exchange) return;
      exchange.came.append(bytes);
      const last = exchange.marks.at(-1);
      if (last && exchange.marks.length >= maxMarks) last[1] += bytes.length;
      else exchange.marks.push([round(at), bytes.length]);
    },
    close(id, ending) {
      const exchange = exchanges.get(id);
      exchanges.delete(id);
      if (!exchange) return;
      onExchange(exchangeOf(exchange, ending), id);
    },
    underWay: () =>
      Array.from(exchanges, ([id, exchange]) => {
        const { sent, came, marks } = exchange;
        const last = marks.at(-1)?.[0];
        const soFar = (): Exchange => exchangeOf(exchange, { time: last ?? 0, aborted: "client" });
        return { id, sent: sent.length, came: came.length, pieces: marks.length, last, soFar };
      }),
    endOpen() {
      for (const [id, exchange] of exchanges)
        this.close(id, { time: exchange.marks.at(-1)?.[0] ?? 0, aborted: "client" });
    },
  };
}
