/** When an exchange began, and how long it took or is taking. */
import type { JSX } from "preact";
import { lasted, timeOfDay } from "../components/shown.ts";

interface WhenProps {
  /** Milliseconds since 1970, where that is known. */
  readonly started: number | undefined;
  /** Milliseconds, where an answer came. */
  readonly time: number | undefined;
  /** Whether it goes on. */
  readonly runs?: boolean;
}

export function When({ started, time, runs = false }: WhenProps): JSX.Element {
  const shown = started === undefined ? "" : timeOfDay(started);
  return (
    <span class="when">
      {started !== undefined && shown !== "" && (
        <time class="soft" dateTime={new Date(started).toISOString()} title={new Date(started).toISOString()}>
          <span class="hidden">began at </span>
          {shown}
        </time>
      )}
      <span class="time">
        {time !== undefined && <span class="hidden">{runs ? "lasts " : "took "}</span>}
        {time === undefined ? "" : runs ? `${(time / 1000).toFixed(1)} s` : lasted(time)}
      </span>
    </span>
  );
}
