/** The chapters behind the failures: rules that are unenforced, laws, official clients, what documents leave open, what stays open. */
import type { ComponentChildren, JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import { isWorthTelling, shortReason } from "../../report/fitness.ts";
import type { PageClause } from "../../report/page/data.ts";
import { standingOf } from "../../verdict/standing.ts";
import { hrefTo } from "../components/route.ts";
import { Bar, Chip, countsOf } from "../components/verdicts.tsx";
import { CauseRow } from "./cause-row.tsx";
import type { Cause } from "./causes.ts";
import { clauseHref, exchangeHref, plural, useReport } from "./report.ts";

interface ChapterProps {
  readonly id: string;
  readonly title: string;
  readonly count?: number;
  readonly children: ComponentChildren;
}

export function Chapter({ id, title, count, children }: ChapterProps): JSX.Element {
  return (
    <section class="chapter" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} tabIndex={-1}>
        {title} {count !== undefined && <span class="soft count">{count.toLocaleString("en")}</span>}
      </h2>
      {children}
    </section>
  );
}

/** Causes that are listed at once. */
const listed = 25;

interface CausesProps {
  readonly id: string;
  readonly title: string;
  readonly says?: string;
  readonly causes: readonly Cause[];
  /** The list of clauses that holds them all. */
  readonly all: string;
}

export function CauseChapter({ id, title, says, causes, all }: CausesProps): JSX.Element | null {
  if (causes.length === 0) return null;
  return (
    <Chapter id={id} title={title} count={causes.length}>
      {says && <p class="soft">{says}</p>}
      <ul class="plain causes">
        {causes.slice(0, listed).map((cause) => (
          <CauseRow key={cause.clause.id} cause={cause} />
        ))}
      </ul>
      {causes.length > listed && (
        <p>
          <a href={all}>and {causes.length - listed} more</a>
        </p>
      )}
    </Chapter>
  );
}

/** Ids of clauses, folded. */
function Ids({ summary, clauses }: { readonly summary: string; readonly clauses: readonly PageClause[] }): JSX.Element {
  return (
    <details class="ids">
      <summary>{summary}</summary>
      <ul class="plain">
        {clauses.map(({ id, says }) => (
          <li key={id}>
            <a href={clauseHref(id)}>{printable(says || id)}</a> <code class="soft">{printable(id)}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The one line that rules on requests cost whose violation the target accepts; they have a view of their own. */
export function Unenforced(): JSX.Element | null {
  const { data } = useReport();
  return data.unenforced === "" ? null : (
    <p id="unenforced">
      <a href={hrefTo(["clauses"], { verdict: "unenforced" })}>{data.unenforced}</a>
      <span class="soft">: requests that violate them were accepted.</span>
    </p>
  );
}

export function Laws(): JSX.Element | null {
  const { data } = useReport();
  const laws = data.clauses.filter(({ section }) => section === "laws");
  if (laws.length === 0) return null;
  const open = laws.filter(({ verdict }) => verdict !== "pass");
  const passed = laws.filter(({ verdict }) => verdict === "pass");
  return (
    <Chapter id="laws" title="Cross-request checks" count={laws.length}>
      <p class="soft">
        What one exchange alone cannot show: a stream says what the whole reply would say, ids are not used again,
        replies to several callers do not mix.
      </p>
      <Bar counts={countsOf(laws)} />
      <ul class="plain rows">
        {open.map((clause) => (
          <li key={clause.id}>
            <Chip standing={standingOf(clause)} /> <a href={clauseHref(clause.id)}>{printable(clause.says)}</a>{" "}
            <code class="soft">{clause.interface}</code>
            {clause.needs && <span class="soft small"> {printable(clause.needs.join("; "))}</span>}
          </li>
        ))}
      </ul>
      {passed.length > 0 && <Ids summary={`${plural(passed.length, "law")} kept`} clauses={passed} />}
    </Chapter>
  );
}

export function Clients(): JSX.Element | null {
  const { data, clauses } = useReport();
  const told = data.clients.filter(isWorthTelling);
  if (told.length + data.trials.length === 0) return null;
  return (
    <Chapter id="clients" title="Official clients" count={told.length}>
      <p class="soft">
        Whether programs written with the vendors' own packages can use it, by what they need of each answer.
      </p>
      <ul class="plain rows">
        {told.map(({ name, outcome, by, because, says, package: of, version }) => (
          <li key={name}>
            <p>
              <strong class={`v-${outcome === "served" ? "pass" : outcome === "not served" ? "fail" : "warning"}`}>
                {outcome}
              </strong>{" "}
              {name}{" "}
              <span class="soft small">
                {by}, {of} {version}
                {says && `: ${says}`}
              </span>
            </p>
            {outcome !== "served" && (
              <ul class="small soft">
                {because.map((reason) => {
                  const id = reason.split(": ")[0]!;
                  return (
                    <li key={reason}>
                      {clauses.has(id) ? (
                        <a href={clauseHref(id)}>{printable(reason)}</a>
                      ) : (
                        printable(shortReason(reason))
                      )}
                    </li>
                  );
                })}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {data.trials.length > 0 && (
        <>
          <h3>What they made of it</h3>
          <ul class="plain rows">
            {data.trials.map(({ client, scenario, outcome, detail }) => (
              <li key={`${client} ${scenario}`}>
                <strong class={`v-${outcome === "fine" ? "pass" : "warning"}`}>{outcome}</strong> {client}, {scenario}
                {detail && <span class="soft"> {printable(detail)}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </Chapter>
  );
}

export function Incidents(): JSX.Element | null {
  const { data } = useReport();
  const { incidents, troubles } = data;
  if (incidents.length + troubles.length === 0) return null;
  return (
    <Chapter id="incidents" title="Not answered as recorded, and known failures" count={incidents.length}>
      <ul class="plain rows">
        {incidents.slice(0, 100).map(({ source, exchange, problem, expected, explainedBy }) => (
          <li key={`${source} ${exchange}`}>
            <a href={exchangeHref(source, exchange)}>
              {printable(source)} #{exchange}
            </a>{" "}
            {printable(shortened(problem, 400))}
            {expected && <span class="soft"> expected: {printable(expected.reason)}</span>}
            {explainedBy !== undefined && <span class="soft"> not offered: {printable(explainedBy)}</span>}
          </li>
        ))}
        {incidents.length > 100 && <li>and {incidents.length - 100} more</li>}
        {troubles.map((sentence) => (
          <li key={sentence}>{printable(sentence)}</li>
        ))}
      </ul>
    </Chapter>
  );
}

/** Exchanges that were not judged as a whole. */
export function Unjudged(): JSX.Element | null {
  const { data } = useReport();
  const { unjudged, summary } = data;
  if (summary.unjudged === 0) return null;
  return (
    <Chapter id="unjudged" title="Not judged as a whole" count={summary.unjudged}>
      <ul class="plain rows">
        {unjudged.map(({ source, exchange, why }) => (
          <li key={`${source} ${exchange}`}>
            <a href={exchangeHref(source, exchange)}>
              {printable(source)} #{exchange}
            </a>{" "}
            {printable(why)}
          </li>
        ))}
        {summary.unjudged > unjudged.length && <li>and {summary.unjudged - unjudged.length} more</li>}
      </ul>
    </Chapter>
  );
}

/** What stays open, by what would decide it. */
export function OpenQuestions(): JSX.Element | null {
  const { data } = useReport();
  const reasons = new Map<string, PageClause[]>();
  for (const clause of data.clauses) {
    if (!["broken", "no-verdict", "skipped", "untested"].includes(clause.verdict)) continue;
    const why =
      clause.needs?.join("; ") ??
      (clause.verdict === "untested" ? (clause.unasked ?? "no answer showed it") : "nothing says why");
    const key = `${clause.verdict === "no-verdict" ? "no verdict" : clause.verdict}: ${why}`;
    reasons.set(key, [...(reasons.get(key) ?? []), clause]);
  }
  if (reasons.size === 0) return null;
  const count = [...reasons.values()].reduce((sum, own) => sum + own.length, 0);
  return (
    <Chapter id="open" title="What would decide the rest" count={count}>
      {[...reasons].map(([why, own]) => (
        <Ids key={why} summary={`${printable(shortened(why, 300))} (${plural(own.length, "clause")})`} clauses={own} />
      ))}
    </Chapter>
  );
}
