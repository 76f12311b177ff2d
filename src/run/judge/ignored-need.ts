/** Detects replies that ignore a feature their request asked for. The feature is not offered, and no clause fails. */
import { isStrict, type Policy } from "../../check/clause.ts";
import type { Interface } from "../../check/interface.ts";
import type { UnmetNeed } from "../../check/interface-signs.ts";
import type { Evidence } from "../../verdict/evidence.ts";
import type { Incident } from "../../verdict/run-results.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { valuesIn } from "./request-failure.ts";

export interface IgnoredNeed extends UnmetNeed {
  readonly incident: Pick<Incident, "kind" | "problem" | "notOffered">;
}

/**
 * The need that a reply ignored, where judging holds that against it; undefined where a strict reading keeps the violation.
 * @param judged what judging the answer showed
 */
export function ignoredNeed(
  of: Interface | undefined,
  { request, response }: Exchange,
  judged: Evidence,
  policy: Policy,
): IgnoredNeed | undefined {
  if (!judged.findings.some(({ level }) => level !== "note")) return undefined;
  const unmet = of?.replies?.unmetNeed?.(request, valuesIn({ response }));
  if (!unmet || isStrict(policy, unmet.reading)) return undefined;
  if (!judged.findings.some(({ clause, level }) => clause === unmet.clause && level !== "note")) return undefined;
  const asked = `${request.method} ${request.target.split("?", 1)[0]}`;
  return {
    ...unmet,
    incident: { kind: "refused", notOffered: true, problem: `${asked} was answered with ${unmet.came}` },
  };
}

/** The evidence of an answer apart from the need that it ignored. */
export const beyondUnmet = (evidence: Evidence, { clause, need }: UnmetNeed): Evidence => ({
  ...evidence,
  missed: [...evidence.missed, { clauses: [clause], verdict: "no-verdict", why: `a target that offers ${need}` }],
  findings: evidence.findings.filter((one) => one.clause !== clause),
  groups: evidence.groups.filter((one) => one.clause !== clause),
  exercised: evidence.exercised.filter((id) => id !== clause),
});
