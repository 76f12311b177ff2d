/** The interface of those who are notified of exchanges while they pass. */
import type { Upgraded } from "../wire/exchange.ts";

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
  /** Bytes that passed and were left out. */
  readonly requestCut?: number;
  readonly responseCut?: number;
  /** The end of a connection that left HTTP. */
  readonly upgraded?: Upgraded;
}

/**
 * Is notified of exchanges as they pass. Calls for one exchange come in order and end with `close`; bytes are lent, not
 * copied. Every call is on the hot path, before the client sees what it is about: it must be quick and must not throw.
 */
export interface ExchangeObserver {
  open(id: number, opening: Opening): void;
  requestBytes(id: number, bytes: Uint8Array): void;
  responseHead(id: number, status: number, reason: string, headers: readonly string[]): void;
  /** `at` in milliseconds since the exchange started. */
  responseBytes(id: number, bytes: Uint8Array, at: number): void;
  close(id: number, ending: Ending): void;
  /** Hands on all it was notified of so far. A promise, never rejected, while that would be lost with this process. */
  flush?(): Promise<void> | undefined;
}

/** A promise while the observer lags behind: no more is read until then, which bounds memory. */
export type Backpressure = () => Promise<void> | undefined;

/** Is notified of nothing. */
export const noObserver: ExchangeObserver = {
  open() {},
  requestBytes() {},
  responseHead() {},
  responseBytes() {},
  close() {},
};
