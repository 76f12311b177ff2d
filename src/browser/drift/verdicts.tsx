/** Verdicts that two results give differently: lost, won, and the others; those that changed alike in one sentence that opens. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { VerdictChange } from "../../drift/document.ts";
import { printable } from "../../report/clean.ts";
import { alikeGroups, alikeText, verdictGroups } from "../../report/drift/words.ts";
import { holdsWords, Marked, SearchBox, wordsOf } from "../components/filters.tsx";

/** Groups up to this size stand open by themselves. */
const maxOpen = 12;

interface AlikeProps {
  readonly verdicts: readonly VerdictChange[];
  readonly words: readonly string[];
}

function Alike({ verdicts, words }: AlikeProps): JSX.Element {
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? (verdicts.length <= maxOpen || words.length > 0);
  const { before, after } = verdicts[0]!;
  return (
    <details class="drift-alike" open={isOpen} onToggle={(event) => setChosen(event.currentTarget.open)}>
      <summary>
        <span>{alikeText(verdicts.length, verdicts[0]!)}</span>
        <span class="drift-turned">
          <span class={`chip v-${before}`}>{before}</span> <span aria-hidden="true">→</span>
          <span class="hidden"> now </span> <span class={`chip v-${after}`}>{after}</span>
        </span>
      </summary>
      {isOpen && (
        <ul class="plain">
          {verdicts.map(({ clause }) => (
            <li key={clause} class="drift-verdict">
              <code>
                <Marked text={printable(clause)} words={words} />
              </code>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

export function Verdicts({ verdicts }: { readonly verdicts: readonly VerdictChange[] }): JSX.Element | null {
  const [search, setSearch] = useState("");
  if (verdicts.length === 0) return null;
  const words = wordsOf(search);
  const found = verdicts.filter(({ clause, before, after }) =>
    holdsWords(`${clause} ${before} ${after}`.toLowerCase(), words),
  );
  return (
    <>
      <search class="filters">
        <SearchBox label="Search clauses and verdicts" value={search} onValue={setSearch} />
      </search>
      <p class="soft small" role="status">
        {found.length === verdicts.length ? `All ${verdicts.length}` : `${found.length} of ${verdicts.length}`}
      </p>
      {verdictGroups(found).map(([heading, own]) => (
        <section key={heading} class="drift-group">
          <h2>
            {heading} <span class="soft drift-count">{own.length}</span>
          </h2>
          {alikeGroups(own).map((group) => {
            const { before, after } = group[0]!;
            // A search opens what it finds, and leaves it as it was when it ends.
            return <Alike key={`${before} ${after} ${words.length > 0}`} verdicts={group} words={words} />;
          })}
        </section>
      ))}
    </>
  );
}
