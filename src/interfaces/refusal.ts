/** How a request that breaks a clause is refused: in the error shape of its interface. */
import type { Finding } from "../check/clause.ts";
import { type Interface, keyClausesOf } from "../check/interface.ts";

export interface Refusal {
  readonly status: 400 | 401;
  /** JSON. */
  readonly body: string;
}

/** The refusal of a request for its error findings; undefined where there are none. Missing credentials are a 401. */
export function refusalOf(findings: readonly Finding[], interfaces: readonly Interface[]): Refusal | undefined {
  const faults = findings.filter(({ level, side }) => level === "error" && side === "request");
  const onKeys = keyClausesOf(interfaces);
  const finding = faults.find(({ clause }) => onKeys.has(clause)) ?? faults[0];
  const own = interfaces.find(({ name }) => name === finding?.interface);
  if (!finding || !own) return undefined;
  const status = onKeys.has(finding.clause) ? 401 : 400;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : "";
  const message = `${finding.message} [${finding.clause}]${more}`;
  return { status, body: JSON.stringify(own.refusalBody({ status, message, finding })) };
}
