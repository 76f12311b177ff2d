/** Words on a run that was compared with a baseline: what fails upstream as well, here alone, and there alone. */
import { inheritedIn, mendedIn } from "../verdict/baseline.ts";
import type { Upstream } from "../verdict/document.ts";
import type { Baseline, RunResults } from "../verdict/run-results.ts";
import { isRun, type Results } from "./options.ts";
import { inheritedText } from "./outline.ts";
import { plural } from "./plural.ts";

/** Names that one line tells. */
const maxNames = 5;

/** `a, b, and 3 more`. */
function listed(names: readonly string[]): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

/** The place of the upstream: its address, or the name that it has. */
export const upstreamName = ({ name, url }: Baseline): string =>
  url === null ? "the embedded reference implementation" : name === undefined ? url : `${name}, ${url}`;

/** How a failure stands in the baseline, in one phrase; empty without a baseline. */
export function upstreamText(upstream: Upstream | undefined): string {
  switch (upstream?.outcome) {
    case undefined:
      return "";
    case "fails":
      return "also fails upstream";
    case "passes":
      return "does not fail upstream";
    case "not-shown":
      return "not shown upstream";
    case "differs":
      return upstream.onlyIn
        ? `also fails upstream, but not in ${listed(upstream.onlyIn)}`
        : "also fails upstream, in another way";
  }
}

/** Features that are not offered here, though the upstream answered the requests that ask for them. */
export const lostFeatures = (results: RunResults): string[] => [
  ...new Set(
    results.incidents.flatMap(({ explainedBy, upstream }) =>
      explainedBy !== undefined && upstream?.outcome === "passes" ? [explainedBy] : [],
    ),
  ),
];

/** Recordings of a run that its baseline was not sent. */
function unsentIn({ plan, baseline }: RunResults): { readonly recordings: number; readonly of: number } {
  const sent = plan.cassettes.filter(({ skipped }) => skipped === undefined);
  const there = new Set(baseline?.recordings);
  return { recordings: sent.filter(({ source }) => !there.has(source)).length, of: sent.length };
}

/** Whether a run sent probes that its baseline may not have been sent. */
function hasOtherProbes({ plan, baseline }: RunResults): boolean {
  const there = new Map((baseline?.probes ?? []).map((one) => [one.interface, one.requests]));
  return (plan.probes ?? []).some((one) => there.get(one.interface) !== one.requests);
}

export interface BaselineLine {
  readonly says: string;
  /** The ids and sources that it counts. */
  readonly names: readonly string[];
}

/** A line each: what fails upstream as well, what does only there, what is offered only there, and how far the baseline goes. */
export function baselineLines(results: Results): BaselineLine[] {
  if (!isRun(results) || !results.baseline) return [];
  const { baseline } = results;
  const { clauses, warnings, incidents } = inheritedIn(results);
  const shared = inheritedText(results, true);
  const mended = mendedIn(results);
  const lost = lostFeatures(results);
  const { recordings, of } = unsentIn(results);
  const place = upstreamName(baseline);
  return [
    shared === ""
      ? { says: `Compared with upstream (${place}): nothing fails in both`, names: [] }
      : {
          says: `Also fails upstream (${place}): ${shared}`,
          names: [...clauses, ...new Set(incidents.map(({ source }) => source)), ...warnings],
        },
    ...(mended.clauses.length + mended.sources.length > 0
      ? [
          {
            says: `Fails upstream and not here: ${[
              ...(mended.clauses.length > 0 ? [plural(mended.clauses.length, "clause")] : []),
              ...(mended.sources.length > 0
                ? [`${plural(mended.sources.length, "recording")} not answered as recorded`]
                : []),
            ].join(", ")}`,
            names: [...mended.clauses, ...mended.sources],
          },
        ]
      : []),
    ...(lost.length > 0 ? [{ says: `Offered upstream and not here: ${listed(lost)}`, names: lost }] : []),
    ...(recordings > 0
      ? [{ says: `The baseline was not sent ${recordings} of the ${plural(of, "recording")}`, names: [] }]
      : []),
    ...(hasOtherProbes(results) ? [{ says: "The baseline was sent other probes, or none", names: [] }] : []),
  ];
}
