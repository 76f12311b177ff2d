/** Puts requests that were never answered into words: a warning in every report, since no clause speaks of them. */
import type { RunResults, UnansweredRequest } from "../verdict/run-results.ts";
import { printable } from "./clean.ts";
import { isRun, type ReportOptions, type Results } from "./options.ts";
import type { Paint } from "./paint.ts";
import { plural } from "./plural.ts";

/** Requests that a report on one screen names. */
const maxNamed = 3;
/** Places that a list names. */
const maxPlaces = 20;

/** Unanswered requests of one operation. */
export interface UnansweredGroup {
  readonly interface: string;
  readonly operation: string;
  /** The recording or group of probes of the first. */
  readonly source: string;
  readonly count: number;
  /** `2 requests were never answered` */
  readonly says: string;
  /** `probes/messages/request/top-k-type #2 (4 times: the connection was reset)` */
  readonly places: readonly string[];
}

/** The place of an unanswered request, and how its last try ended. */
export const unansweredPlace = ({ source, exchange, problem, tries }: UnansweredRequest): string =>
  `${source.replace(/\.jsonl?$/, "")} #${exchange} (${tries === undefined ? "" : `${tries} times: `}${problem})`;

const says = (count: number): string => `${plural(count, "request")} ${count === 1 ? "was" : "were"} never answered`;

/** By interface and operation, in the order of their first request. */
export function unansweredGroups({ unanswered = [] }: Pick<RunResults, "unanswered">): UnansweredGroup[] {
  const groups = new Map<string, UnansweredRequest[]>();
  for (const one of unanswered) {
    const key = `${one.interface} ${one.operation}`;
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map((list) => ({
    interface: list[0]!.interface,
    operation: list[0]!.operation,
    source: list[0]!.source,
    count: list.length,
    says: says(list.length),
    places: [
      ...list.slice(0, maxPlaces).map(unansweredPlace),
      ...(list.length > maxPlaces ? [`and ${list.length - maxPlaces} more`] : []),
    ],
  }));
}

/** One line of a report for a terminal; empty if all requests were answered. */
export function unansweredLine(results: Results, { verbose = false }: ReportOptions, paint: Paint): string {
  const { unanswered = [] } = isRun(results) ? results : {};
  if (unanswered.length === 0) return "";
  const named = unanswered.slice(0, verbose ? unanswered.length : maxNamed).map(unansweredPlace);
  const more = unanswered.length - named.length;
  const rest = more > 0 ? `; and ${more} more (--verbose lists them)` : "";
  return `${paint("NEVER ANSWERED", "yellow")} ${says(unanswered.length)} and decided nothing: ${printable(named.join("; "))}${rest}`;
}
