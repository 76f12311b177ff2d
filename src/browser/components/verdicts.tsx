/** Verdicts as bars and words. */
import type { JSX } from "preact";
import {
  countStandings,
  type Judged,
  type Standing,
  type StandingCounts,
  standingOf,
  standings,
  standingWords,
} from "../../verdict/standing.ts";

/** Those that bars and sums count: what is unenforced counts in no headline. */
const inBars = standings.filter((one) => one !== "unenforced");

/** How many clauses came to what. */
export const countsOf = (clauses: readonly Judged[]): StandingCounts => countStandings(clauses.map(standingOf));

/** A bar of what came, and its numbers in words below. */
export function Bar({ counts }: { readonly counts: StandingCounts }): JSX.Element {
  const shown = inBars.filter((one) => counts[one] > 0);
  return (
    <>
      <div class="bar" aria-hidden="true">
        {shown.map((one) => (
          <span key={one} class={`v-${one}`} style={{ flexGrow: counts[one], flexBasis: 0 }} />
        ))}
      </div>
      <ul class="legend">
        {shown.map((one) => (
          <li key={one}>
            <strong class={`v-${one}`}>{counts[one]}</strong> {standingWords[one].word}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A verdict as one word. */
export function Chip({ standing }: { readonly standing: Standing }): JSX.Element {
  return <span class={`chip v-${standing}`}>{standingWords[standing].word}</span>;
}
