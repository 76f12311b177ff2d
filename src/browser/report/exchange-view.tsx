/** One exchange, by itself or as the evidence of a clause. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import { Evidence } from "../components/evidence.tsx";
import { useEvidence } from "../components/read-evidence.ts";
import { clauseHref, exchangeHref, useReport } from "./report.ts";

interface EvidenceOfProps {
  readonly row: number;
  /** The clause whose finding is looked at. */
  readonly clause?: string;
  /** The event that it stands in, where it is one of several. */
  readonly event?: number;
  /** Whether it stands below that clause, and leaves the page where it is. */
  readonly isUnder?: boolean;
}

export function EvidenceOf({ row, clause, event, isUnder = false }: EvidenceOfProps): JSX.Element {
  const { data, clauses, store, rowOf } = useReport();
  const { sources, source, exchange } = data.exchanges;
  const of = sources[source[row]!]!;
  // The good request that a probe was made from is the first of its source.
  const twinRow = of.startsWith("probes/") && exchange[row] !== 0 ? rowOf(of, 0) : undefined;
  const loaded = useEvidence(store, row, twinRow);
  if (!loaded) return <p class="soft">Reading…</p>;
  if ("problem" in loaded) return <p>It cannot be read here: {loaded.problem}</p>;
  const { evidence, twin } = loaded;
  if (!evidence)
    return (
      <p>
        This exchange had no room in this page: <code>exchanges.jsonl</code> beside it holds it.
      </p>
    );
  const own = evidence.findings.filter((finding) => finding.clause === clause);
  const focus = own.find((finding) => finding.event === event) ?? own[0];
  return (
    <>
      {!evidence.exchange && (
        <p>
          {data.exchanges.kept === "absent"
            ? "No exchanges lie beside these results: what was found is all there is."
            : "This exchange was not kept: what was found is all there is."}
        </p>
      )}
      <Evidence
        evidence={evidence}
        focus={focus}
        {...(twin && { twin })}
        clauses={clauses}
        readings={data.readings}
        hrefOf={clauseHref}
        under={isUnder ? clause : undefined}
        isReached={!isUnder}
      />
    </>
  );
}

interface ExchangeViewProps {
  readonly source: string;
  readonly exchange: number;
  /** The clause whose finding is looked at, and its event. */
  readonly clause?: string;
  readonly event?: number;
}

export function ExchangeView({ source, exchange, clause, event }: ExchangeViewProps): JSX.Element {
  const { data, rowOf } = useReport();
  const row = rowOf(source, exchange);
  if (row === undefined)
    return (
      <main>
        <h1 tabIndex={-1}>No such exchange</h1>
        <p>
          {printable(source)} #{exchange} is none of this report. <a href="#/exchanges">All exchanges</a>
        </p>
      </main>
    );
  const { sources, source: of, exchange: positions, operations, operation, status } = data.exchanges;
  const linkTo = (other: number, text: string): JSX.Element | null =>
    positions[other] === undefined ? null : <a href={exchangeHref(sources[of[other]!]!, positions[other])}>{text}</a>;
  return (
    <main>
      <h1 tabIndex={-1} class="place">
        {printable(source)} <span class="soft">#{exchange}</span>
      </h1>
      <p class="steps">
        <span class="soft">
          {printable(operations[operation[row]!]!)} · {status[row] ?? "no answer"}
        </span>
        {linkTo(row - 1, "← previous")}
        {linkTo(row + 1, "next →")}
        {clause !== undefined && <a href={clauseHref(clause)}>{printable(clause)}</a>}
      </p>
      <EvidenceOf row={row} {...(clause !== undefined && { clause })} {...(event !== undefined && { event })} />
    </main>
  );
}
