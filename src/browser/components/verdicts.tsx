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

/** How many clauses came to what. */
export const countsOf = (clauses: readonly Judged[]): StandingCounts => countStandings(clauses.map(standingOf));

/** A bar of what came; what it shows stands in words beside it. */
export function StandingBar({ counts }: { readonly counts: StandingCounts }): JSX.Element {
  return (
    <div class="bar" aria-hidden="true">
      {standings
        .filter((one) => counts[one] > 0 && one !== "unasked")
        .map((one) => (
          <span key={one} class={`b-${one}`} style={{ flexGrow: counts[one], flexBasis: 0 }} />
        ))}
    </div>
  );
}

/** The same with its numbers in words below. */
export function Bar({ counts }: { readonly counts: StandingCounts }): JSX.Element {
  return (
    <>
      <StandingBar counts={counts} />
      <ul class="legend">
        {standings
          .filter((one) => counts[one] > 0)
          .map((one) => (
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
