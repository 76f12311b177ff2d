/** One exchange of one column, as evidence. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import { Evidence } from "../components/evidence.tsx";
import { type ReadEvidence, useEvidence } from "../components/read-evidence.ts";
import { useComparison } from "./comparison.ts";

interface ExchangeOfProps {
  readonly column: number;
  readonly place: { readonly source: string; readonly exchange: number };
  /** The clause whose finding is looked at. */
  readonly clause?: string;
}

export function ExchangeOf({ column, place: { source, exchange }, clause }: ExchangeOfProps): JSX.Element {
  const { data, names, stores, rowOf, clausesOf } = useComparison();
  // The good request that a probe was made from is the first of its source.
  const twinRow = source.startsWith("probes/") && exchange !== 0 ? rowOf(column, source, 0) : undefined;
  const row = rowOf(column, source, exchange);
  const loaded = useEvidence(stores[column]!, row, twinRow);
  return (
    <section class="shown-exchange" aria-label={`Exchange of ${names[column]}`}>
      <h3>
        {names[column]}{" "}
        <span class="soft">
          {printable(source)}, exchange {exchange}
        </span>
      </h3>
      {loaded || row === undefined ? (
        <Shown loaded={loaded ?? nothing} clause={clause} clauses={clausesOf(column)} readings={data.readings} />
      ) : (
        <p class="soft">Reading…</p>
      )}
    </section>
  );
}

/** The evidence of an exchange that no row names. */
const nothing: ReadEvidence = { evidence: undefined, twin: undefined };

interface ShownProps {
  readonly loaded: ReadEvidence;
  readonly clause: string | undefined;
  readonly clauses: ReturnType<ReturnType<typeof useComparison>["clausesOf"]>;
  readonly readings: ReturnType<typeof useComparison>["data"]["readings"];
}

function Shown({ loaded, clause, clauses, readings }: ShownProps): JSX.Element {
  if ("problem" in loaded) return <p>It cannot be read here: {loaded.problem}</p>;
  const { evidence, twin } = loaded;
  if (!evidence) return <p>This exchange had no room in this page; it stands in the folder of its run.</p>;
  const focus = evidence.findings.find((finding) => finding.clause === clause);
  return (
    <>
      {!evidence.exchange && <p class="soft">No exchange lies beside these results: what was found is all there is.</p>}
      <Evidence evidence={evidence} focus={focus} {...(twin && { twin })} clauses={clauses} readings={readings} />
    </>
  );
}
