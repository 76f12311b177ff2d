/** The first facts that anyone wants to know: the target, the time, the conclusion, and how each interface fared. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import { redsOf } from "../../verdict/outcome.ts";
import { standings, standingWords } from "../../verdict/standing.ts";
import { type Figure, Figures } from "../components/figures.tsx";
import { hrefTo } from "../components/route.ts";
import { plural } from "../components/shown.ts";
import { countsOf, StandingBar } from "../components/verdicts.tsx";
import { interfacesIn, titleOf, useReport } from "./report.ts";

const dateFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** `22 Nov 2026, 17:19 UTC`; as it stands where it is no date. */
const dateOf = (iso: string): string =>
  Number.isNaN(Date.parse(iso)) ? printable(iso) : `${dateFormat.format(new Date(iso))} UTC`;

const pills = { conforms: "Conforms", fails: "Fails", incomplete: "Incomplete", broken: "Broken" } as const;

export function Top(): JSX.Element {
  const { data } = useReport();
  const { name, verdict, started, scope, address, unanswered } = data;
  const facts = [
    ...(address !== null && address !== name ? [printable(address)] : []),
    ...(started === null ? [] : [dateOf(started)]),
    ...scope.map((sentence) => printable(sentence)),
  ];
  return (
    <div class="top">
      <div class="title">
        <h1 tabIndex={-1}>{printable(name)}</h1>
        <span class={`pill p-${verdict.state}`}>{pills[verdict.state]}</span>
      </div>
      <p class="sentence">{verdict.sentence}</p>
      <p class="meta">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {unanswered.length > 0 && (
          <a class="v-warning" href="#/overview/unanswered">
            {plural(unanswered.length, "request")} never answered
          </a>
        )}
        <a href="#/overview/how">How this was tested</a>
      </p>
      <Counts />
      <Interfaces />
    </div>
  );
}

/** Five figures, each a link to what it counts. */
function Counts(): JSX.Element {
  const { data, counted } = useReport();
  const { shown, of } = data.verdict;
  const counts = countsOf(counted);
  const unenforced = data.clauses.filter(({ verdict }) => verdict === "unenforced").length;
  const incidents = redsOf(data).incidents.length;
  const listOf = (verdict: string): string => hrefTo(["clauses"], { verdict });
  const share = of === 0 ? "–" : shown === of ? "100 %" : `${Math.floor((100 * shown) / of)} %`;
  const oneOr = (n: number, one: string, many: string): string => (n === 1 ? one : many);
  const figures: readonly Figure[] = [
    {
      figure: counts.fail,
      says: oneOr(counts.fail, "failing clause", "failing clauses"),
      href: listOf("fail"),
      tone: "fail",
    },
    {
      figure: incidents,
      says: oneOr(incidents, "unexpected status", "unexpected statuses"),
      href: "#/overview/incidents",
      tone: "fail",
    },
    {
      figure: counts.warning,
      says: oneOr(counts.warning, "warning", "warnings"),
      href: listOf("warning"),
      tone: "warning",
    },
    {
      figure: unenforced,
      says: oneOr(unenforced, "rule unenforced", "rules unenforced"),
      href: listOf("unenforced"),
    },
    { figure: share, says: "of observable clauses covered", href: listOf("covered") },
  ];
  return <Figures figures={figures} />;
}

/** A card an interface of which something was shown, the worst first; a line for all others. */
function Interfaces(): JSX.Element {
  const report = useReport();
  const { data, counted } = report;
  const { shown: interfaces, quiet } = interfacesIn(report);
  const worstFirst = [...standings].sort((a, b) => Number(b === "fail") - Number(a === "fail"));
  return (
    <>
      <ul class="plain interfaces">
        {interfaces.map((of) => {
          const own = counted.filter((clause) => clause.interface === of);
          const counts = countsOf(own);
          return (
            <li key={of}>
              <h2>
                <a href={hrefTo(["clauses"], { interface: of })}>{printable(titleOf(of))}</a>
                <span class="soft" title={plural(own.length, "clause")}>
                  {own.length.toLocaleString("en")}
                </span>
              </h2>
              <StandingBar counts={counts} />
              <p class="legend">
                {worstFirst
                  .filter((one) => counts[one] > 0)
                  .map((one) => (
                    <span key={one} class={one === "fail" ? "v-fail" : undefined}>
                      {counts[one]} {standingWords[one].word}
                    </span>
                  ))}
              </p>
            </li>
          );
        })}
      </ul>
      {quiet.length > 0 && <InterfaceLine says="Nothing was shown of" of={quiet} />}
      {data.lacking.length > 0 && <InterfaceLine says="Not offered:" of={data.lacking} />}
    </>
  );
}

/** Interfaces in one line, each a link to its clauses. */
function InterfaceLine({ says, of: names }: { readonly says: string; readonly of: readonly string[] }): JSX.Element {
  return (
    <p class="quiet-interfaces soft">
      {says}{" "}
      {names.map((of, i) => (
        <>
          {i > 0 && (i === names.length - 1 ? " and " : ", ")}
          <a key={of} href={hrefTo(["clauses"], { interface: of })}>
            {printable(titleOf(of))}
          </a>
        </>
      ))}
      .
    </p>
  );
}
