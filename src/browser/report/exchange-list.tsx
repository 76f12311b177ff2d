/** All exchanges, narrowed by words and choices. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { printable } from "../../report/clean.ts";
import { Choice, holdsWords, Marked, Nothing, SearchBox, wordsOf } from "../components/filters.tsx";
import { hrefTo, type Route, replaceRoute } from "../components/route.ts";
import { plural } from "../components/shown.ts";
import { VirtualList } from "../components/virtual-list.tsx";
import { exchangeHref, useReport } from "./report.ts";

/** The name of the worst finding of an exchange, and its colour. */
const worstNames = [
  ["no finding", "pass"],
  ["note", "untested"],
  ["warning", "warning"],
  ["error", "fail"],
] as const;

const statusOf = (status: number | null): string => (status === null ? "none" : `${Math.floor(status / 100)}xx`);

export function ExchangeList({ route }: { readonly route: Route }): JSX.Element {
  const { data } = useReport();
  const { sources, operations, source, operation, exchange, status, worst } = data.exchanges;
  const chosen = { q: "", worst: "", status: "", operation: "", ...Object.fromEntries(route.query) };
  const texts = useMemo(
    () =>
      source.map((of, row) =>
        `${sources[of]} #${exchange[row]} ${operations[operation[row]!]} ${status[row]}`.toLowerCase(),
      ),
    [data],
  );
  const words = wordsOf(chosen.q);
  const rows = useMemo(() => {
    const all = texts.map((_, row) => row);
    const found = all.filter(
      (row) =>
        (chosen.worst === "" || String(worst[row]) === chosen.worst) &&
        (chosen.status === "" || statusOf(status[row]!) === chosen.status) &&
        (chosen.operation === "" || operations[operation[row]!] === chosen.operation) &&
        holdsWords(texts[row]!, words),
    );
    // The worst first, else as they were sent.
    return found.sort((a, b) => worst[b]! - worst[a]! || a - b);
  }, [texts, JSON.stringify(chosen)]);
  const choose = (name: string) => (value: string) => replaceRoute(hrefTo(["exchanges"], { ...chosen, [name]: value }));
  return (
    <main>
      <h1 tabIndex={-1}>Exchanges</h1>
      <Kept />
      <div class="list-head">
        <search class="filters">
          <SearchBox label="Search exchanges: a recording, an operation" value={chosen.q} onValue={choose("q")} />
          <Choice
            label="worst finding"
            value={chosen.worst}
            options={worstNames.map(([name], i) => [String(i), name])}
            onValue={choose("worst")}
          />
          <Choice
            label="status"
            value={chosen.status}
            options={[...new Set(status.map(statusOf))].sort().map((one) => [one, one])}
            onValue={choose("status")}
          />
          <Choice
            label="operation"
            value={chosen.operation}
            options={operations.map((one) => [one, printable(one)])}
            onValue={choose("operation")}
          />
        </search>
        <p class="soft small" role="status">
          {plural(rows.length, "exchange")}
          {rows.length < texts.length && ` of ${texts.length.toLocaleString("en")}`}
        </p>
        <p class="columns columns-exchange" aria-hidden="true">
          <span>finding</span>
          <span>exchange</span>
          <span>operation</span>
          <span>status</span>
        </p>
      </div>
      {rows.length === 0 && <Nothing noun="exchange" all={hrefTo(["exchanges"])} />}
      <VirtualList items={rows} rowHeight={36} label="Exchanges" keyOf={(row) => row}>
        {(row) => {
          const [name, colour] = worstNames[worst[row]! as 0];
          return (
            <a class="row columns-exchange" href={exchangeHref(sources[source[row]!]!, exchange[row]!)}>
              <span class={`chip v-${colour}`}>{name}</span>
              <span class="says">
                <Marked text={`${printable(sources[source[row]!]!)} #${exchange[row]}`} words={words} />
              </span>
              <code class="id">
                <Marked text={printable(operations[operation[row]!]!)} words={words} />
              </code>
              <span class="extent">{status[row] ?? "no answer"}</span>
            </a>
          );
        }}
      </VirtualList>
    </main>
  );
}

/** The exchanges that lie in the page, if those are not all. */
function Kept(): JSX.Element | null {
  const { data } = useReport();
  const { kept, block } = data.exchanges;
  const left = block.filter((of) => of < 0).length;
  const says = {
    all: null,
    failing: "Only exchanges with findings were kept.",
    none: "No exchanges were kept, so that only findings are shown.",
    absent: "No exchanges lie beside these results, so that only findings are shown.",
  }[kept];
  return (
    <>
      {says && <p>{says}</p>}
      {left > 0 && <p>{plural(left, "exchange")} without room in this page: exchanges.jsonl beside it holds them.</p>}
    </>
  );
}
