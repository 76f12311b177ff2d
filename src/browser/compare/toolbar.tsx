/** Controls that narrow the table: how columns agree, a section, words. */
import type { JSX } from "preact";
import { printable } from "../../report/clean.ts";
import { grouped } from "../../report/side-by-side/words.ts";
import { Choice, SearchBox } from "../components/filters.tsx";
import { replaceRoute } from "../components/route.ts";
import { hrefOf, isShown, type Selection, type Show, useComparison } from "./comparison.ts";

const names: Readonly<Record<Show, string>> = {
  differing: "Differences",
  violated: "Violated somewhere",
  rules: "Unenforced somewhere",
  all: "All clauses",
};

export function Toolbar({ selection }: { readonly selection: Selection }): JSX.Element {
  const { document } = useComparison();
  const rows = document.sections.flatMap((section) => section.rows);
  const interfaces = [...new Set(document.sections.map((section) => section.interface))];
  const options = interfaces.flatMap((of): (readonly [string, string])[] => [
    [of, printable(of)],
    ...document.sections
      .filter((section) => section.interface === of)
      .map(({ section }) => [`${of}/${section}`, `\u2003${printable(section)}`] as const),
  ]);
  const goTo = (change: Partial<Selection>): void => replaceRoute(hrefOf({ ...selection, clause: "", ...change }));
  return (
    <search class="toolbar filters" aria-label="Clauses">
      <fieldset class="shows">
        <legend class="hidden">Which clauses</legend>
        {(Object.keys(names) as Show[]).map((show) => (
          <button key={show} type="button" aria-pressed={selection.show === show} onClick={() => goTo({ show })}>
            {names[show]} <span class="count">{grouped(rows.filter(isShown[show]).length)}</span>
          </button>
        ))}
      </fieldset>
      <Choice label="Section" value={selection.section} options={options} onValue={(section) => goTo({ section })} />
      <SearchBox label="Search clauses" value={selection.search} onValue={(search) => goTo({ search })} />
    </search>
  );
}
