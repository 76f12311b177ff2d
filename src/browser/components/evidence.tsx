/** One exchange with what was found in it. */
import type { JSX } from "preact";
import type { Finding } from "../../check/clause.ts";
import type { PageClause, PageEvidence, PageReading } from "../../report/page/data.ts";

export interface EvidenceProps {
  readonly evidence: PageEvidence;
  /** The finding that is looked at: its place is marked and scrolled to. */
  readonly focus?: Finding | undefined;
  /** The good request that a probe was made from, and its answer. */
  readonly twin?: PageEvidence | undefined;
  /** By id. */
  readonly clauses: ReadonlyMap<string, PageClause>;
  readonly readings: Readonly<Record<string, PageReading>>;
}

export function Evidence({ evidence: { findings, exchange } }: EvidenceProps): JSX.Element {
  return (
    <article>
      <ul>
        {findings.map((finding, i) => (
          <li key={i}>{finding.message}</li>
        ))}
      </ul>
      {exchange && (
        <p class="mono">
          {exchange.request.method} {exchange.request.target}
        </p>
      )}
    </article>
  );
}
