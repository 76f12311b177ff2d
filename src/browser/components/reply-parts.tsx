/** The content of a reply, put together from the pieces in which it came. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { JsonTree } from "./json-tree.tsx";
import { counted, plural, runsOf, visible } from "./shown.ts";
import type { TextPart, TextPiece } from "./stream-reading.ts";
import { Shown, TargetText as Words } from "./text.tsx";

const titles: Readonly<Record<TextPart["kind"], string>> = {
  text: "text",
  refusal: "refusal",
  thinking: "thinking",
  call: "call",
  end: "ended",
};

/** Pieces of a part that stand there at first, and that each further look adds. */
const page = 500;

interface PieceProps {
  readonly piece: TextPiece;
  readonly isLit: boolean;
  readonly onPick: ((event: number) => void) | undefined;
}

/** A piece of text; a click on it leads to its event, as the event's own line does for those who use the keyboard. */
function Piece({ piece: { event, text }, isLit, onPick }: PieceProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the list of events does the same
    <span
      class={isLit ? "piece lit" : "piece"}
      title={event === undefined ? undefined : `event ${event}`}
      onClick={event === undefined || !onPick ? undefined : () => onPick(event)}
    >
      {runsOf({ text: text.slice(0, 4_000) }, 0, Math.min(text.length, 4_000), true).map((run, i) =>
        run.kind === "plain" ? (
          run.text
        ) : run.kind === "cut" ? (
          ""
        ) : (
          <span key={i} class="escape">
            {run.text}
          </span>
        ),
      )}
      {text.length > 4_000 && (
        <span class="left-out">… {plural(text.length - 4_000, "character")} more, in the event …</span>
      )}
    </span>
  );
}

function Pieces({
  pieces,
  lit,
  onPick,
}: Omit<PartsProps, "parts"> & { readonly pieces: TextPart["pieces"] }): JSX.Element {
  const [count, setCount] = useState(page);
  return (
    <div class="words">
      {pieces.slice(0, count).map((piece, i) => (
        <Piece key={i} piece={piece} isLit={piece.event !== undefined && piece.event === lit} onPick={onPick} />
      ))}
      {pieces.length > count && (
        <button type="button" class="more" onClick={() => setCount(count + page)}>
          show {counted(Math.min(page, pieces.length - count))} more pieces
        </button>
      )}
    </div>
  );
}

/** Whether a text is JSON that is worth a tree of its own. */
function isJson(text: string): boolean {
  try {
    return text.length < 200_000 && typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

function Part({
  part,
  lit,
  onPick,
  isNumbered,
}: Omit<PartsProps, "parts"> & { part: TextPart; isNumbered: boolean }): JSX.Element {
  const { kind, reply, name, id, pieces } = part;
  const whole = kind === "call" ? pieces.map(({ text }) => text).join("") : "";
  const readable = kind === "call" && isJson(whole);
  // A text that fits a line reads as well as a tree of it.
  const isLong = whole.length > 60;
  return (
    <section class={`part p-${kind}`}>
      <h3>
        {isNumbered && <span class="soft">reply {reply} </span>}
        {titles[kind]}
        {name !== undefined && (
          <>
            {" "}
            <code>
              <Words>{name}</Words>
            </code>
          </>
        )}
        {id !== undefined && (
          <span class="soft">
            {" "}
            <code>
              <Words>{id}</Words>
            </code>
          </span>
        )}
        {kind === "end" && (
          <>
            {": "}
            <code>
              <Shown of={{ text: pieces.map(({ text }) => text).join("") }} />
            </code>
          </>
        )}
      </h3>
      {kind === "call" && whole === "" && <p class="soft">no arguments</p>}
      {kind !== "end" && pieces.some(({ text }) => text !== "") && <Pieces pieces={pieces} lit={lit} onPick={onPick} />}
      {readable && isLong && <JsonTree of={{ text: whole }} label={`arguments of ${visible(name ?? "the call")}`} />}
      {kind === "call" && whole !== "" && !readable && <p class="problem">put together, the arguments are not JSON</p>}
    </section>
  );
}

interface PartsProps {
  readonly parts: readonly TextPart[];
  /** The event whose pieces stand out. */
  readonly lit?: number | undefined;
  readonly onPick?: ((event: number) => void) | undefined;
}

export function ReplyParts({
  parts,
  isPartial = false,
  lit,
  onPick,
}: PartsProps & { readonly isPartial?: boolean }): JSX.Element {
  const isNumbered = new Set(parts.map(({ reply }) => reply)).size > 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys too
    <section class="said pane" aria-label="what the reply says" tabIndex={0}>
      {isPartial && <p class="soft">Put together from the events that this page holds.</p>}
      {parts.map((part, i) => (
        <Part key={i} part={part} lit={lit} onPick={onPick} isNumbered={isNumbered} />
      ))}
    </section>
  );
}
