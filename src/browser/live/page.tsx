/** A recording session as it happens: what is in flight, what was judged, and one exchange whole beside them. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { wordsOf } from "../components/filters.tsx";
import { Keys } from "../components/keys.tsx";
import { useRoute } from "../components/route.ts";
import { counted } from "../components/shown.ts";
import { useBodySearch } from "./body-search.ts";
import { Chosen } from "./chosen.tsx";
import { FilterRow, matches, useFilters } from "./filter-row.tsx";
import { FlightDetail } from "./flight-detail.tsx";
import { useFollow } from "./follow.ts";
import { InFlight } from "./in-flight.tsx";
import { Rows, useHeld } from "./rows.tsx";
import { Save } from "./save.tsx";
import type { Known, Store } from "./session.ts";
import { Top } from "./top.tsx";

/** The state of the store, anew whenever it changes. */
function useKnown(store: Store): Known {
  const [known, setKnown] = useState(store.now);
  useEffect(() => {
    const changed = (): void => setKnown(store.now());
    // It may have changed between being read and being subscribed to.
    changed();
    return store.subscribe(changed);
  }, [store]);
  return known;
}

interface BesideProps {
  readonly known: Known;
  /** The path in the address. */
  readonly path: readonly string[];
}

function Beside({ known, path: [kind, number = ""] }: BesideProps): JSX.Element | null {
  const at = /^\d+$/.test(number) ? Number(number) : undefined;
  if (kind === "exchange" && at !== undefined)
    return <Chosen key={at} exchange={at} row={known.rows.find(({ exchange }) => exchange === at)} known={known} />;
  if (kind === "flight" && at !== undefined) return <FlightDetail key={at} id={at} />;
  return null;
}

export function Page({ store }: { readonly store: Store }): JSX.Element {
  const known = useKnown(store);
  const filters = useFilters();
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const { path } = useRoute();
  /** Exchanges before this one were cleared from the list. */
  const [from, setFrom] = useState(0);
  const rows = useMemo(() => known.rows.filter(({ exchange }) => exchange >= from), [known.rows, from]);
  const last = known.rows.at(-1)?.exchange ?? -1;
  const bodies = useBodySearch(filters.inBodies ? wordsOf(filters.words) : [], last + 1);
  const matching = useMemo(
    () => rows.filter((row) => matches(row, filters, bodies.found)).reverse(),
    [rows, filters.key, bodies.found],
  );
  const [isFollowing, setFollowing] = useFollow(matching[0]?.exchange, path);
  const { shown, fresh, release } = useHeld(matching, `${from} ${filters.key}`);

  function pick(exchange: number, isPicked: boolean): void {
    setPicked((before) => {
      const after = new Set(before);
      if (isPicked) after.add(exchange);
      else after.delete(exchange);
      return after;
    });
  }

  return (
    <div class={`live${path.length > 0 ? " with-detail" : ""}`}>
      <Top known={known} />
      <main>
        <div class="lists">
          <InFlight known={known} />
          <section class="judged" aria-labelledby="judged">
            <div class="judged-head">
              <h2 id="judged">Exchanges</h2>
              {rows.length > 0 && (
                <label class="check">
                  <input
                    type="checkbox"
                    checked={isFollowing}
                    onChange={(event) => setFollowing(event.currentTarget.checked)}
                  />
                  follow newest
                </label>
              )}
              {rows.length > 0 && (
                <button type="button" class="quiet" onClick={() => setFrom(known.rows.at(-1)!.exchange + 1)}>
                  Clear list
                </button>
              )}
              {from > 0 && (
                <button type="button" class="quiet" onClick={() => setFrom(0)}>
                  Show the {counted(known.rows.length - rows.length)} cleared
                </button>
              )}
            </div>
            <FilterRow filters={filters} rows={rows} shown={matching.length} searching={bodies.progress} />
            <Rows known={known} rows={shown} fresh={fresh} release={release} picked={picked} pick={pick} />
          </section>
        </div>
        <aside class="chosen" aria-label="what is chosen">
          <Beside known={known} path={path} />
        </aside>
      </main>
      <Keys />
      {picked.size > 0 && (
        <Save known={known} picked={picked} all={matching} setPicked={(all) => setPicked(new Set(all))} />
      )}
    </div>
  );
}
