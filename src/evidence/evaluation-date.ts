/** Checks the date used to evaluate expiring known failures. */
import type { Recorded } from "../cassette/format.ts";
import type { Problem } from "./compare.ts";
import { type Manifest, manifestName } from "./manifest.ts";

/** Clocks of several machines, and a run around midnight, differ by no more. */
const tolerance = 24 * 60 * 60 * 1000;

/** Times in milliseconds, from first to last. */
interface Span {
  readonly first: number;
  readonly last: number;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** When exchanges began, as far as they say it; undefined where none does. */
function spanOf(exchanges: readonly Recorded[]): Span | undefined {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { exchange } of exchanges) {
    if (exchange.started === undefined) continue;
    first = Math.min(first, exchange.started);
    last = Math.max(last, exchange.started);
  }
  return first <= last ? { first, last } : undefined;
}

/** Whether a day is one of a span, by UTC, or lies beside it. */
function isWithin(today: string, { first, last }: Span): boolean {
  const day = Date.parse(today);
  return day >= Date.parse(dayOf(first)) - tolerance && day <= Date.parse(dayOf(last)) + tolerance;
}

/**
 * A day on which nothing of this happened: it would make expectations count that had expired.
 * @param today `YYYY-MM-DD`, for which expectations were read
 * @param told where it stands: a file, and how it is called there
 */
export function* dayAmiss(
  today: string,
  told: { readonly file: string; readonly member: string },
  { started, command, judging }: Pick<Manifest, "started" | "command" | "judging">,
  exchanges: readonly Recorded[],
): Generator<Problem> {
  const began = Date.parse(started);
  if (Number.isNaN(began)) {
    yield { file: manifestName, what: `started is ${started}, which is no time` };
    return;
  }
  const passed = spanOf(exchanges);
  const last = Math.max(began, passed?.last ?? began);
  const tell = (what: string): Problem => ({ file: told.file, what: `${told.member} is ${today}, but ${what}` });
  // A session records for as long as its user likes, and what a check judges may be of any age.
  if (judging) {
    if (!isWithin(today, { first: began, last })) yield tell(`the manifest says it began on ${dayOf(began)}`);
    return;
  }
  // Shards are put together, and expectations then read anew, whenever somebody asks for it.
  const isPutTogether = command[1] === "report";
  if (!isPutTogether && !isWithin(today, { first: began, last: began }))
    yield tell(`the manifest says the run began on ${dayOf(began)}`);
  if (passed && !isWithin(today, isPutTogether ? { first: passed.first, last } : passed)) {
    const days = [...new Set([dayOf(passed.first), dayOf(passed.last)])];
    yield tell(`its exchanges passed ${days.length === 1 ? "on" : "from"} ${days.join(" to ")}`);
  }
}
