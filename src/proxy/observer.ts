/** What the proxy tells of exchanges while they pass, and how that becomes whole exchanges. */
import type { ChunkMark, Exchange, HeaderPairs, WireResponse } from "../wire/exchange.ts";
import { pairsOf } from "../wire/listen.ts";

/** A request's head. Headers are flat, as Node gives them: name, value, name, value. */
export interface Opening {
  readonly started: number;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  /** Absent where touchstone answers by itself. */
  readonly origin?: string;
}

/** How an exchange ended. */
export interface Ending {
  /** Milliseconds since the exchange started. */
  readonly time: number;
  readonly trailers?: readonly string[];
  readonly aborted?: "client" | "upstream";
  /** Bytes that passed and were not handed to the tape. */
  readonly requestCut?: number;
  readonly responseCut?: number;
}

/**
 * Takes exchanges in as they pass. Calls for one exchange come in order and end with `close`; bytes are lent, not
 * copied. Every call is on the hot path, before the client sees what it tells: it must be quick and must not throw.
 */
export interface Tape {
  open(id: number, opening: Opening): void;
  requestBytes(id: number, bytes: Uint8Array): void;
  responseHead(id: number, status: number, reason: string, headers: readonly string[]): void;
  /** `at` in milliseconds since the exchange started. */
  responseBytes(id: number, bytes: Uint8Array, at: number): void;
  close(id: number, ending: Ending): void;
  /** A promise, never rejected, while what was told so far would be lost with this process. */
  pending?(): Promise<void> | undefined;
}

export interface Collector extends Tape {
  /** Hands over what is still open, as broken off. */
  flush(): void;
}

/** A body of so many bytes is an exception: it gets far more room than it needs, which costs nothing until it is used. */
const large = 1 << 20;

/** Room beyond what a body needs; a system may refuse more. */
const mostSpare = 64 << 20;

/** A body put together in one growing piece of memory, so that a million small chunks cost what one large one does. */
export class Bytes {
  #bytes: Buffer = Buffer.alloc(0);
  length = 0;

  append(piece: Uint8Array): void {
    const needed = this.length + piece.length;
    if (needed > this.#bytes.length) {
      // Most bodies come in one piece, or in many.
      const room =
        this.length === 0
          ? needed
          : Math.max(needed, 8192, Math.min(this.length * (needed < large ? 4 : 16), needed + mostSpare));
      const larger = room < 4096 ? Buffer.allocUnsafe(room) : Buffer.allocUnsafeSlow(room);
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.length);
    this.length = needed;
  }

  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

interface Take {
  readonly opening: Opening;
  readonly sent: Bytes;
  head?: { readonly status: number; readonly reason: string; readonly headers: readonly string[] };
  readonly came: Bytes;
  readonly marks: [number, number][];
}

/** Beyond it, later chunks are counted to the last mark: an endless stream of single bytes must not fill the memory. */
const mostMarks = 1_000_000;

const round = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

/** A tape that puts exchanges together and hands each over when it has ended. */
export function collect(onExchange: (exchange: Exchange, id: number) => void): Collector {
  const takes = new Map<number, Take>();
  const exchangeOf = ({ opening, sent, head, came, marks }: Take, ending: Ending): Exchange => ({
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
          ...(ending.responseCut && { cut: ending.responseCut }),
        } satisfies WireResponse)
      : null,
    ...(ending.aborted && { aborted: ending.aborted }),
  });

  return {
    open(id, opening) {
      takes.set(id, { opening, sent: new Bytes(), came: new Bytes(), marks: [] });
    },
    requestBytes(id, bytes) {
      const take = takes.get(id);
      take?.sent.append(bytes);
    },
    responseHead(id, status, reason, headers) {
      const take = takes.get(id);
      if (take) take.head = { status, reason, headers };
    },
    responseBytes(id, bytes, at) {
      const take = takes.get(id);
      if (!take) return;
      take.came.append(bytes);
      const last = take.marks.at(-1);
      if (last && take.marks.length >= mostMarks) last[1] += bytes.length;
      else take.marks.push([round(at), bytes.length]);
    },
    close(id, ending) {
      const take = takes.get(id);
      takes.delete(id);
      if (!take) return;
      onExchange(exchangeOf(take, ending), id);
    },
    flush() {
      for (const [id, take] of takes) this.close(id, { time: take.marks.at(-1)?.[0] ?? 0, aborted: "client" });
    },
  };
}
