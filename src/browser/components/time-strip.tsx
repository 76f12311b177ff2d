/** When events came, as strokes along a line. */
import type { JSX } from "preact";
import type { ViewedEvent } from "../../view/viewed.ts";
import { type Mark, marksByEvent, worstOf } from "./marks.ts";
import { lasted } from "./shown.ts";
import { timesOf } from "./stream-reading.ts";

/** Places along the line: strokes at the same one are drawn once. */
const places = 600;
const height = 14;

interface TimeStripProps {
  readonly events: readonly ViewedEvent[];
  readonly marks: readonly Mark[];
  readonly label: string;
}

/** Nothing where no event has a time, or there is but one. */
export function TimeStrip({ events, marks, label }: TimeStripProps): JSX.Element | null {
  const times = timesOf(events);
  if (!times || events.length < 2) return null;
  // If all came at once after a long wait, the wait is left out.
  const from = times.last - times.first < times.last / 10 ? times.first : 0;
  const length = times.last - from;
  const byEvent = marksByEvent(marks);
  const strokes = new Map<number, Mark["level"] | undefined>();
  for (const { time, position } of events) {
    if (time === undefined) continue;
    const at = length > 0 ? Math.round(((time - from) / length) * places) : 0;
    const own = worstOf(byEvent.get(position) ?? []);
    strokes.set(at, strokes.get(at) ?? own);
  }
  return (
    <div class="strip">
      <span class="soft">{from === 0 ? "0" : lasted(from)}</span>
      <svg viewBox={`-2 0 ${places + 4} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <line x1="0" x2={places} y1={height - 1} y2={height - 1} class="axis" />
        {[...strokes].map(([at, level]) => (
          <line key={at} x1={at} x2={at} y1="1" y2={height - 1} class={level ? `s-${level}` : "stroke"} />
        ))}
      </svg>
      <span class="soft">{lasted(times.last)}</span>
    </div>
  );
}
