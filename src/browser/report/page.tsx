/** The whole page: its head, and what its address names. */
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { printable } from "../../report/clean.ts";
import type { PageData } from "../../report/page/data.ts";
import { Head } from "../components/head.tsx";
import { Keys } from "../components/keys.tsx";
import { hrefTo, type Route, useRoute } from "../components/route.ts";
import { ClauseList } from "./clause-list.tsx";
import { ClauseView } from "./clause-view.tsx";
import { ExchangeList } from "./exchange-list.tsx";
import { ExchangeView } from "./exchange-view.tsx";
import { Overview } from "./overview.tsx";
import { createReport, ReportProvider } from "./report.ts";

function View({ route }: { readonly route: Route }): JSX.Element {
  const [view, first = "", second = "", third = ""] = route.path;
  if (view === "clauses") return <ClauseList route={route} />;
  if (view === "exchanges") return <ExchangeList route={route} />;
  if (view === "clause")
    return <ClauseView id={first} {...(second !== "" && { at: [second, Number(third)] as const })} />;
  if (view === "exchange") {
    const [clause, event] = [route.query.get("clause"), route.query.get("event")];
    return (
      <ExchangeView
        source={first}
        exchange={Number(second)}
        {...(clause !== null && { clause })}
        {...(event !== null && { event: Number(event) })}
      />
    );
  }
  return <Overview chapter={view === "overview" ? first : undefined} />;
}

const views = [
  ["#/", "Overview"],
  ["#/clauses", "Clauses"],
  ["#/exchanges", "Exchanges"],
] as const;

/** Views that stand below another. */
const above: Readonly<Record<string, string>> = { clause: "clauses", exchange: "exchanges", overview: "" };

/** Asks the list of clauses; lists have a search of their own. */
function Search(): JSX.Element {
  return (
    <input
      type="search"
      class="head-search"
      aria-label="Search clauses"
      placeholder="Search clauses ( / )"
      spellcheck={false}
      onKeyDown={(event) => {
        if (event.key === "Enter") location.hash = hrefTo(["clauses"], { q: event.currentTarget.value });
      }}
    />
  );
}

export function Page({ data }: { readonly data: PageData }): JSX.Element {
  const report = useMemo(() => createReport(data), [data]);
  const route = useRoute();
  const [view = ""] = route.path;
  const place = route.path.join("/");
  const before = useRef(place);
  useLayoutEffect(() => {
    document.title = `${view === "" || view === "overview" ? "" : `${route.path.slice(1, 3).join(" #") || view} · `}${printable(data.name)} · touchstone`;
    if (before.current === place) return;
    before.current = place;
    if (view === "overview") return;
    // Whoever follows a link hears and sees where it leads.
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }, [place]);
  return (
    <ReportProvider value={report}>
      <Head views={views} current={`#/${above[view] ?? view}`}>
        {view !== "clauses" && view !== "exchanges" && <Search />}
      </Head>
      <View route={route} />
      <Keys />
    </ReportProvider>
  );
}
