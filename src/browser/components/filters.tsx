/** Controls that narrow a list, a search box and choices, and the list's words on it. */
import type { JSX } from "preact";
import { piecesOf } from "./relevance.ts";

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export function SearchBox({ label, value, onValue }: SearchBoxProps): JSX.Element {
  return (
    <label class="search">
      <span class="hidden">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        spellcheck={false}
        autocomplete="off"
      />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Values with what they are called; the empty value, `any`, comes first by itself. */
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onValue: (value: string) => void;
}

export function Choice({ label, value, options, onValue }: ChoiceProps): JSX.Element {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        <option value="">any</option>
        {options.map(([own, name]) => (
          <option key={own} value={own}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface NothingProps {
  /** The kind of thing that was looked for: `clause`. */
  readonly noun: string;
  /** The list without filters. */
  readonly all: string;
}

/** The words in place of a list that nothing fits. */
export function Nothing({ noun, all }: NothingProps): JSX.Element {
  return (
    <div class="nothing">
      <p>No {noun} fits these filters.</p>
      <a class="button" href={all}>
        Clear the filters
      </a>
    </div>
  );
}

/** A text with what was searched for marked. */
export function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }): JSX.Element {
  return <>{piecesOf(text, words).map((piece) => (piece.isHit ? <mark>{piece.text}</mark> : piece.text))}</>;
}

/** Whether a text, in lower case, holds every word that is searched for. */
export function holdsWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

export const wordsOf = (search: string): string[] => search.toLowerCase().split(/\s+/).filter(Boolean);
