/** The states of cells: a sign and a word each, and how many there are. */
import type { JSX } from "preact";
import { grouped } from "../../report/side-by-side/words.ts";
import { type Standing, type StandingCounts, standings, standingWords } from "../../verdict/standing.ts";

/** Those that bars show: what was no part of a run is no part of its bar. */
const inBars = standings.filter((one) => one !== "unasked");

export function StateMark({ state }: { readonly state: Standing }): JSX.Element {
  return (
    <span class={`state-mark s-${state}`}>
      <span aria-hidden="true">{standingWords[state].mark}</span> {standingWords[state].word}
    </span>
  );
}

/** How many clauses came to what, in words. */
export function StateList({ counts }: { readonly counts: StandingCounts }): JSX.Element {
  return (
    <ul class="state-list">
      {inBars
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <li key={state}>
            <strong class={`s-${state}`}>{grouped(counts[state])}</strong> {standingWords[state].word}
          </li>
        ))}
    </ul>
  );
}

export function Legend({ shown }: { readonly shown: ReadonlySet<Standing> }): JSX.Element {
  return (
    <dl class="meanings">
      {standings
        .filter((state) => shown.has(state))
        .map((state) => (
          <div key={state}>
            <dt>
              <StateMark state={state} />
            </dt>
            <dd>{standingWords[state].means}</dd>
          </div>
        ))}
    </dl>
  );
}
