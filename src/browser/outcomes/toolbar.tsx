/** What narrows the rows: a choice of several columns, a group, an outcome, words. */
import type { JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import { Choice, SearchBox } from "../components/filters.tsx";
import { replaceRoute } from "../components/route.ts";
import { useOutcomes } from "./outcomes.ts";
import { hrefOf, isSelected, isShown, type Selection, type Show } from "./selection.ts";
import { outcomeWord } from "./signs.tsx";

const namesOfOne: readonly (readonly [Show, string])[] = [
  ["fail", "failures"],
  ["warn", "warnings"],
  ["known", "known failures"],
  ["quiet", "not held against it"],
  ["good", "as they should be"],
];

export const namesOfSeveral: readonly (readonly [Show, string])[] = [
  ["differ", "Differences"],
  ["amiss", "Amiss somewhere"],
  ["all", "All rows"],
];

export function Toolbar({ selection }: { readonly selection: Selection }): JSX.Element {
  const outcomes = useOutcomes();
  const { table } = outcomes;
  const all = table.groups.flatMap((group) => group.rows.map((row) => ({ group, row })));
  const seen = new Set(all.flatMap(({ row }) => row.cells.flatMap((cell) => cell?.outcome ?? [])));
  const selected = all.filter(({ group, row }) => isSelected(outcomes, selection, group, row)).length;
  const { row: _row, column: _column, ...rest } = selection;
  const goTo = (change: Partial<Selection>): void => replaceRoute(hrefOf({ ...rest, ...change }));
  const several = table.columns.length > 1;
  return (
    <section class="chapter" aria-labelledby="rows">
      <h2 id="rows">
        Outcomes{" "}
        <small role="status">
          {selected.toLocaleString("en")} of {all.length.toLocaleString("en")}
        </small>
      </h2>
      <search class="filters" aria-label="Rows">
        {several && (
          <fieldset class="shows">
            <legend class="hidden">Which rows</legend>
            {namesOfSeveral.map(([show, name]) => (
              <button key={show} type="button" aria-pressed={selection.show === show} onClick={() => goTo({ show })}>
                {name}{" "}
                <span class="count">
                  {all.filter(({ row }) => isShown(outcomes, show, row)).length.toLocaleString("en")}
                </span>
              </button>
            ))}
          </fieldset>
        )}
        <SearchBox label="Search: a word, an id" value={selection.search} onValue={(search) => goTo({ search })} />
        {!several && (
          <Choice
            label="show"
            value={selection.show}
            options={namesOfOne}
            onValue={(show) => goTo({ show: show as Show })}
          />
        )}
        <Choice
          label="group"
          value={selection.group}
          options={table.groups.map(({ name, title }) => [name, printable(shortened(title, 80))])}
          onValue={(group) => goTo({ group })}
        />
        <Choice
          label="outcome"
          value={selection.outcome}
          options={table.legend
            .filter(({ outcome }) => seen.has(outcome))
            .map(({ outcome }) => [outcome, outcomeWord(outcome)])}
          onValue={(outcome) => goTo({ outcome })}
        />
      </search>
    </section>
  );
}
