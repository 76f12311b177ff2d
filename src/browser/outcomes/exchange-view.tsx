/** One exchange, whole, with links to the others of the same trip or case. */
import type { JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import { Evidence } from "../components/evidence.tsx";
import { useEvidence } from "../components/read-evidence.ts";
import { useOutcomes } from "./outcomes.ts";
import { exchangeHref } from "./selection.ts";

interface ExchangeViewProps {
  readonly column: number;
  readonly source: string;
  readonly exchange: number;
  /** The clause whose finding is looked at; empty where none is. */
  readonly clause: string;
}

export function ExchangeView({ column, source, exchange, clause }: ExchangeViewProps): JSX.Element {
  const { names, stores, rowOf, exchangesOf, sayOf } = useOutcomes();
  const store = stores[column];
  const row = rowOf(column, source, exchange);
  if (!store || row === undefined)
    return (
      <main>
        <h1 tabIndex={-1}>No such exchange</h1>
        <p>
          {printable(shortened(source, 300))} #{exchange} is none of this page. <a href="#/">To the beginning</a>
        </p>
      </main>
    );
  const others = exchangesOf(column, source);
  return (
    <main>
      <h1 tabIndex={-1} class="place">
        {printable(shortened(source, 300))} <span class="soft">#{exchange}</span>
      </h1>
      <nav class="steps" aria-label="Exchanges of the same source">
        {names.length > 1 && <span class="soft">{names[column]}</span>}
        {others.map((one) => (
          <a
            key={one}
            href={exchangeHref(column, source, one)}
            aria-current={one === exchange ? "page" : undefined}
            class="step"
          >
            #{one} {printable(shortened(sayOf(source, one) ?? "", 60))}
          </a>
        ))}
        <button type="button" class="quiet" onClick={() => history.back()}>
          Back
        </button>
      </nav>
      <Whole key={row} column={column} row={row} clause={clause} />
    </main>
  );
}

interface WholeProps {
  readonly column: number;
  readonly row: number;
  readonly clause: string;
}

function Whole({ column, row, clause }: WholeProps): JSX.Element {
  const { data, stores, clauses } = useOutcomes();
  const read = useEvidence(stores[column]!, row, undefined);
  if (!read) return <p class="soft">Reading…</p>;
  if ("problem" in read) return <p>It cannot be read here: {read.problem}</p>;
  const { evidence } = read;
  if (!evidence)
    return (
      <p>
        This exchange had no room in this page: <code>exchanges.jsonl</code> beside it holds it.
      </p>
    );
  const focus = evidence.findings.find((finding) => finding.clause === clause);
  return <Evidence evidence={evidence} focus={focus} clauses={clauses} readings={data.readings} />;
}
