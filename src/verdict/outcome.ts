/** What a whole document comes to: does the target conform? */
import type { ClauseVerdict, Upstream, VerdictDocument } from "./document.ts";
import { isGood } from "./feature-outcome.ts";
import type { Incident, RunResults } from "./run-results.ts";

/** `0` conforms, `1` does not, `2` we failed or did not finish. */
export type ExitCode = 0 | 1 | 2;

/** The exit code of a judged document that is no run. */
export function exitCodeOf(document: VerdictDocument): ExitCode {
  const { failing, broken, stale } = redsOf(document);
  if (!document.complete || broken.length > 0) return 2;
  return failing.length + stale.length > 0 ? 1 : 0;
}

/** The reasons why a run is red, apart from its being incomplete. */
export interface Reds {
  readonly failing: readonly ClauseVerdict[];
  /** Without those that something explains which the target does not offer. */
  readonly incidents: readonly Incident[];
  /** Requests that were rate limited to the last: they fail nothing, but the run is not whole. */
  readonly limited: readonly Incident[];
  readonly broken: readonly ClauseVerdict[];
  readonly stale: readonly string[];
}

/** Whether the baseline fails alike, so that it is no fault of the target. */
export const isInherited = ({ upstream }: { readonly upstream?: Upstream }): boolean => upstream?.outcome === "fails";

/** Failures that nobody admitted to and that the baseline does not share, and admissions nobody needs. */
export function redsOf({
  clauses,
  incidents = [],
  expectations,
}: Pick<VerdictDocument, "clauses" | "expectations"> & Partial<Pick<RunResults, "incidents">>): Reds {
  return {
    failing: clauses.filter((clause) => clause.verdict === "fail" && !clause.expected && !isInherited(clause)),
    incidents: incidents.filter(
      (one) => one.kind !== "rate-limited" && !one.expected && one.explainedBy === undefined && !isInherited(one),
    ),
    limited: incidents.filter(({ kind }) => kind === "rate-limited"),
    broken: clauses.filter(({ verdict }) => verdict === "broken"),
    stale: expectations?.stale ?? [],
  };
}

/** Whether a run got no good answer at all, since all that it asked was refused: nothing can be said of such a target. */
export function isRefusedThroughout({ incidents, answers }: RunResults): boolean {
  const isOfAll = ({ kind, explainedBy, interface: of }: Incident): boolean => kind === "refused" && explainedBy === of;
  return incidents.some(isOfAll) && answers !== undefined && !answers.some(isGood);
}

/** The exit code of a run. */
export function runExitCode(results: RunResults): ExitCode {
  const { failing, incidents, limited, broken, stale } = redsOf(results);
  if (!results.complete || broken.length > 0) return 2;
  if (failing.length + incidents.length + stale.length > 0) return 1;
  return limited.length > 0 || isRefusedThroughout(results) ? 2 : 0;
}

/** The exit code of a run that is to say whether a client can use the target, whatever else fails; `2` where that was not shown. */
export function clientExitCode(results: RunResults, name: string): ExitCode {
  if (!results.complete || redsOf(results).broken.length > 0) return 2;
  const outcome = results.clients?.find((client) => client.name === name)?.outcome;
  if (outcome === undefined || outcome === "not shown") return 2;
  return outcome === "not served" && !isUnservedUpstream(results, name) ? 1 : 0;
}

/** Whether the baseline does not serve a client either, for all the reasons for which the target does not. */
export function isUnservedUpstream({ clients, baseline }: RunResults, name: string): boolean {
  const here = clients?.find((client) => client.name === name);
  const there = baseline?.unserved?.find((client) => client.name === name);
  if (here?.outcome !== "not served" || !there) return false;
  const reasons = new Set(there.because);
  return here.because.every((reason) => reasons.has(reason));
}
