/** A stream: its events in time, and beside them what they say together. */
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ReplyPart } from "../../check/reply-parts.ts";
import type { ViewedEvent } from "../../view/viewed.ts";
import { EventShown } from "./event.tsx";
import { MarkNotes } from "./mark-notes.tsx";
import { type Mark, marksByEvent } from "./marks.ts";
import { ReplyParts } from "./reply-parts.tsx";
import { counted, lasted, plural } from "./shown.ts";
import { createEventReader, newIn, partsOf, piecesByEvent, type StreamBody, timesOf } from "./stream-reading.ts";
import { TimeStrip } from "./time-strip.tsx";

interface StreamProps {
  readonly body: StreamBody;
  readonly marks: readonly Mark[];
  readonly replyParts: readonly ReplyPart[];
}

/** Events that stand there at first, and that each further look adds. */
const page = 100;
/** Events before the one that is looked at. */
const before = 10;

/** How long a stream took, in words. */
function wordsOf(events: readonly ViewedEvent[], count: number): string {
  const times = timesOf(events);
  const words = plural(count, "event");
  if (!times) return `${words}, without times`;
  const [pause, at] = times.pause;
  return `${words} from ${lasted(times.first)} to ${lasted(times.last)}${pause > 0 ? `; longest pause ${lasted(pause)}, before event ${at}` : ""}`;
}

export function Stream({ body, marks, replyParts }: StreamProps): JSX.Element {
  const { events, count, terminated } = body;
  const jsonOf = useMemo(() => createEventReader(body), [body]);
  const parts = useMemo(() => partsOf(replyParts, jsonOf), [jsonOf, replyParts]);
  const texts = useMemo(() => piecesByEvent(parts), [parts]);
  const looked = marks.find(({ isFocus }) => isFocus)?.event;
  const focus = events.findIndex(({ position }) => position === looked);
  const [range, setRange] = useState<readonly [number, number]>(() => {
    const from = focus < page / 2 ? 0 : focus - before;
    return [from, from + page];
  });
  const [folds, setFolds] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [lit, setLit] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  const length = useRef(events.length);
  const wanted = useRef<number | null>(null);
  const [from, to] = [Math.min(range[0], Math.max(0, events.length - 1)), Math.min(range[1], events.length)];
  const byEvent = useMemo(() => marksByEvent(marks), [marks]);
  const listed = useMemo(() => new Set(events.map(({ position }) => position)), [events]);
  const whole = marks.filter(({ event }) => event === null || !listed.has(event));

  // If the end is looked at while more events come, it stays in sight.
  useLayoutEffect(() => {
    if (range[1] >= length.current && events.length > range[1])
      setRange([Math.max(0, events.length - page), events.length + page]);
    length.current = events.length;
  }, [events.length]);

  /** Whether the event's line is in the document, and has the focus now. */
  function focusLine(event: number): boolean {
    const line = list.current?.querySelector<HTMLElement>(`[data-event="${event}"] > button`);
    line?.scrollIntoView({ block: "nearest" });
    line?.focus({ preventScroll: true });
    return line != null;
  }

  useLayoutEffect(() => {
    if (wanted.current === null) return;
    focusLine(wanted.current);
    wanted.current = null;
  }, [range]);

  // The focus moves at once, so that the key that is pressed next goes to the line.
  function pick(event: number): void {
    setLit(event);
    if (focusLine(event)) return;
    wanted.current = event;
    const at = events.findIndex(({ position }) => position === event);
    setRange([Math.max(0, at - before), at + page]);
  }

  return (
    <div class="stream">
      <p class="soft">{wordsOf(events, count)}</p>
      <MarkNotes marks={whole} />
      {!terminated && <p class="problem">the last event lacks its closing blank line</p>}
      <TimeStrip events={events} marks={marks} label={wordsOf(events, count)} />
      <div class={parts.length > 0 ? "timeline beside" : "timeline"}>
        <div class="pane">
          {from > 0 && (
            <button type="button" class="more" onClick={() => setRange([Math.max(0, from - page), range[1]])}>
              show {counted(Math.min(page, from))} of {counted(from)} events before
            </button>
          )}
          <ol ref={list} class="events" aria-label="events">
            {events.slice(from, to).map((event, i) => {
              const own = byEvent.get(event.position) ?? [];
              const previous = events[from + i - 1];
              return (
                <EventShown
                  key={event.position}
                  event={event}
                  previous={previous}
                  text={texts.get(event.position)}
                  news={newIn(jsonOf(event.position)!, jsonOf(previous?.position))}
                  marks={own}
                  isOpen={folds.get(event.position) ?? own.some(({ isFocus }) => isFocus)}
                  isLit={lit === event.position}
                  onToggle={(open) => setFolds(new Map(folds).set(event.position, open))}
                  onLight={() => setLit(event.position)}
                />
              );
            })}
          </ol>
          {to < events.length && (
            <button type="button" class="more" onClick={() => setRange([from, range[1] + page])}>
              show {counted(Math.min(page, events.length - to))} of {counted(events.length - to)} more events
            </button>
          )}
        </div>
        {parts.length > 0 && <ReplyParts parts={parts} isPartial={count > events.length} lit={lit} onPick={pick} />}
      </div>
    </div>
  );
}
