/** One event of a stream: a line, and its data where that is opened. */
import type { JSX } from "preact";
import type { ViewedEvent } from "../../view/viewed.ts";
import { JsonTree } from "./json-tree.tsx";
import { MarkNotes } from "./mark-notes.tsx";
import { type Mark, worstOf } from "./marks.ts";
import { counted, lasted, plural, runsOf } from "./shown.ts";
import { Shown } from "./text.tsx";

interface EventProps {
  readonly event: ViewedEvent;
  /** The one before it in the list. */
  readonly previous: ViewedEvent | undefined;
  /** The text it adds to the reply. */
  readonly text: string | undefined;
  /** The text of its line if it adds nothing. */
  readonly news: string;
  readonly marks: readonly Mark[];
  readonly isOpen: boolean;
  readonly isLit: boolean;
  readonly onToggle: (open: boolean) => void;
  readonly onLight: () => void;
}

/** Characters of the data that stand in the line. */
const inLine = 160;

function timeOf({ time, position }: ViewedEvent, previous: ViewedEvent | undefined): string {
  if (time === undefined) return "";
  const since = previous?.time === undefined || previous.position !== position - 1 ? undefined : time - previous.time;
  return since === undefined ? lasted(time) : `+${lasted(since)}`;
}

/** The beginning of a text in one line, its marks kept. */
function Line({ of, quoted }: { readonly of: { readonly text: string }; readonly quoted: boolean }): JSX.Element {
  const end = Math.min(of.text.length, inLine);
  return (
    <bdi class={quoted ? "string" : "soft"}>
      {quoted && "“"}
      {runsOf(of, 0, end).map((run, i) =>
        run.kind === "plain" ? (
          run.text
        ) : run.kind === "cut" ? (
          "…"
        ) : (
          <span key={i} class="escape">
            {run.text}
          </span>
        ),
      )}
      {end < of.text.length && "…"}
      {quoted && "”"}
    </bdi>
  );
}

export function EventShown({
  event,
  previous,
  text,
  news,
  marks,
  isOpen,
  isLit,
  onToggle,
  onLight,
}: EventProps): JSX.Element {
  const level = worstOf(marks);
  const skipped = previous === undefined ? 0 : event.position - previous.position - 1;
  const isJson = event.problem === undefined && /^\s*[[{]/.test(event.text);
  return (
    <>
      {skipped > 0 && <li class="soft gap">… {plural(skipped, "event")} not in this page …</li>}
      <li
        class={`event${isLit ? " lit" : ""}${level ? ` marked m-${level}` : ""}`}
        data-event={event.position}
        data-focus={!isJson && marks.some(({ isFocus }) => isFocus) ? "" : undefined}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onToggle(!isOpen)}
          onFocus={onLight}
          onMouseEnter={onLight}
        >
          <span class="number">{counted(event.position)}</span>
          <span class="time">{timeOf(event, previous)}</span>
          <span class="line">
            {event.event !== undefined && (
              <span class="name">
                <Line of={{ text: event.event }} quoted={false} />
              </span>
            )}
            {text === undefined || text === "" ? (
              <Line of={{ text: news }} quoted={false} />
            ) : (
              <Line of={{ text }} quoted />
            )}
          </span>
          {level !== undefined && <span class={`tag n-${level}`}>{level === "difference" ? "differs" : level}</span>}
        </button>
        {!isOpen && <MarkNotes marks={marks} />}
        {isOpen && (
          <div class="data">
            {event.problem !== undefined && <p class="problem">not valid JSON: {event.problem}</p>}
            {event.id !== undefined && (
              <p class="mono">
                id: <Shown of={{ text: event.id }} />
              </p>
            )}
            {event.retry !== undefined && <p class="mono">retry: {event.retry}</p>}
            {isJson ? (
              <JsonTree of={event} label={`data of event ${event.position}`} marks={marks} />
            ) : (
              <p class="mono lines">
                <Shown of={event} lines first={2_000} />
                <MarkNotes marks={marks} />
              </p>
            )}
          </div>
        )}
      </li>
    </>
  );
}
