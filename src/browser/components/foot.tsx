/** The foot of a page: which touchstone wrote it, how to judge it again, and the key that shows all keys. */
import type { JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";

interface FootProps {
  /** What the page says of how it came about, by name. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Whether the exchanges are kept beside the page. */
  readonly isVerifiable: boolean;
}

export function Foot({ facts, isVerifiable }: FootProps): JSX.Element {
  const version = facts.find(([name]) => name === "touchstone")?.[1];
  return (
    <footer class="foot">
      <span>touchstone{version === undefined ? "" : ` ${printable(shortened(version, 40))}`}</span>
      {isVerifiable && (
        <span>
          Every exchange can be judged again: <code>touchstone verify</code>
        </span>
      )}
      <span>
        Keys: <kbd>?</kbd>
      </span>
    </footer>
  );
}

/** A command as a shell reads it. */
export const commandText = (words: readonly string[]): string =>
  words.map((word) => (/^[\w./:=@,+$-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
