/** A sentence of a document, whose backticks mark code, with what was searched for marked. */
import type { JSX } from "preact";
import { Marked } from "./filters.tsx";

interface SentenceProps {
  /** Printable. */
  readonly text: string;
  readonly words?: readonly string[];
}

/** Text between two backticks is code; a single one stays as it is. Nothing in it becomes markup. */
export function Sentence({ text, words = [] }: SentenceProps): JSX.Element {
  const pieces = text.split(/`([^`]+)`/);
  return (
    <>
      {pieces.map((piece, i) => {
        const marked = <Marked text={piece} words={words} />;
        return i % 2 === 1 ? <code key={i}>{marked}</code> : marked;
      })}
    </>
  );
}
