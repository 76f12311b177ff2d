/** The whole page: its head, and what its address names. */
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { printable, shortened } from "../../report/clean.ts";
import type { OutcomePageData } from "../../report/outcomes/page-data.ts";
import { type Figure, Figures } from "../components/figures.tsx";
import { Foot } from "../components/foot.tsx";
import { Head } from "../components/head.tsx";
import { Keys } from "../components/keys.tsx";
import { type Route, replaceRoute, useRoute } from "../components/route.ts";
import { About } from "./about.tsx";
import { Columns, Unlike } from "./columns.tsx";
import { ExchangeView } from "./exchange-view.tsx";
import { List } from "./list.tsx";
import { Matrix } from "./matrix.tsx";
import { createOutcomes, OutcomesProvider, useOutcomes } from "./outcomes.ts";
import { hrefOf, isOpen, isShown, type Selection, selectionOf } from "./selection.ts";
import { Legend } from "./signs.tsx";
import { Toolbar } from "./toolbar.tsx";
import { Top } from "./top.tsx";

function View({ route }: { readonly route: Route }): JSX.Element {
  const { table } = useOutcomes();
  const [view, column = "", source = "", exchange = ""] = route.path;
  const isAbout = view === "about";
  useLayoutEffect(() => {
    if (!isAbout) return;
    const section = document.getElementById("about");
    section?.scrollIntoView();
    section?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  }, [isAbout]);
  if (view === "exchange")
    return (
      <ExchangeView
        column={Number(column)}
        source={source}
        exchange={Number(exchange)}
        clause={route.query.get("clause") ?? ""}
      />
    );
  const selection = selectionOf(route);
  return table.columns.length === 1 ? <One selection={selection} /> : <Several selection={selection} />;
}

interface SelectedProps {
  readonly selection: Selection;
}

function One({ selection }: SelectedProps): JSX.Element {
  const { table } = useOutcomes();
  return (
    <main>
      <Top />
      <Toolbar selection={selection} />
      <List selection={selection} />
      <Legend />
      <About />
      <Foot facts={table.columns[0]!.facts} isVerifiable />
    </main>
  );
}

/** Differences, where there are any; else what is amiss; else all rows. */
function useWhole(selection: Selection): Selection {
  const outcomes = useOutcomes();
  if (selection.show !== "") return selection;
  const rows = outcomes.table.groups.flatMap((group) => group.rows);
  const named = outcomes.table.groups
    .flatMap((group) => group.rows.filter((row) => isOpen(selection, group, row)))
    .at(0);
  const show = (["differ", "amiss"] as const).find((one) =>
    named ? isShown(outcomes, one, named) : rows.some((row) => isShown(outcomes, one, row)),
  );
  return { ...selection, show: show ?? "all" };
}

function Several({ selection: asked }: SelectedProps): JSX.Element {
  const outcomes = useOutcomes();
  const { table, names } = outcomes;
  const selection = useWhole(asked);
  const rows = table.groups.flatMap((group) => group.rows);
  const figures: readonly Figure[] = [
    ["differ", "rows differ"] as const,
    ["fail", "fail somewhere"] as const,
    ["warn", "warn somewhere"] as const,
    ["all", "rows in all"] as const,
  ].map(([show, says]) => ({
    figure: rows.filter((row) => isShown(outcomes, show, row)).length,
    says,
    href: hrefOf({ show }),
    ...(show === "fail" && { tone: "fail" as const }),
    ...(show === "warn" && { tone: "warning" as const }),
  }));
  return (
    <main class={names.length > 6 ? "many" : ""} style={{ "--columns": names.length }}>
      <div class="title">
        <h1 tabIndex={-1}>{printable(shortened(table.title, 200))}</h1>
      </div>
      <Figures figures={figures} />
      <Columns />
      <Unlike />
      <Toolbar selection={selection} />
      <Matrix selection={selection} />
      <Legend />
      <About />
      <Foot facts={table.columns[0]!.facts} isVerifiable />
    </main>
  );
}

/** Closes the row that is open. */
function closeRow(route: Route): void {
  const { row, column: _column, ...rest } = selectionOf(route);
  if (row) replaceRoute(hrefOf(rest));
}

export function Page({ data }: { readonly data: OutcomePageData }): JSX.Element {
  const outcomes = useMemo(() => createOutcomes(data), [data]);
  const route = useRoute();
  const [view = ""] = route.path;
  const place = view === "exchange" ? route.path.join("/") : "";
  const before = useRef(place);
  useLayoutEffect(() => {
    const name = outcomes.names.join(", ");
    document.title = `${view === "exchange" ? `${printable(shortened(route.path.slice(2, 4).join(" #"), 200))} · ` : ""}${name} · touchstone`;
    if (before.current === place) return;
    before.current = place;
    // Whoever follows a link hears and sees where it leads.
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }, [place]);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || (event.target as HTMLElement).matches?.("input, select, textarea")) return;
      closeRow(route);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  return (
    <OutcomesProvider value={outcomes}>
      <Head title={data.table.kind === "gateway" ? "gateway" : "client"} />
      <View route={route} />
      <Keys />
    </OutcomesProvider>
  );
}
