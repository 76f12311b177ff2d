/** Notifies the observer of one exchange: with times, within limits, and of exactly one end. */

import type { Upgraded } from "../wire/exchange.ts";
import type { Ending, ExchangeObserver } from "./observer.ts";
import type { WriteAhead } from "./write-ahead.ts";

/** Bounds on what is kept of bodies. Bytes beyond them pass all the same and are counted as cut. */
export interface BodyLimits {
  /** Bytes of each body. */
  readonly maxBody: number;
  /** Bytes that the bodies of all open exchanges may still take together. */
  left: number;
}

export interface ObservedExchange extends WriteAhead {
  requestBytes(bytes: Uint8Array): void;
  responseHead(status: number, reason: string, headers: readonly string[]): void;
  /** Whether the observer took any of it. */
  responseBytes(bytes: Uint8Array): boolean;
  /** The connection has left HTTP; what passed is asked for at the end. */
  upgraded(passed: () => Upgraded): void;
  /** Only the first call counts. */
  end(aborted?: Ending["aborted"], trailers?: readonly string[]): void;
}

/**
 * Notifies the observer that an exchange has begun.
 * @param missing how many bytes of the request's body have not come where so many have: one at least while it has not ended
 */
export function observe(
  observer: ExchangeObserver,
  writeAhead: WriteAhead,
  id: number,
  request: { readonly method: string; readonly target: string; readonly headers: readonly string[] },
  origin: string | undefined,
  limits: BodyLimits,
  missing: (had: number) => number,
): ObservedExchange {
  const start = performance.now();
  const kept = { request: 0, response: 0 };
  const cut = { request: 0, response: 0 };
  let over = false;
  let passed: (() => Upgraded) | undefined;

  /** The part of a piece that fits below the limits. */
  function fitting(side: "request" | "response", bytes: Uint8Array): Uint8Array | undefined {
    const room = Math.max(0, Math.min(limits.maxBody - kept[side], limits.left));
    const fits = bytes.length <= room ? bytes : bytes.subarray(0, cut[side] > 0 ? 0 : room);
    kept[side] += fits.length;
    limits.left -= fits.length;
    cut[side] += bytes.length - fits.length;
    return fits.length > 0 ? fits : undefined;
  }

  observer.open(id, { started: Date.now(), ...request, ...(origin !== undefined && { origin }) });
  return {
    requestBytes(bytes) {
      const fits = over ? undefined : fitting("request", bytes);
      if (fits) observer.requestBytes(id, fits);
    },
    responseHead(status, reason, headers) {
      if (!over) observer.responseHead(id, status, reason, headers);
    },
    responseBytes(bytes) {
      const fits = over ? undefined : fitting("response", bytes);
      if (fits) observer.responseBytes(id, fits, performance.now() - start);
      return fits !== undefined;
    },
    upgraded(asked) {
      passed = asked;
    },
    end(aborted, trailers) {
      if (over) return;
      over = true;
      limits.left += kept.request + kept.response;
      // An answer may end before the request does. A body that was broken off is known to lack its end.
      if (!aborted) cut.request += missing(kept.request + cut.request);
      observer.close(id, {
        time: performance.now() - start,
        ...(aborted && { aborted }),
        ...(trailers?.length && { trailers }),
        ...(cut.request && { requestCut: cut.request }),
        ...(cut.response && { responseCut: cut.response }),
        ...(passed && { upgraded: passed() }),
      });
    },
    holdBack: writeAhead.holdBack,
    whenFlushed: writeAhead.whenFlushed,
  };
}
