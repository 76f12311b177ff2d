/** The session that is recorded, and how it goes. */
import type { JSX } from "preact";
import { Mark } from "../components/head.tsx";
import { counted, plural, sized, visible } from "../components/shown.ts";
import { ThemeButton } from "../components/theme.tsx";
import type { Known } from "./session.ts";
import { useTab } from "./tab.ts";

const states: Readonly<Record<Known["state"], string>> = {
  connecting: "connecting",
  open: "recording",
  lost: "connection lost, trying again",
  ended: "the session has ended",
};

function Session({ known: { session } }: { readonly known: Known }): JSX.Element | null {
  if (!session) return null;
  return (
    <dl class="facts">
      <div>
        <dt>clients send to</dt>
        <dd class="mono">{session.url}</dd>
      </div>
      <div>
        <dt>upstream</dt>
        <dd class="mono">
          {session.upstreams.map(([of, url]) => visible(of === null ? url : `${of}: ${url}`)).join(", ")}
        </dd>
      </div>
      <div>
        <dt>kept in</dt>
        <dd class="mono">{visible(session.out)}</dd>
      </div>
    </dl>
  );
}

interface NumbersProps {
  readonly known: Known;
  readonly errors: number;
  readonly warnings: number;
}

/** No zeros before they are known: what was recorded earlier is read first. */
function Numbers({ known: { rows, flights, state, earlier }, errors, warnings }: NumbersProps): JSX.Element {
  const lag = flights.lag > 0 ? `${sized(flights.lag)} still to be judged` : "";
  if (earlier > 0 && rows.length < earlier)
    return <span class="soft">Reading {plural(earlier, "earlier exchange")}…</span>;
  if (rows.length === 0 && (state === "connecting" || lag !== ""))
    return <span class="soft">Reading what was recorded earlier{lag && `: ${lag}`}…</span>;
  return (
    <>
      <b>{counted(flights.count)}</b> in flight, <b>{counted(rows.length)}</b>{" "}
      {rows.length === 1 ? "exchange" : "exchanges"} judged,{" "}
      <b class={errors > 0 ? "v-fail" : ""}>{plural(errors, "error")}</b>,{" "}
      <b class={warnings > 0 ? "v-warning" : ""}>{plural(warnings, "warning")}</b>
      {lag && <span class="soft">, {lag}</span>}
    </>
  );
}

export function Top({ known }: { readonly known: Known }): JSX.Element {
  const { rows, state, troubles } = known;
  const sum = (of: "errors" | "warnings"): number => rows.reduce((all, row) => all + row[of], 0);
  const [errors, warnings] = [sum("errors"), sum("warnings")];
  useTab(errors);
  return (
    <header class="live-top">
      <div class="title">
        <Mark />
        <h1>touchstone record</h1>
        <span class={`state s-${state}`} role="status">
          {states[state]}
        </span>
        <ThemeButton />
      </div>
      <Session known={known} />
      <p class="session-counts">
        <Numbers known={known} errors={errors} warnings={warnings} />
      </p>
      {troubles.length > 0 && (
        <ul class="troubles">
          {troubles.map((trouble, i) => (
            <li key={i}>{visible(trouble)}</li>
          ))}
        </ul>
      )}
    </header>
  );
}
