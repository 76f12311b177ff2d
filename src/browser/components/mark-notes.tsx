/** The words on a marked place, beside it. */
import type { JSX } from "preact";
import type { Mark } from "./marks.ts";
import { Shown } from "./text.tsx";

const words: Readonly<Record<Mark["level"], string>> = {
  error: "error",
  warning: "warning",
  note: "note",
  unenforced: "unenforced",
  difference: "differs",
};

/** Notes of one place that are shown; the findings themselves stand elsewhere. */
const maxShown = 3;

interface MarkNotesProps {
  readonly marks: readonly Mark[];
  /** The place, if the notes do not stand at it. */
  readonly of?: string;
}

export function MarkNotes({ marks, of }: MarkNotesProps): JSX.Element {
  return (
    <>
      {marks.slice(0, maxShown).map(({ level, says }, i) => (
        <span key={i} class={`mark-note n-${level}`}>
          <b>{words[level]}</b> {of !== undefined && `${of}: `}
          <Shown of={{ text: says }} first={300} />
        </span>
      ))}
      {marks.length > maxShown && <span class="mark-note soft">and {marks.length - maxShown} more here</span>}
    </>
  );
}
