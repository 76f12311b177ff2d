/** How long answers took to come: the exchanges that a folder keeps say it. */
import type { ExchangePlace } from "../check/finding-order.ts";

/** An exchange and the milliseconds from its start to the last byte of its answer; absent where none came. */
export type TimedPlace = ExchangePlace & { readonly time?: number | undefined };

/** Milliseconds. */
export interface Times {
  /** The time of all answers, one after the other. */
  readonly all: number;
  /** The time of answers to the recordings and probes of `<interface>/<section>`. */
  of(section: string): number;
  /** The time of one answer; undefined if nobody knows. */
  at(place: ExchangePlace): number | undefined;
}

const keyOf = ({ source, exchange }: ExchangePlace): string => `${exchange} ${source}`;

export function timesOf(places: Iterable<TimedPlace>): Times {
  const sections = new Map<string, number>();
  const own = new Map<string, number>();
  let all = 0;
  for (const { source, exchange, time } of places) {
    if (time === undefined) continue;
    // Whole, so that their order makes no difference to the sums.
    const took = Math.round(time);
    const [of, section] = source.replace(/^probes\//, "").split("/");
    const name = `${of}/${section}`;
    sections.set(name, (sections.get(name) ?? 0) + took);
    own.set(keyOf({ source, exchange }), took);
    all += took;
  }
  return { all, of: (section) => sections.get(section) ?? 0, at: (place) => own.get(keyOf(place)) };
}
