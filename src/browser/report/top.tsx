/** What anyone wants to know first: who was judged, when, how, and what it came to. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import type { PageData } from "../../report/page/data.ts";
import type { FeatureOutcome } from "../../verdict/run-results.ts";
import { hrefTo } from "../components/route.ts";
import { ThemeButton } from "../components/theme.tsx";
import { Bar, countsOf } from "../components/verdicts.tsx";
import { exchangeHref, plural, useReport } from "./report.ts";

const dateFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** `22 November 2026 at 17:19 UTC`; as it stands where it is no date. */
const dateOf = (iso: string): string =>
  Number.isNaN(Date.parse(iso)) ? printable(iso) : `${dateFormat.format(new Date(iso))} UTC`;

const quoted = (word: string): string => (/^[\w./:=@,+$-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The name, small, for views that show something else. */
export function Brand({ isBeginning }: { readonly isBeginning: boolean }): JSX.Element {
  const { data } = useReport();
  return (
    <p class="brand">
      {isBeginning ? (
        <span>touchstone report</span>
      ) : (
        <a href="#/">
          {printable(data.name)} <span class="soft">· touchstone report</span>
        </a>
      )}
      <ThemeButton />
    </p>
  );
}

export function Top(): JSX.Element {
  const { data } = useReport();
  const { name, verdict, started, summary } = data;
  return (
    <div class="top">
      <h1>{printable(name)}</h1>
      <p class="soft">
        {data.kind === "run" ? "Judged by touchstone" : "Recordings judged by touchstone"}
        {started !== null && ` on ${dateOf(started)}`}
      </p>
      <p class={`verdict verdict-${verdict.state}`}>{verdict.sentence}</p>
      <Shown verdict={verdict} />
      <Interfaces />
      <Outcomes />
      <p class="soft small">
        {plural(summary.exchanges, "exchange")} judged: {plural(summary.errors, "error")},{" "}
        {plural(summary.warnings, "warning")}, {plural(summary.notes, "note")}.{" "}
        {data.scope.map((sentence) => `${printable(sentence)}. `)}
      </p>
      <Facts />
    </div>
  );
}

function Shown({ verdict: { shown, of } }: Pick<PageData, "verdict">): JSX.Element | null {
  if (of === 0) return null;
  const share = shown === of ? "All" : `${Math.floor((100 * shown) / of)} %`;
  return (
    <p>
      <strong>{share}</strong> of what could be shown was shown: {shown.toLocaleString("en")} of{" "}
      {plural(of, "statement")} of the documents were decided.
    </p>
  );
}

function Interfaces(): JSX.Element {
  const { data, interfaces } = useReport();
  return (
    <div class="interfaces">
      {interfaces.map((of) => {
        const own = data.clauses.filter((clause) => clause.interface === of && clause.verdict !== "unenforced");
        return (
          <section key={of} aria-label={of}>
            <h2>
              <a href={hrefTo(["clauses"], { interface: of })}>{printable(of)}</a>{" "}
              <span class="soft small">{plural(own.length, "clause")}</span>
            </h2>
            <Bar counts={countsOf(own)} />
          </section>
        );
      })}
    </div>
  );
}

const outcomeMarks: Readonly<Record<FeatureOutcome["outcome"], readonly [mark: string, kind: string]>> = {
  works: ["✓", "pass"],
  "works, with faults": ["!", "warning"],
  broken: ["✕", "fail"],
  "not offered": ["–", "skipped"],
  "not shown": ["?", "untested"],
};

/** Features by interface, then clients: what works, in plain words. */
function Outcomes(): JSX.Element | null {
  const { data } = useReport();
  const features = data.features.filter(({ outcome }) => outcome !== "not shown");
  const clients = data.clients.filter(({ outcome }) => outcome !== "not shown");
  if (features.length + clients.length === 0) return null;
  const named = new Set(features.map(({ name }) => name.split("/")[0]!));
  const rows = [...named].sort().map(
    (of) =>
      [
        of,
        features
          .filter(({ name }) => name.startsWith(`${of}/`))
          .map(({ name, outcome, why, decidedBy }) => ({
            name: name.slice(of.length + 1),
            note: "",
            outcome,
            title: `${outcome}: ${why}`,
            href: decidedBy && exchangeHref(decidedBy.source, decidedBy.exchange),
          })),
      ] as const,
  );
  const served = clients.map(({ name, by, version, outcome }) => ({
    name,
    note: `${by}, ${version}`,
    title: `${outcome} (${by}, ${version})`,
    href: undefined,
    outcome: ({ served: "works", "served, with faults": "works, with faults", "not served": "broken" } as const)[
      outcome as "served"
    ],
  }));
  return (
    <section class="outcomes" aria-label="What works">
      <dl>
        {[...rows, ...(served.length > 0 ? [["official clients", served] as const] : [])].map(([of, items]) => (
          <div key={of}>
            <dt>{of === "official clients" ? <a href="#/overview/clients">{of}</a> : of}</dt>
            <dd>
              <ul class="plain chips">
                {items.map(({ name, note, outcome, title, href }) => (
                  <li key={name} class={`outcome v-${outcomeMarks[outcome][1]}`} title={printable(title)}>
                    <span aria-hidden="true">{outcomeMarks[outcome][0]}</span>{" "}
                    {href === undefined ? name : <a href={href}>{name}</a>}
                    {note && <span class="soft small"> {note}</span>}
                    <span class="hidden">: {outcome}</span>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
      <p class="soft small" aria-hidden="true">
        {Object.entries(outcomeMarks)
          .filter(([outcome]) => [...features, ...served].some((one) => one.outcome === outcome))
          .map(([outcome, [mark]]) => `${mark} ${outcome}`)
          .join(" · ")}
      </p>
    </section>
  );
}

/** How it was judged: folded, since few ask. */
function Facts(): JSX.Element {
  const { data } = useReport();
  const { command, facts } = data;
  return (
    <details class="facts">
      <summary>How it was judged: command, versions, documents, readings</summary>
      <dl>
        {command && (
          <div>
            <dt>command</dt>
            <dd class="mono">{printable(command.map(quoted).join(" "))}</dd>
          </div>
        )}
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{printable(name)}</dt>
            <dd class="mono">{printable(value)}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">
        touchstone judges observable conformance to three documents, not answer quality, safety, price or speed. A
        clause that was never exercised is untested, not passed.
      </p>
    </details>
  );
}
