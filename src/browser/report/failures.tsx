/** Violations as rows, grouped by interface; a row opens in place to where, what was expected, what came, and what to do. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { upstreamText } from "../../report/baseline.ts";
import { printable, shortened } from "../../report/clean.ts";
import { standingOf } from "../../verdict/standing.ts";
import { Copy } from "../components/copy.tsx";
import { Sentence } from "../components/sentence.tsx";
import { plural } from "../components/shown.ts";
import type { Cause } from "./causes.ts";
import { clauseHref, exchangeHref, placeOf, titleOf, useReport } from "./report.ts";

/** Rows of one interface that stand there at once. */
const maxRows = 40;

const words = (text: string): string => printable(shortened(text, 300));

interface CauseGroupsProps {
  readonly causes: readonly Cause[];
  /** The list of clauses that holds them all. */
  readonly all: string;
  /** Whether the first row stands open. */
  readonly opensFirst?: boolean;
}

export function CauseGroups({ causes, all, opensFirst = false }: CauseGroupsProps): JSX.Element {
  const { interfaces } = useReport();
  const groups = interfaces
    .map((of) => [of, causes.filter(({ clause }) => clause.interface === of)] as const)
    .filter(([, own]) => own.length > 0)
    .sort(([, a], [, b]) => causes.indexOf(a[0]!) - causes.indexOf(b[0]!));
  return (
    <>
      {groups.map(([of, own]) => (
        <div key={of} class="group">
          <h3>
            {printable(titleOf(of))} <span>{own.length}</span>
          </h3>
          {own.slice(0, maxRows).map((cause) => (
            <CauseRow key={cause.clause.id} cause={cause} isOpen={opensFirst && cause === causes[0]} />
          ))}
          {own.length > maxRows && (
            <p class="more">
              <a href={all}>and {own.length - maxRows} more</a>
            </p>
          )}
        </div>
      ))}
    </>
  );
}

/** `88 of 88`; findings where no failure counts. */
function extentOf({ clause: { failed, warned = 0, exercised }, count }: Cause): string {
  const violated = failed || warned;
  if (violated > 0 && exercised > 0) return `${violated.toLocaleString("en")} of ${exercised.toLocaleString("en")}`;
  return count > 0 ? plural(count, "finding") : "";
}

function CauseRow({ cause, isOpen }: { readonly cause: Cause; readonly isOpen: boolean }): JSX.Element {
  const { clause } = cause;
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details class="cause" open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary class="line">
        <span class={`dot d-${standingOf(clause)}`} />
        <span class="says">
          <Sentence text={words(clause.says || clause.id)} />
        </span>
        <code class="id">{printable(clause.id)}</code>
        <span class="extent">{extentOf(cause)}</span>
      </summary>
      <Opened cause={cause} isShown={wasOpened} />
    </details>
  );
}

/** The command that sends the request of a row again, once it has been read. */
function useCurl(row: number | undefined, isWanted: boolean): string | undefined {
  const { store } = useReport();
  const [curl, setCurl] = useState<string>();
  useEffect(() => {
    if (!isWanted || row === undefined) return;
    let isAlive = true;
    store.read(row).then(
      (evidence) => isAlive && setCurl(evidence?.curl),
      () => {},
    );
    return () => {
      isAlive = false;
    };
  }, [row, isWanted, store]);
  return curl;
}

function Opened({ cause, isShown }: { readonly cause: Cause; readonly isShown: boolean }): JSX.Element {
  const { rowOf } = useReport();
  const { clause, groups } = cause;
  const first = groups[0]?.first ?? [];
  const [finding] = first;
  const curl = useCurl(finding && rowOf(finding.source, finding.exchange), isShown);
  const hrefOf = ({ source, exchange, event }: (typeof first)[number]): string =>
    exchangeHref(source, exchange, clause.id, event);
  return (
    <div class="opened">
      <dl class="against">
        {finding && (
          <>
            <dt>where</dt>
            <dd>{words(placeOf(groups[0]!))}</dd>
            <dt>expected</dt>
            <dd>{words(finding.expected)}</dd>
            <dt>actual</dt>
            <dd>
              <span class={`came d-${standingOf(clause)}`}>{words(finding.actual)}</span>
            </dd>
            <dt>first in</dt>
            <dd class="first">
              {first.map((one, i) => (
                <a key={i} href={hrefOf(one)}>
                  {words(one.source)} #{one.exchange}
                  {one.event !== null && `, event ${one.event}`}
                </a>
              ))}
              {groups.length > 1 && <span class="soft">at {groups.length} places in all</span>}
            </dd>
          </>
        )}
        {clause.clients && (
          <>
            <dt>clients</dt>
            <dd>{clause.clients.map(({ name, effect }) => `${name} ${effect}`).join("; ")}</dd>
          </>
        )}
        {clause.expected && (
          <>
            <dt>reason</dt>
            <dd>{words(clause.expected.reason)}</dd>
          </>
        )}
        {clause.upstream && (
          <>
            <dt>upstream</dt>
            <dd>{words(upstreamText(clause.upstream))}</dd>
          </>
        )}
        {clause.flaky && (
          <>
            <dt>asked again</dt>
            <dd>{clause.flaky}</dd>
          </>
        )}
      </dl>
      <p class="acts">
        {curl !== undefined && <Copy text={curl} what="the curl command" label="Copy curl" />}
        {clause.rerun !== undefined && (
          <Copy text={clause.rerun} what="the command that re-runs it" label="Copy re-run command" />
        )}
        {finding && (
          <a class="button" href={hrefOf(finding)}>
            Open exchange
          </a>
        )}
        <a class="button" href={clauseHref(clause.id)}>
          Open clause
        </a>
      </p>
    </div>
  );
}
