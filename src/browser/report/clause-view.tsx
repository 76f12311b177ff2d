/** One clause: what it says, what became of it, and the evidence. */
import type { JSX } from "preact";
import { upstreamText } from "../../report/baseline.ts";
import { printable, shortened } from "../../report/clean.ts";
import type { PageClause, PageGroup } from "../../report/page/data.ts";
import { standingOf } from "../../verdict/standing.ts";
import { Copy } from "../components/copy.tsx";
import { hrefTo } from "../components/route.ts";
import { Sentence } from "../components/sentence.tsx";
import { plural } from "../components/shown.ts";
import { Chip } from "../components/verdicts.tsx";
import { VirtualList } from "../components/virtual-list.tsx";
import { causeOf } from "./causes.ts";
import { EvidenceOf } from "./exchange-view.tsx";
import { exchangeHref, placeOf, useReport } from "./report.ts";

interface ClauseViewProps {
  readonly id: string;
  /** The exchange that is shown; the first with a finding unless told. */
  readonly at?: readonly [source: string, exchange: number];
}

export function ClauseView({ id, at }: ClauseViewProps): JSX.Element {
  const { data, clauses, groups, rowOf } = useReport();
  const clause = clauses.get(id);
  if (!clause)
    return (
      <main>
        <h1 tabIndex={-1}>No such clause</h1>
        <p>
          {printable(id)} is none that was judged here. <a href="#/clauses">All clauses</a>
        </p>
      </main>
    );
  const own = groups.get(id) ?? [];
  const { rows } = causeOf(clause, own);
  const { shownIn } = clause;
  const row = (at && rowOf(...at)) ?? rows[0] ?? (shownIn && rowOf(shownIn.source, shownIn.exchange));
  const { sources, source, exchange } = data.exchanges;
  return (
    <main>
      <h1 tabIndex={-1}>
        <Sentence text={printable(clause.says || id)} />
      </h1>
      <p class="soft small">
        <Chip standing={standingOf(clause)} /> <code>{printable(id)}</code> · {clause.level} · {clause.kind} ·{" "}
        {clause.basis === "field" ? "what services agree on beside the " : ""}document {clause.document.name},{" "}
        {clause.document.section}
      </p>
      <Outcome clause={clause} count={own.reduce((sum, { count }) => sum + count, 0)} />
      <Importance clause={clause} />
      {own.length > 0 && <Groups groups={own} />}
      {rows.length > 1 && (
        <details class="ids" open={rows.length <= 6}>
          <summary>{plural(rows.length, "exchange")} that show it</summary>
          <VirtualList items={rows} rowHeight={30} label="Exchanges that show it" keyOf={(one) => one}>
            {(one) => (
              <a
                class="one-line"
                href={hrefTo(["clause", id, sources[source[one]!]!, String(exchange[one])])}
                aria-current={one === row ? "true" : undefined}
              >
                {printable(sources[source[one]!]!)} #{exchange[one]}
              </a>
            )}
          </VirtualList>
        </details>
      )}
      {row !== undefined && (
        <section class="chapter" aria-labelledby="evidence-title">
          <h2 id="evidence-title">
            {rows.length > 0 ? "Evidence" : "An exchange that shows it"}:{" "}
            <a href={exchangeHref(sources[source[row]!]!, exchange[row]!)}>
              {printable(sources[source[row]!]!)} #{exchange[row]}
            </a>
          </h2>
          <EvidenceOf key={row} row={row} clause={id} isUnder />
        </section>
      )}
    </main>
  );
}

function Outcome({ clause, count }: { readonly clause: PageClause; readonly count: number }): JSX.Element {
  const {
    exercised,
    failed,
    warned = 0,
    unenforced = 0,
    needs,
    expected,
    diverges,
    unasked,
    verdict,
    flaky,
    rerun,
    toBeSet,
    upstream,
  } = clause;
  return (
    <>
      <p>
        {exercised === 0
          ? "No exchange held what it speaks about."
          : failed + warned + unenforced === 0
            ? `${plural(exercised, "exchange")} held what it speaks about; it was kept in each.`
            : `${plural(exercised, "exchange")} held what it speaks about; it failed in ${failed}${warned > 0 ? `, and was violated in ${warned} at warning level` : ""}${unenforced > 0 ? `; its violation was accepted in ${unenforced}` : ""}.`}
        {count > 0 && ` ${plural(count, "finding")} in all.`}
      </p>
      {needs && <p>{printable(needs.join("; "))}</p>}
      {verdict === "untested" && unasked !== undefined && <p>{printable(unasked)}</p>}
      {expected && (
        <p>
          The target admits to it: {printable(expected.reason)}
          {expected.ticket && ` (${printable(expected.ticket)})`}
          {expected.expires && `, until ${printable(expected.expires)}`}
        </p>
      )}
      {upstream && <p>Beside the baseline: {printable(upstreamText(upstream))}.</p>}
      {diverges && <p>{printable(diverges)}</p>}
      {flaky && <p>{flaky}</p>}
      {rerun && (
        <p class="soft small">
          Re-run: <code>{printable(rerun)}</code> <Copy text={rerun} what="the command" />
          {toBeSet && ` (${printable(toBeSet)})`}
        </p>
      )}
    </>
  );
}

/** The effects on clients without it, and how it could be read otherwise. */
function Importance({ clause }: { readonly clause: PageClause }): JSX.Element {
  const { data } = useReport();
  const readings = clause.readings.filter((id) => Object.hasOwn(data.readings, id));
  return (
    <>
      {clause.clients && (
        <section>
          <h2>Why it matters to official clients</h2>
          <ul>
            {clause.clients.map(({ name, effect, evidence }) => (
              <li key={name}>
                {name} {effect}: <span class="soft">{evidence}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {readings.length > 0 && (
        <details class="ids">
          <summary>{plural(readings.length, "reading")} could change the verdict</summary>
          <dl>
            {readings.map((id) => (
              <div key={id}>
                <dt>
                  <code>{id}</code> {data.readings[id]!.asks}
                </dt>
                <dd>By default: {data.readings[id]!.default}</dd>
                <dd>
                  Where <code>--reading strict:{id}</code> is chosen: {data.readings[id]!.strict}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

/** Places where it is violated, each with what was expected and what came first. */
function Groups({ groups }: { readonly groups: readonly PageGroup[] }): JSX.Element {
  const shown = groups.slice(0, 20);
  return (
    <ul class="plain rows">
      {shown.map((group, i) => {
        const [first] = group.first;
        return (
          <li key={i}>
            <p>
              <span
                class={`v-${group.level === "error" ? "fail" : group.level === "warning" ? "warning" : "untested"}`}
              >
                {group.level}
              </span>{" "}
              <code>{printable(shortened(placeOf(group), 300))}</code>{" "}
              <span class="soft">
                {plural(group.count, "time")} in {plural(group.exchanges, "exchange")}
              </span>
            </p>
            {first && (
              <dl class="against">
                <dt>expected</dt>
                <dd>{printable(shortened(first.expected, 600))}</dd>
                <dt>actual</dt>
                <dd>{printable(shortened(first.actual, 600))}</dd>
              </dl>
            )}
            {group.diverges && <p class="soft small">{printable(group.diverges)}</p>}
          </li>
        );
      })}
      {groups.length > shown.length && <li class="soft">and {groups.length - shown.length} more places</li>}
    </ul>
  );
}
