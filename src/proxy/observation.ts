/** One exchange's entries on the tape: times, caps, and exactly one end. */
import type { Handover } from "./handover.ts";
import type { Ending, Tape } from "./observer.ts";

/** Bounds on what is kept of bodies. What exceeds them passes all the same and is counted as cut. */
export interface Caps {
  /** Bytes of each body. */
  readonly maxBody: number;
  /** Bytes that the bodies of all open exchanges may still take together. */
  left: number;
}

export interface Recording extends Handover {
  requestBytes(bytes: Uint8Array): void;
  responseHead(status: number, reason: string, headers: readonly string[]): void;
  /** Whether the tape took any of it. */
  responseBytes(bytes: Uint8Array): boolean;
  /** Only the first call counts. */
  end(aborted?: Ending["aborted"], trailers?: readonly string[]): void;
}

/**
 * Opens an exchange on the tape. `missing` tells how many bytes of the request have not come where so many have: at least one
 * while it has not ended.
 */
export function record(
  tape: Tape,
  handover: Handover,
  id: number,
  request: { readonly method: string; readonly target: string; readonly headers: readonly string[] },
  origin: string | undefined,
  caps: Caps,
  missing: (had: number) => number,
): Recording {
  const start = performance.now();
  const kept = { request: 0, response: 0 };
  const cut = { request: 0, response: 0 };
  let over = false;

  /** The part of a piece that fits below the caps. */
  function fitting(side: "request" | "response", bytes: Uint8Array): Uint8Array | undefined {
    const room = Math.max(0, Math.min(caps.maxBody - kept[side], caps.left));
    const fits = bytes.length <= room ? bytes : bytes.subarray(0, cut[side] > 0 ? 0 : room);
    kept[side] += fits.length;
    caps.left -= fits.length;
    cut[side] += bytes.length - fits.length;
    return fits.length > 0 ? fits : undefined;
  }

  tape.open(id, { started: Date.now(), ...request, ...(origin !== undefined && { origin }) });
  return {
    requestBytes(bytes) {
      const fits = over ? undefined : fitting("request", bytes);
      if (fits) tape.requestBytes(id, fits);
    },
    responseHead(status, reason, headers) {
      if (!over) tape.responseHead(id, status, reason, headers);
    },
    responseBytes(bytes) {
      const fits = over ? undefined : fitting("response", bytes);
      if (fits) tape.responseBytes(id, fits, performance.now() - start);
      return fits !== undefined;
    },
    end(aborted, trailers) {
      if (over) return;
      over = true;
      caps.left += kept.request + kept.response;
      // An answer may end before the request does. What was broken off is known to lack its end.
      if (!aborted) cut.request += missing(kept.request + cut.request);
      tape.close(id, {
        time: performance.now() - start,
        ...(aborted && { aborted }),
        ...(trailers?.length && { trailers }),
        ...(cut.request && { requestCut: cut.request }),
        ...(cut.response && { responseCut: cut.response }),
      });
    },
    hold: handover.hold,
    kept: handover.kept,
  };
}
