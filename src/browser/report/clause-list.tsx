/** All clauses, narrowed by words and choices. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { printable } from "../../report/clean.ts";
import type { PageClause } from "../../report/page/data.ts";
import { standingOf, standings, standingWords } from "../../verdict/standing.ts";
import { Choice, holdsWords, SearchBox, wordsOf } from "../components/filters.tsx";
import { hrefTo, type Route, replaceRoute } from "../components/route.ts";
import { Bar, Chip, countsOf } from "../components/verdicts.tsx";
import { VirtualList } from "../components/virtual-list.tsx";
import { clauseHref, plural, type Report, useReport } from "./report.ts";

/** The names of the choices, as they stand in the address. */
const choices = ["interface", "section", "verdict", "level", "kind"] as const;
type Chosen = Readonly<Record<(typeof choices)[number] | "q", string>>;

const chosenIn = (query: URLSearchParams): Chosen =>
  Object.fromEntries(["q", ...choices].map((name) => [name, query.get(name) ?? ""])) as Chosen;

/** What each clause is searched by: its sentence, its id, its place in the document, and what was found. */
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
  (chosen.verdict === "" || standingOf(clause) === chosen.verdict) &&
  (chosen.level === "" || clause.level === chosen.level) &&
  (chosen.kind === "" || clause.kind === chosen.kind) &&
  holdsWords(text, wordsOf(chosen.q));

const optionsOf = (values: Iterable<string>): [string, string][] =>
  [...new Set(values)].sort().map((value) => [value, value]);

export function ClauseList({ route }: { readonly route: Route }): JSX.Element {
  const report = useReport();
  const { data } = report;
  const texts = useMemo(() => searchTexts(report), [report]);
  const chosen = chosenIn(route.query);
  const shown = useMemo(
    () => data.clauses.filter((clause) => fits(clause, chosen, texts.get(clause.id)!)),
    [data, texts, JSON.stringify(chosen)],
  );
  const choose = (name: string) => (value: string) => replaceRoute(hrefTo(["clauses"], { ...chosen, [name]: value }));
  const counts = countsOf(data.clauses);
  const names: Readonly<Record<(typeof choices)[number], readonly (readonly [string, string])[]>> = {
    interface: optionsOf(data.clauses.map((clause) => clause.interface)),
    section: optionsOf(data.clauses.map(({ section }) => section)),
    verdict: standings.filter((one) => counts[one] > 0).map((one) => [one, standingWords[one].word]),
    level: optionsOf(data.clauses.map(({ level }) => level)),
    kind: optionsOf(data.clauses.map(({ kind }) => kind)),
  };
  return (
    <main>
      <h1 tabIndex={-1}>Clauses</h1>
      <search class="filters">
        <SearchBox label="Search clauses: a word, an id, a section" value={chosen.q} onValue={choose("q")} />
        {choices.map((name) => (
          <Choice key={name} label={name} value={chosen[name]} options={names[name]} onValue={choose(name)} />
        ))}
      </search>
      <p class="soft" role="status">
        {plural(shown.length, "clause")}
        {shown.length < data.clauses.length && ` of ${data.clauses.length.toLocaleString("en")}`}
      </p>
      <Bar counts={countsOf(shown)} />
      <VirtualList items={shown} rowHeight={64} label="Clauses" keyOf={({ id }) => id}>
        {(clause) => (
          <div class="row">
            <a class="one-line" href={clauseHref(clause.id)}>
              {printable(clause.says || clause.id)}
            </a>
            <p class="soft small one-line">
              <Chip standing={standingOf(clause)} /> <code>{printable(clause.id)}</code>
            </p>
          </div>
        )}
      </VirtualList>
    </main>
  );
}
