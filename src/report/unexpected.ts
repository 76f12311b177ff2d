/** Requests that were not answered as recorded and have no explanation: the unexpected statuses of all readable reports. */
import { isInherited } from "../verdict/outcome.ts";
import type { Incident } from "../verdict/run-results.ts";
import { upstreamText } from "./baseline.ts";

/** The incidents that count: nobody expects them, a missing feature does not explain them, and the upstream does not share them. */
export const unexpected = (incidents: readonly Incident[]): Incident[] =>
  incidents.filter(
    (one) => !one.expected && one.explainedBy === undefined && (one.kind === "rate-limited" || !isInherited(one)),
  );

export interface Cause {
  /** `chat-completions: POST /v1/chat/completions was answered with status 500, and with 200 when it was recorded`. */
  readonly says: string;
  readonly incidents: readonly [Incident, ...Incident[]];
}

/** Incidents with the same problem, as one sentence each. In the order of their first incidents. */
export function causesOf(incidents: readonly Incident[]): Cause[] {
  const causes = new Map<string, [Incident, ...Incident[]]>();
  for (const incident of incidents) {
    const stands = upstreamText(incident.upstream);
    const says = `${incident.interface}: ${incident.problem}${stands && ` (${stands})`}`;
    const known = causes.get(says);
    if (known) known.push(incident);
    else causes.set(says, [incident]);
  }
  return [...causes].map(([says, own]) => ({ says, incidents: own }));
}
