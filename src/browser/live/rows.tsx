/** The list of judged exchanges, the latest first; it stands still while somebody reads further down. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Row } from "../../live/protocol.ts";
import { hrefTo, useRoute } from "../components/route.ts";
import { Sentence } from "../components/sentence.tsx";
import { counted, plural, visible } from "../components/shown.ts";
import { VirtualList } from "../components/virtual-list.tsx";
import { verdictOf } from "./filter-row.tsx";
import { FirstSteps } from "./first-steps.tsx";
import type { Known } from "./session.ts";
import { When } from "./when.tsx";

interface Held {
  readonly shown: readonly Row[];
  /** Rows that came since, and are not shown yet. */
  readonly fresh: number;
  readonly release: () => void;
}

/** The rows as they were when the reader scrolled away from the top; all of them as they come while the top is seen. */
export function useHeld(rows: readonly Row[], key: string): Held {
  const [isHeld, setHeld] = useState(false);
  const held = useRef<{ rows: readonly Row[]; key: string }>({ rows, key });
  useEffect(() => {
    const onScroll = (): void => {
      const list = document.querySelector(".judged .virtual");
      setHeld(list !== null && list.getBoundingClientRect().top < 0);
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, []);
  if (!isHeld || held.current.key !== key || rows.length < held.current.rows.length) held.current = { rows, key };
  return {
    shown: held.current.rows,
    fresh: rows.length - held.current.rows.length,
    release() {
      window.scrollTo(0, 0);
      setHeld(false);
    },
  };
}

/** Whether rows take two lines. */
function useNarrow(): boolean {
  const [query] = useState(() => window.matchMedia("(width < 700px)"));
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const changed = (): void => setNarrow(query.matches);
    changed();
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, [query]);
  return isNarrow;
}

const words = { unjudged: "not all judged", none: "unknown path", clean: "ok" } as const;

function Verdict({ row }: { readonly row: Row }): JSX.Element {
  const { errors, warnings, notes, aborted } = row;
  const verdict = verdictOf(row);
  return (
    <span class="found">
      {errors > 0 && <b class="v-fail">{plural(errors, "error")}</b>}
      {warnings > 0 && <b class="v-warning">{plural(warnings, "warning")}</b>}
      {(verdict === "unjudged" || verdict === "none" || verdict === "clean") && (
        <span class={verdict === "clean" ? "v-pass" : "soft"}>{words[verdict]}</span>
      )}
      {notes > 0 && errors + warnings === 0 && <span class="soft">{plural(notes, "note")}</span>}
      {aborted && <span class="soft">broken off by the {aborted}</span>}
    </span>
  );
}

/** The sentence of the worst clause that was violated, its id, and how many others there are. */
function Violated({ row: { says, clauses } }: { readonly row: Row }): JSX.Element | null {
  const [first, ...others] = clauses;
  if (first === undefined) return null;
  return (
    <span class="why" title={clauses.join("\n")}>
      {says !== undefined && <Sentence text={visible(says)} />} <code class="soft">{first}</code>
      {others.length > 0 && <span class="soft"> and {others.length} more</span>}
    </span>
  );
}

export const statusClass = (status: number | null): string =>
  status === null || status >= 500 ? "v-fail" : status >= 400 ? "v-warning" : "";

interface RowsProps {
  readonly known: Known;
  readonly rows: readonly Row[];
  readonly fresh: number;
  readonly release: () => void;
  readonly picked: ReadonlySet<number>;
  readonly pick: (exchange: number, isPicked: boolean) => void;
}

export function Rows({ known, rows, fresh, release, picked, pick }: RowsProps): JSX.Element {
  const isNarrow = useNarrow();
  const [kind, number] = useRoute().path;
  if (rows.length === 0) {
    if (known.rows.length > 0) return <p class="empty soft">Filters, or Clear list, hide all exchanges.</p>;
    if (known.earlier > 0) return <p class="empty soft">Reading {plural(known.earlier, "earlier exchange")}…</p>;
    return known.session && known.flights.lag === 0 ? (
      <FirstSteps url={known.session.url} />
    ) : (
      <p class="empty soft">Nothing yet.</p>
    );
  }
  return (
    <>
      {fresh > 0 && (
        <button type="button" class="fresh" onClick={release}>
          {counted(fresh)} new
        </button>
      )}
      <VirtualList
        items={rows}
        rowHeight={isNarrow || kind !== undefined ? 58 : 36}
        label="exchanges"
        keyOf={({ exchange }) => exchange}
      >
        {(row) => (
          <div class="row">
            <a
              href={hrefTo(["exchange", String(row.exchange)])}
              aria-current={kind === "exchange" && number === String(row.exchange) ? "true" : undefined}
            >
              <span class="number soft">{row.exchange}</span>
              <span class={`status mono ${statusClass(row.status)}`}>{row.status ?? "none"}</span>
              <span class="asked mono">
                {visible(row.asked)} <Violated row={row} />
              </span>
              <Verdict row={row} />
              <When started={row.started} time={row.time} />
            </a>
            <label class="pick" title={`Choose exchange ${row.exchange} to be saved`}>
              <span class="hidden">choose exchange {row.exchange} to be saved</span>
              <input
                type="checkbox"
                checked={picked.has(row.exchange)}
                onChange={(event) => pick(row.exchange, event.currentTarget.checked)}
              />
            </label>
          </div>
        )}
      </VirtualList>
      {known.gone > 0 && (
        <p class="soft">{plural(known.gone, "earlier exchange")} are in the cassette and not in this list.</p>
      )}
    </>
  );
}
