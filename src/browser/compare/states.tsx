/** The states of cells: a sign and a word each, and a bar of how many there are. */
import type { JSX } from "preact";
import type { State, StateCounts } from "../../report/side-by-side/document.ts";
import { states } from "../../report/side-by-side/states.ts";
import { grouped, words } from "../../report/side-by-side/words.ts";

/** A sign of one character, so that no state is told by its colour alone. */
export const signs: Readonly<Record<State, string>> = {
  pass: "✓",
  unenforced: "○",
  warning: "!",
  expected: "✗",
  fail: "✗",
  "no-verdict": "?",
  skipped: "–",
  untested: "–",
  unasked: "·",
  broken: "‼",
};

export const stateName = (state: State): string =>
  state === "unasked" ? "not part of it" : words[state].word.toLowerCase();

/** What a bar shows, the worst beside what is not known. */
const barOrder: readonly State[] = [
  "pass",
  "unenforced",
  "warning",
  "expected",
  "fail",
  "broken",
  "no-verdict",
  "untested",
  "skipped",
];

export function StateMark({ state }: { readonly state: State }): JSX.Element {
  return (
    <span class={`state-mark s-${state}`}>
      <span aria-hidden="true">{signs[state]}</span> {stateName(state)}
    </span>
  );
}

/** How many clauses came to what, as a bar; what it shows stands in words beside it. */
export function StateBar({ counts }: { readonly counts: StateCounts }): JSX.Element {
  return (
    <div class="bar" aria-hidden="true">
      {barOrder
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <span key={state} class={`b-${state}`} style={{ flexGrow: counts[state], flexBasis: 0 }} />
        ))}
    </div>
  );
}

/** The same in words. */
export function StateList({ counts }: { readonly counts: StateCounts }): JSX.Element {
  return (
    <ul class="state-list">
      {barOrder
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <li key={state}>
            <strong class={`s-${state}`}>{grouped(counts[state])}</strong> {stateName(state)}
          </li>
        ))}
    </ul>
  );
}

export function Legend({ shown }: { readonly shown: ReadonlySet<State> }): JSX.Element {
  return (
    <dl class="meanings">
      {states
        .filter((state) => shown.has(state))
        .map((state) => (
          <div key={state}>
            <dt>
              <StateMark state={state} />
            </dt>
            <dd>{words[state].means}</dd>
          </div>
        ))}
    </dl>
  );
}
