/** Names what of a folder cannot be judged again: bodies that were too large, or too many, to be kept whole, and masked values. */
import type { SentJson } from "../cassette/format.ts";
import type { ExchangePlace } from "../check/finding-order.ts";
import { plural } from "../report/plural.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Problem } from "./compare.ts";

export interface KeptInPart {
  /** Whether anything was cut: then no verdict, number or group of all exchanges follows from those that are there. */
  readonly any: boolean;
  /** The part that cannot be judged again, in one sentence; undefined if all can. */
  readonly sentence: string | undefined;
  /** Whether a difference may come of what is missing. */
  readonly mayExplain: (difference: Omit<Problem, "file">) => boolean;
}

/** Sources that a sentence names. */
const maxNamed = 3;

/** A group of as many findings may list others than these. */
const fewFindings = 100;

/** @param findings how many the results list */
export function keptInPart(kept: readonly (ExchangePlace & Pick<SentJson, "whole">)[], findings: number): KeptInPart {
  const cut = kept.filter(({ whole }) => whole !== undefined);
  // The next request of a scenario, and what several of its answers show together, rest on each of them.
  const sources = new Set(cut.map(({ source }) => source));
  const named = [...sources].slice(0, maxNamed).join(", ");
  const more = sources.size > maxNamed ? ` and ${sources.size - maxNamed} more` : "";
  return {
    any: cut.length > 0,
    sentence:
      cut.length === 0
        ? undefined
        : `${plural(cut.length, "exchange")} kept in part, too much to be judged again: of ${named}${more}`,
    mayExplain: ({ source, what }) =>
      cut.length > 0 &&
      (source === undefined || sources.has(source) || (findings >= fewFindings && what.includes("is missing"))),
  };
}

/** Says which verdicts rest on values that were masked after they were judged; undefined if none do. */
export function maskedVerdicts(kept: readonly Exchange[]): string | undefined {
  const judged = kept.filter(({ request, response }) => request.judged ?? response?.judged);
  if (judged.length === 0) return undefined;
  const verdicts = judged.flatMap(({ request, response }) => [request.judged ?? [], response?.judged ?? []].flat());
  const violated = verdicts.flatMap(({ violations }) => violations.map(({ clause }) => clause));
  const clauses = new Set([...verdicts.flatMap((one) => one.clauses), ...violated]);
  const named = [...clauses].sort().slice(0, maxNamed).join(", ");
  const more = clauses.size > maxNamed ? ` and ${clauses.size - maxNamed} more` : "";
  return `verdicts on masked values in ${plural(judged.length, "exchange")}, ${plural(violated.length, "violation")} among them: of ${named}${more}; the recorder judged the values before it masked them`;
}
