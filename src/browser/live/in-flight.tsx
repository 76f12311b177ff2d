/** Exchanges that have begun and not ended, and for how long. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Flight } from "../../live/protocol.ts";
import { hrefTo, useRoute } from "../components/route.ts";
import { counted, lasted, plural, sized, visible } from "../components/shown.ts";
import type { Known } from "./session.ts";
import { When } from "./when.tsx";

/** Listed at once; more on demand. */
const few = 6;

/** Milliseconds without a byte after which that is told. */
const longQuiet = 2_000;

/** Milliseconds since the server told what is in flight, a few times a second while something is. */
function useSince(told: number, isRunning: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  return Math.max(0, now - told);
}

function Row({ flight, since, current }: { flight: Flight; since: number; current: boolean }): JSX.Element {
  const { id, method, target, status, started, time, sent, came, pieces, quiet } = flight;
  const still = quiet === undefined ? undefined : quiet + since;
  return (
    <li>
      <a href={hrefTo(["flight", String(id)])} aria-current={current ? "true" : undefined}>
        <span class="pulse" aria-hidden="true" />
        <span class="status mono">{status ?? "…"}</span>
        <span class="asked mono">
          {visible(method)} {visible(target)}
        </span>
        <span class="amount soft">
          {status === null ? `${sized(sent)} sent, no answer yet` : `${sized(came)} in ${plural(pieces, "piece")}`}
          {still !== undefined && still > longQuiet && <b class="v-warning"> quiet for {lasted(still)}</b>}
        </span>
        <When started={started} time={time + since} runs />
      </a>
    </li>
  );
}

export function InFlight({ known: { flights, toldAt } }: { readonly known: Known }): JSX.Element | null {
  const [isWhole, setWhole] = useState(false);
  const { count, listed } = flights;
  const since = useSince(toldAt, count > 0);
  const [kind, number] = useRoute().path;
  const shown = isWhole ? listed : listed.slice(0, few);
  if (count === 0) return null;
  return (
    <section class="in-flight" aria-labelledby="in-flight">
      <h2 id="in-flight">In flight</h2>
      <ul>
        {shown.map((flight) => (
          <Row
            key={flight.id}
            flight={flight}
            since={since}
            current={kind === "flight" && number === String(flight.id)}
          />
        ))}
      </ul>
      {count > shown.length && (
        <p class="soft">
          {counted(count - shown.length)} more{" "}
          {listed.length > shown.length && (
            <button type="button" onClick={() => setWhole(true)}>
              show {counted(listed.length - shown.length)}
            </button>
          )}
        </p>
      )}
      {isWhole && listed.length > few && (
        <button type="button" onClick={() => setWhole(false)}>
          show fewer
        </button>
      )}
    </section>
  );
}
