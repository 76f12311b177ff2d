/** All clauses, narrowed by words and choices. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { printable } from "../../report/clean.ts";
import type { PageClause } from "../../report/page/data.ts";
import { isShown, type Standing, standingOf, standings, standingWords } from "../../verdict/standing.ts";
import { Choice, holdsWords, Marked, Nothing, SearchBox, wordsOf } from "../components/filters.tsx";
import { rankOf } from "../components/relevance.ts";
import { hrefTo, type Route, replaceRoute } from "../components/route.ts";
import { Sentence } from "../components/sentence.tsx";
import { plural } from "../components/shown.ts";
import { Chip, countsOf } from "../components/verdicts.tsx";
import { VirtualList } from "../components/virtual-list.tsx";
import { clauseHref, type Report, useReport } from "./report.ts";

/** The names of the choices, as they stand in the address. */
const choices = ["interface", "section", "verdict", "level", "kind"] as const;
type Chosen = Readonly<Record<(typeof choices)[number] | "q", string>>;

const chosenIn = (query: URLSearchParams): Chosen =>
  Object.fromEntries(["q", ...choices].map((name) => [name, query.get(name) ?? ""])) as Chosen;

/** The texts by which each clause is searched: its sentence, its id, its place in the document, and its findings. */
function searchTexts({ data, groups }: Report): ReadonlyMap<string, string> {
  return new Map(
    data.clauses.map(({ id, says, document }) => [
      id,
      [
        id,
        says,
        document.name,
        document.section,
        ...(groups.get(id) ?? []).flatMap(({ pointer, first }) => [pointer, ...first.map(({ actual }) => actual)]),
      ]
        .join(" ")
        .toLowerCase(),
    ]),
  );
}

const fits = (clause: PageClause, chosen: Chosen, text: string): boolean =>
  (chosen.interface === "" || clause.interface === chosen.interface) &&
  (chosen.section === "" || clause.section === chosen.section) &&
  (chosen.verdict === "" ||
    (chosen.verdict === "covered" ? isShown(standingOf(clause)) : standingOf(clause) === chosen.verdict)) &&
  (chosen.level === "" || clause.level === chosen.level) &&
  (chosen.kind === "" || clause.kind === chosen.kind) &&
  holdsWords(text, wordsOf(chosen.q));

const optionsOf = (values: Iterable<string>): [string, string][] =>
  [...new Set(values)].sort().map((value) => [value, value]);

/** The order of clauses in the list: the worst first. */
const worstFirst: readonly Standing[] = [
  "fail",
  "broken",
  "inherited",
  "expected",
  "warning",
  "no-verdict",
  "unenforced",
  "pass",
];
function placeOf(clause: PageClause): number {
  const at = worstFirst.indexOf(standingOf(clause));
  return at < 0 ? worstFirst.length : at;
}

/** `3 of 91`: exchanges that violate it, of those that show it. */
const extentOf = ({ failed, warned = 0, unenforced = 0, exercised }: PageClause): string => {
  const violated = failed || warned || unenforced;
  return violated > 0 ? `${violated} of ${exercised}` : exercised > 0 ? exercised.toLocaleString("en") : "";
};

export function ClauseList({ route }: { readonly route: Route }): JSX.Element {
  const report = useReport();
  const { data } = report;
  const texts = useMemo(() => searchTexts(report), [report]);
  const chosen = chosenIn(route.query);
  const words = wordsOf(chosen.q);
  const shown = useMemo(
    () =>
      data.clauses
        .filter((clause) => fits(clause, chosen, texts.get(clause.id)!))
        .map((clause) => [clause, Math.min(rankOf(clause.says, words), rankOf(clause.id, words))] as const)
        .sort(([a, first], [b, second]) => first - second || placeOf(a) - placeOf(b))
        .map(([clause]) => clause),
    [data, texts, JSON.stringify(chosen)],
  );
  const choose = (name: string) => (value: string) => replaceRoute(hrefTo(["clauses"], { ...chosen, [name]: value }));
  const counts = countsOf(data.clauses);
  const names: Readonly<Record<(typeof choices)[number], readonly (readonly [string, string])[]>> = {
    interface: optionsOf(data.clauses.map((clause) => clause.interface)),
    section: optionsOf(data.clauses.map(({ section }) => section)),
    verdict: [
      ...standings.filter((one) => counts[one] > 0).map((one) => [one, standingWords[one].word] as const),
      ["covered", "covered"],
    ],
    level: optionsOf(data.clauses.map(({ level }) => level)),
    kind: optionsOf(data.clauses.map(({ kind }) => kind)),
  };
  return (
    <main>
      <h1 tabIndex={-1}>Clauses</h1>
      <div class="list-head">
        <search class="filters">
          <SearchBox label="Search clauses: a word, an id, a section" value={chosen.q} onValue={choose("q")} />
          {choices.map((name) => (
            <Choice key={name} label={name} value={chosen[name]} options={names[name]} onValue={choose(name)} />
          ))}
        </search>
        <p class="soft small" role="status">
          {plural(shown.length, "clause")}
          {shown.length < data.clauses.length && ` of ${data.clauses.length.toLocaleString("en")}`}
        </p>
        <p class="columns columns-clause" aria-hidden="true">
          <span>verdict</span>
          <span>clause</span>
          <span>id</span>
          <span>exchanges</span>
        </p>
      </div>
      {shown.length === 0 && <Nothing noun="clause" all={hrefTo(["clauses"])} />}
      <VirtualList items={shown} rowHeight={36} label="Clauses" keyOf={({ id }) => id}>
        {(clause) => (
          <a class="row columns-clause" href={clauseHref(clause.id)}>
            <Chip standing={standingOf(clause)} />
            <span class="says">
              <Sentence text={printable(clause.says || clause.id)} words={words} />
            </span>
            <code class="id">
              <Marked text={printable(clause.id)} words={words} />
            </code>
            <span class="extent">{extentOf(clause)}</span>
          </a>
        )}
      </VirtualList>
      {chosen.q !== "" && (
        <p>
          <a href={hrefTo(["exchanges"], { q: chosen.q })}>Search exchanges for “{printable(chosen.q)}”</a>
        </p>
      )}
    </main>
  );
}
