/** A text as it was sent: nothing in it steers what is shown, and only a part of a long one stands there until more is asked for. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { counted, type MarkedText, plural, type Run, runsOf } from "./shown.ts";

interface ShownProps {
  readonly of: MarkedText;
  readonly from?: number;
  readonly to?: number;
  /** Whether its line feeds and tabs are those of what is shown. */
  readonly lines?: boolean;
  /** Characters that are shown before anyone asks for more. */
  readonly first?: number;
}

/** Characters that each further look shows. */
const further = 20_000;

function RunShown({ run }: { readonly run: Run }): JSX.Element {
  if (run.kind === "plain") return <>{run.text}</>;
  if (run.kind === "cut") return <span class="left-out">… {plural(run.left, "character")} not in this page …</span>;
  return (
    <span
      class="escape"
      title={run.kind === "bytes" ? "a byte that is not UTF-8" : "a character that is not shown itself"}
    >
      {run.text}
    </span>
  );
}

/** The position to stop at, so that no character is cut in two. */
const stopAt = (text: string, at: number): number => (/[\ud800-\udbff]/.test(text[at - 1] ?? "") ? at - 1 : at);

export function Shown({ of, from = 0, to = of.text.length, lines = false, first = 400 }: ShownProps): JSX.Element {
  const [length, setLength] = useState(first);
  // A few characters more are shown rather than a button for them.
  const isLong = to - from > length + 80;
  const end = isLong ? stopAt(of.text, from + length) : to;
  return (
    <>
      <bdi class="shown">
        {runsOf(of, from, end, lines).map((run, i) => (
          <RunShown key={i} run={run} />
        ))}
      </bdi>
      {isLong && (
        <>
          …{" "}
          <button type="button" class="more" onClick={() => setLength(length + further)}>
            show {to - end > further && `${counted(further)} of `}
            {counted(to - end)} more characters
          </button>
        </>
      )}
    </>
  );
}

/** A short text that a target sent, in one line. */
export function TargetText({ children }: { readonly children: string }): JSX.Element {
  return <Shown of={{ text: children }} first={2_000} />;
}
