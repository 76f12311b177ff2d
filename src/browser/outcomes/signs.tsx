/** Outcomes as tinted chips, and what they mean. */
import type { JSX } from "preact";
import { printable, shortened } from "../../report/clean.ts";
import { toneSigns, wordOf } from "../../report/outcomes/outline.ts";
import type { OutcomeCell, Tone } from "../../report/outcomes/table.ts";
import { useOutcomes } from "./outcomes.ts";

/** The names that styles have for tones. */
export const styleOf: Readonly<Record<Tone, string>> = { bad: "fail", warn: "warning", quiet: "open", good: "pass" };

/** Characters of an outcome: those of touchstone are words. */
const maxOutcomeLength = 24;

export const outcomeWord = (outcome: string): string => printable(shortened(wordOf(outcome), maxOutcomeLength));

export function OutcomeChip({ cell }: { readonly cell: OutcomeCell }): JSX.Element {
  const { toneOf } = useOutcomes();
  const tone = toneOf(cell);
  return (
    <span class={`outcome t-${styleOf[tone]}`}>
      <span aria-hidden="true">{toneSigns[tone].mark}</span> {outcomeWord(cell.outcome)}
      {cell.expected && <span class="known">, known</span>}
    </span>
  );
}

/** What each outcome means that a cell has. */
export function Legend(): JSX.Element {
  const { table } = useOutcomes();
  const seen = new Set(
    table.groups.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.flatMap((cell) => cell?.outcome ?? []))),
  );
  return (
    <section class="chapter" aria-labelledby="legend">
      <h2 id="legend">What outcomes mean</h2>
      <dl class="facts">
        {table.legend
          .filter(({ outcome }) => seen.has(outcome))
          .map(({ outcome, says }) => (
            <div key={outcome}>
              <dt>{outcomeWord(outcome)}</dt>
              <dd>{printable(says)}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
