/** The chapters behind the failures: unexpected statuses, cross-request checks, official clients, and what stays open. */
import type { ComponentChildren, JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import { isWorthTelling, shortReason } from "../../report/fitness.ts";
import type { PageClause, PageClient } from "../../report/page/data.ts";
import { causesOf } from "../../report/unexpected.ts";
import { redsOf } from "../../verdict/outcome.ts";
import type { Incident } from "../../verdict/run-results.ts";
import { standingOf } from "../../verdict/standing.ts";
import { Sentence } from "../components/sentence.tsx";
import { plural } from "../components/shown.ts";
import { Chip } from "../components/verdicts.tsx";
import type { Cause } from "./causes.ts";
import { CauseGroups } from "./failures.tsx";
import { clauseHref, exchangeHref, useReport } from "./report.ts";

/** Causes that a chapter lists. */
const maxCauses = 100;
/** Names below one line. */
const maxNames = 200;

interface ChapterProps {
  readonly id: string;
  readonly title: string;
  readonly count?: number;
  /** The text beside the title. */
  readonly note?: string;
  readonly children: ComponentChildren;
}

export function Chapter({ id, title, count, note, children }: ChapterProps): JSX.Element {
  const says = [...(count === undefined ? [] : [count.toLocaleString("en")]), ...(note === undefined ? [] : [note])];
  return (
    <section class="chapter" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} tabIndex={-1}>
        {title} {says.length > 0 && <small>{says.join(", ")}</small>}
      </h2>
      {children}
    </section>
  );
}

interface CausesProps {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly causes: readonly Cause[];
  /** The list of clauses that holds them all. */
  readonly all: string;
  readonly opensFirst?: boolean;
}

export function CauseChapter({ id, title, note, causes, all, opensFirst }: CausesProps): JSX.Element | null {
  if (causes.length === 0) return null;
  return (
    <Chapter id={id} title={title} count={causes.length} {...(note !== undefined && { note })}>
      <CauseGroups causes={causes} all={all} {...(opensFirst && { opensFirst })} />
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
            <a href={clauseHref(id)}>
              <Sentence text={printable(says || id)} />
            </a>{" "}
            <code class="soft">{printable(id)}</code>
          </li>
        ))}
      </ul>
    </details>
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
        These compare several exchanges: a stream says what the whole reply would say, ids are not used again, and
        replies to several callers do not mix.
      </p>
      <ul class="plain rows">
        {open.map((clause) => (
          <li key={clause.id}>
            <Chip standing={standingOf(clause)} />{" "}
            <a href={clauseHref(clause.id)}>
              <Sentence text={printable(clause.says)} />
            </a>{" "}
            <code class="soft">{clause.interface}</code>
            {clause.needs && <span class="soft small"> {printable(clause.needs.join("; "))}</span>}
          </li>
        ))}
      </ul>
      {passed.length > 0 && <Ids summary={`${passed.length.toLocaleString("en")} passed`} clauses={passed} />}
    </Chapter>
  );
}

const describe = ({ by, package: of, version, says }: Omit<PageClient, "name" | "outcome" | "because">): string =>
  `${by}, ${of} ${version}${says ? `: ${says}` : ""}`;

export function Clients(): JSX.Element | null {
  const { data, clauses } = useReport();
  const told = data.clients.filter(isWorthTelling);
  const served = told.filter(({ outcome }) => outcome === "served");
  if (told.length + data.trials.length === 0) return null;
  return (
    <Chapter id="clients" title="Official clients" count={told.length}>
      <p class="soft">
        Whether programs that use these packages work with this server, by what they need of each answer.
      </p>
      <ul class="plain rows">
        {told
          .filter(({ outcome }) => outcome !== "served")
          .map(({ name, outcome, because, ...client }) => (
            <li key={name}>
              <strong class={outcome === "not served" ? "v-fail" : "v-warning"}>{outcome}</strong> {name}{" "}
              <span class="soft small">{describe(client)}</span>
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
            </li>
          ))}
      </ul>
      {served.length > 0 && (
        <details class="ids">
          <summary>{served.length} served</summary>
          <ul class="plain">
            {served.map(({ name, ...client }) => (
              <li key={name}>
                {name} <span class="soft small">{describe(client)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
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

/** Causes in a list: a sentence, the first example, and how many more there are. */
function Causes({ incidents }: { readonly incidents: readonly Incident[] }): JSX.Element {
  const causes = causesOf(incidents);
  return (
    <ul class="plain rows">
      {causes.slice(0, maxCauses).map(({ says, incidents: [first, ...others] }) => (
        <li key={says}>
          {printable(shortened(says, 400))}{" "}
          <span class="soft">
            {plural(others.length + 1, "request")}
            {others.length > 0 ? ", first " : ": "}
            <a href={exchangeHref(first.source, first.exchange)}>
              {printable(first.source)} #{first.exchange}
            </a>
          </span>
          {first.expected && <span class="soft"> expected: {printable(first.expected.reason)}</span>}
        </li>
      ))}
      {causes.length > maxCauses && <li>and {causes.length - maxCauses} more causes</li>}
    </ul>
  );
}

export function Incidents(): JSX.Element | null {
  const { data } = useReport();
  const { incidents: unexpected, limited } = redsOf(data);
  const rest = data.incidents.filter(
    (one) => one.explainedBy === undefined && !unexpected.includes(one) && !limited.includes(one),
  );
  return (
    <>
      {unexpected.length > 0 && (
        <Chapter id="incidents" title="Unexpected statuses" count={unexpected.length}>
          <Causes incidents={unexpected} />
        </Chapter>
      )}
      {limited.length > 0 && (
        <Chapter id="limited" title="Rate limited" count={limited.length}>
          <Causes incidents={limited} />
        </Chapter>
      )}
      {rest.length > 0 && (
        <Chapter id="admitted" title="Expected or upstream" count={rest.length} note="these fail nothing">
          <Causes incidents={rest} />
        </Chapter>
      )}
      {data.troubles.length > 0 && (
        <Chapter id="troubles" title="Known failures to update" count={data.troubles.length}>
          <ul class="plain rows">
            {data.troubles.map((sentence) => (
              <li key={sentence}>{printable(sentence)}</li>
            ))}
          </ul>
        </Chapter>
      )}
    </>
  );
}

/** Features that the target does not offer, a line each. */
export function NotOffered(): JSX.Element | null {
  const { data } = useReport();
  const byName = new Map<string, Incident[]>();
  for (const incident of data.incidents) {
    const { explainedBy: name } = incident;
    if (name === undefined || data.lacking.includes(name)) continue;
    byName.set(name, [...(byName.get(name) ?? []), incident]);
  }
  if (byName.size === 0) return null;
  return (
    <Chapter id="not-offered" title="Not offered" count={byName.size} note="these fail nothing">
      {[...byName].map(([name, own]) => (
        <details key={name} class="ids">
          <summary>
            {printable(name)} ({plural(own.length, "request")})
          </summary>
          <Causes incidents={own} />
        </details>
      ))}
    </Chapter>
  );
}

/** Probes that got no answer at all. They decide nothing, but a server that crashes on a request must not look well. */
export function NeverAnswered(): JSX.Element | null {
  const { unanswered } = useReport().data;
  if (unanswered.length === 0) return null;
  return (
    <Chapter id="unanswered" title="Never answered" count={unanswered.length}>
      <p>These requests got no answer, so nothing is concluded from them. The server may have crashed on them.</p>
      <ul class="plain rows">
        {unanswered.slice(0, 100).map(({ source, exchange, says }) => (
          <li key={`${source} ${exchange}`}>
            <a href={exchangeHref(source, exchange)}>
              {printable(source)} #{exchange}
            </a>{" "}
            {printable(shortened(says, 400))}
          </li>
        ))}
        {unanswered.length > 100 && <li>and {unanswered.length - 100} more</li>}
      </ul>
    </Chapter>
  );
}

/** What became of it beside the upstream: a line each, with what it counts folded below. */
export function Compared(): JSX.Element | null {
  const { data, clauses } = useReport();
  if (!data.baseline) return null;
  return (
    <Chapter id="upstream" title="Compared with upstream">
      {data.baseline.map(({ says, names }) =>
        names.length === 0 ? (
          <p key={says}>{printable(says)}</p>
        ) : (
          <details key={says} class="ids">
            <summary>{printable(says)}</summary>
            <ul class="plain">
              {names.slice(0, maxNames).map((name) => (
                <li key={name}>
                  {clauses.has(name) ? (
                    <>
                      <a href={clauseHref(name)}>
                        <Sentence text={printable(clauses.get(name)!.says || name)} />
                      </a>{" "}
                      <code class="soft">{printable(name)}</code>
                    </>
                  ) : (
                    printable(name)
                  )}
                </li>
              ))}
              {names.length > maxNames && <li>and {names.length - maxNames} more</li>}
            </ul>
          </details>
        ),
      )}
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

/** The open clauses, by what would decide them. */
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
