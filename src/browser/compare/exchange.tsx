/** One exchange of one column, as evidence. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { printable } from "../../report/clean.ts";
import type { PageEvidence } from "../../report/page/data.ts";
import { Evidence } from "../components/evidence.tsx";
import { useComparison } from "./comparison.ts";

interface ExchangeOfProps {
  readonly column: number;
  readonly place: { readonly source: string; readonly exchange: number };
  /** The clause whose finding is looked at. */
  readonly clause?: string;
}

type Loaded = { readonly key: string } & (
  | { readonly evidence: PageEvidence | undefined; readonly twin: PageEvidence | undefined }
  | { readonly problem: string }
);

export function ExchangeOf({ column, place: { source, exchange }, clause }: ExchangeOfProps): JSX.Element {
  const { data, names, stores, rowOf, clausesOf } = useComparison();
  const key = `${column} ${exchange} ${source}`;
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    let isWanted = true;
    const read = (position: number): Promise<PageEvidence | undefined> => {
      const row = rowOf(column, source, position);
      return row === undefined ? Promise.resolve(undefined) : stores[column]!.read(row);
    };
    // The good request that a probe was made from is the first of its source.
    const twin = source.startsWith("probes/") && exchange !== 0 ? read(0) : undefined;
    Promise.all([read(exchange), twin]).then(
      ([evidence, own]) => isWanted && setLoaded({ key, evidence, twin: own }),
      (error: unknown) => isWanted && setLoaded({ key, problem: String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  return (
    <section class="shown-exchange" aria-label={`Exchange of ${names[column]}`}>
      <h3>
        {names[column]}{" "}
        <span class="soft">
          {printable(source)}, exchange {exchange}
        </span>
      </h3>
      {loaded?.key === key ? (
        <Shown loaded={loaded} clause={clause} clauses={clausesOf(column)} readings={data.readings} />
      ) : (
        <p class="soft">Reading…</p>
      )}
    </section>
  );
}

interface ShownProps {
  readonly loaded: Loaded;
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
