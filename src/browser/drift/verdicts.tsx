/** Verdicts that two results give differently: lost, won, and the others; those that changed alike in one sentence that opens. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { VerdictChange } from "../../drift/document.ts";
import { printable } from "../../report/clean.ts";
import { alikeGroups, alikeText, verdictGroups } from "../../report/drift/words.ts";
import { holdsWords, Marked, SearchBox, wordsOf } from "../components/filters.tsx";
import { useRoute } from "../components/route.ts";
import { Sentence } from "../components/sentence.tsx";
import { sentenceOf } from "./figures.ts";

/** Groups up to this size stand open by themselves. */
const maxOpen = 12;

interface VerdictsProps {
  readonly verdicts: readonly VerdictChange[];
  /** Of clauses, by their ids. */
  readonly sentences: Readonly<Record<string, string>>;
}

interface AlikeProps extends VerdictsProps {
  readonly words: readonly string[];
}

function Alike({ verdicts, sentences, words }: AlikeProps): JSX.Element {
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
              {sentenceOf(sentences, clause) !== "" && (
                <span class="drift-says">
                  <Sentence text={printable(sentenceOf(sentences, clause))} words={words} />
                </span>
              )}
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

export function Verdicts({ verdicts, sentences }: VerdictsProps): JSX.Element | null {
  const [search, setSearch] = useState("");
  const { query } = useRoute();
  if (verdicts.length === 0) return null;
  const words = wordsOf(search);
  const show = query.get("show");
  const found = verdicts.filter(({ clause, before, after }) =>
    holdsWords(`${clause} ${before} ${after} ${sentenceOf(sentences, clause)}`.toLowerCase(), words),
  );
  const groups = verdictGroups(found).filter(([heading]) => show === null || heading === show);
  const count = groups.reduce((sum, [, own]) => sum + own.length, 0);
  return (
    <>
      <search class="filters">
        <SearchBox label="Search clauses and verdicts" value={search} onValue={setSearch} />
      </search>
      <p class="soft small" role="status">
        {count === verdicts.length ? `All ${verdicts.length}` : `${count} of ${verdicts.length}`}
      </p>
      {groups.map(([heading, own]) => (
        <section key={heading} class="drift-group">
          <h2>
            {heading} <span class="soft drift-count">{own.length}</span>
          </h2>
          {alikeGroups(own).map((group) => {
            const { before, after } = group[0]!;
            // A search opens what it finds, and leaves it as it was when it ends.
            return (
              <Alike
                key={`${before} ${after} ${words.length > 0}`}
                verdicts={group}
                sentences={sentences}
                words={words}
              />
            );
          })}
        </section>
      ))}
    </>
  );
}
