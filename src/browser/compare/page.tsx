/** The whole page, from top to bottom. */
import type { JSX } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { printable } from "../../report/clean.ts";
import type { ComparePageData } from "../../report/side-by-side/page-data.ts";
import { agreementSays, dateOf } from "../../report/side-by-side/words.ts";
import type { Standing } from "../../verdict/standing.ts";
import { replaceRoute, useRoute } from "../components/route.ts";
import { ThemeButton } from "../components/theme.tsx";
import { ComparisonProvider, createComparison, hrefOf, selectionOf } from "./comparison.ts";
import { Features } from "./outcomes.tsx";
import { Legend } from "./states.tsx";
import { Table } from "./table.tsx";
import { Targets, UnlikeNotes } from "./targets.tsx";
import { Toolbar } from "./toolbar.tsx";
import { UnansweredRequests } from "./unanswered.tsx";

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
      <header class="top">
        <p class="brand soft">
          touchstone <ThemeButton />
        </p>
        <h1>{urls.size === 1 ? `${names.length} runs of one target` : `${names.length} targets`} side by side</h1>
        <p>{agreementSays(compared)}.</p>
      </header>
      <main class={names.length > 8 ? "many" : ""} style={{ "--columns": names.length }}>
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
