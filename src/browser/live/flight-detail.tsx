/** One exchange in flight: its request, and its stream event by event as it comes. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FlightShown } from "../../live/protocol.ts";
import { Evidence } from "../components/evidence.tsx";
import { hrefTo } from "../components/route.ts";
import { counted, lasted, plural, sized } from "../components/shown.ts";
import { Head } from "./beside.tsx";
import { addressOf } from "./session.ts";

const noClauses = new Map();
const noFindings: readonly never[] = [];

/** Events that are told by their place only. */
function Held({ shown: { held, later } }: { readonly shown: FlightShown }): JSX.Element | null {
  if (later !== undefined)
    return (
      <p class="held soft" role="note">
        The answer's body is shown when it has ended: {later}.
      </p>
    );
  if (held.length === 0) return null;
  const last = held.at(-1)!;
  return (
    <div class="held" role="note">
      <p>
        {held.length === 1 ? "One event" : plural(held.length, "event")} more came, the last {sized(last[1])} after{" "}
        {lasted(last[0])}. {held.length === 1 ? "Its" : "Their"} text follows once it is certain that no key stands in
        it.
      </p>
      <ol class="mono soft">
        {held.slice(-8).map(([at, bytes], i) => (
          <li key={i}>
            {lasted(at)} {sized(bytes)}
          </li>
        ))}
      </ol>
    </div>
  );
}

export function FlightDetail({ id }: { readonly id: number }): JSX.Element {
  const [shown, setShown] = useState<FlightShown>();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const source = new EventSource(addressOf(`/flight/${id}`));
    source.addEventListener("shown", (event) => setShown(JSON.parse((event as MessageEvent).data)));
    source.addEventListener("ended", (event) => {
      source.close();
      const exchange = JSON.parse((event as MessageEvent).data) as number | null;
      // An exchange in flight has no place in the history.
      if (exchange === null) setOver(true);
      else location.replace(hrefTo(["exchange", String(exchange)]));
    });
    return () => source.close();
  }, [id]);
  const body = shown?.exchange.response?.body;
  return (
    <>
      <Head>
        In flight{" "}
        {body?.kind === "stream" && (
          <span class="soft">{counted(body.count + (shown?.held.length ?? 0))} events so far</span>
        )}
      </Head>
      {isOver && <p class="soft">It has ended, and is in the list if it could be kept.</p>}
      {!shown && !isOver && <p class="soft">Waiting for what comes…</p>}
      {shown && (
        <>
          <h3 class="hidden">What has passed so far</h3>
          <Evidence evidence={{ findings: noFindings, exchange: shown.exchange }} clauses={noClauses} readings={{}} />
          {shown.exchange.response === null ? <p class="soft">No answer has begun yet.</p> : <Held shown={shown} />}
        </>
      )}
    </>
  );
}
