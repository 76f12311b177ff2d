/** The whole page, from top to bottom. */
import type { JSX } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { printable } from "../../report/clean.ts";
import type { ComparePageData } from "../../report/side-by-side/page-data.ts";
import { dateOf } from "../../report/side-by-side/words.ts";
import type { Standing } from "../../verdict/standing.ts";
import { type Figure, Figures } from "../components/figures.tsx";
import { Head } from "../components/head.tsx";
import { replaceRoute, useRoute } from "../components/route.ts";
import {
  type Comparison,
  ComparisonProvider,
  createComparison,
  hrefOf,
  isShown,
  type Show,
  selectionOf,
} from "./comparison.ts";
import { Features } from "./outcomes.tsx";
import { Legend } from "./states.tsx";
import { Table } from "./table.tsx";
import { Targets, UnlikeNotes } from "./targets.tsx";
import { Toolbar } from "./toolbar.tsx";
import { UnansweredRequests } from "./unanswered.tsx";

/** The figures of each choice of the table. */
function figuresOf({ document: { sections } }: Comparison): Figure[] {
  const rows = sections.flatMap((section) => section.rows);
  const says: Readonly<Record<Show, string>> = {
    differing: "clauses differ",
    violated: "violated somewhere",
    rules: "rules that some or all do not enforce",
    all: "clauses in all",
  };
  return (Object.keys(says) as Show[]).map((show) => ({
    figure: rows.filter(isShown[show]).length,
    says: says[show],
    href: hrefOf({ show, section: "", search: "", clause: "" }),
  }));
}

export function Page({ data }: { readonly data: ComparePageData }): JSX.Element {
  const comparison = useMemo(() => createComparison(data), [data]);
  const selection = selectionOf(comparison, useRoute());
  const { document: compared, names } = comparison;
  const urls = new Set(compared.columns.map(({ url }) => url));
  const shown = new Set<Standing>(
    compared.sections.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.map(({ state }) => state))),
  );
  // Slash goes to the search, Escape closes what is open: of two keys in a row the second meets what the first left.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = (event.target as HTMLElement).matches?.("input, select, textarea");
      if (event.key === "/" && !isTyping) {
        event.preventDefault();
        document.querySelector<HTMLElement>("input[type=search]")?.focus();
      }
      if (event.key === "Escape" && !isTyping && selection.clause !== "") {
        const { column, place: _place, ...rest } = selection;
        replaceRoute(hrefOf({ ...rest, clause: column === undefined ? "" : rest.clause }));
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  return (
    <ComparisonProvider value={comparison}>
      <Head title="side by side" />
      <main class={names.length > 8 ? "many" : ""} style={{ "--columns": names.length }}>
        <h1>{urls.size === 1 ? `${names.length} runs of one target` : `${names.length} targets`} side by side</h1>
        <Figures figures={figuresOf(comparison)} />
        <Targets />
        <UnlikeNotes />
        <Features />
        <UnansweredRequests />
        <Toolbar selection={selection} />
        <Table selection={selection} />
        <section aria-labelledby="legend">
          <h2 id="legend">Legend</h2>
          <Legend shown={shown} />
        </section>
        <footer class="soft">
          <p>
            touchstone judges observable conformance to three documents, not answer quality, safety, price or speed. A
            clause that no answer showed is untested, not passed.
          </p>
          <ul>
            {compared.columns.map((column, i) => (
              <li key={i}>
                {names[i]}: {dateOf(column)}, touchstone {printable(column.terms.touchstone)}, preset{" "}
                {printable(column.terms.preset)}, readings {printable(column.terms.readings.join(", ") || "default")}
                {Object.entries(column.terms.documents).map(([name, digest]) => (
                  <>
                    , {printable(name)} <code>{digest.slice(0, 12)}</code>
                  </>
                ))}
              </li>
            ))}
          </ul>
        </footer>
      </main>
    </ComparisonProvider>
  );
}
