/** Verdicts as bars and words. */
import type { JSX } from "preact";
import type { Verdict } from "../../verdict/document.ts";

/** A verdict as pages tell it: failures that the target admits to apart. */
export type Standing = Verdict | "expected";

export const standings: readonly Standing[] = [
  "pass",
  "warning",
  "fail",
  "broken",
  "expected",
  "no-verdict",
  "skipped",
  "untested",
  "unenforced",
];

/** Those that bars and sums count: what is unenforced counts in no headline. */
const inBars = standings.filter((one) => one !== "unenforced");

/** What each is called. */
export const standingNames: Readonly<Record<Standing, string>> = {
  pass: "pass",
  warning: "warning",
  fail: "fail",
  broken: "broken",
  expected: "known failure",
  "no-verdict": "no verdict",
  skipped: "skipped",
  untested: "untested",
  unenforced: "unenforced",
};

export const standingOf = ({
  verdict,
  expected,
}: {
  readonly verdict: Verdict;
  readonly expected?: unknown;
}): Standing => (verdict === "fail" && expected ? "expected" : verdict);

export type Counts = Readonly<Record<Standing, number>>;

export function countStandings(clauses: Iterable<{ readonly verdict: Verdict; readonly expected?: unknown }>): Counts {
  const counts = Object.fromEntries(standings.map((one) => [one, 0])) as Record<Standing, number>;
  for (const clause of clauses) counts[standingOf(clause)]++;
  return counts;
}

/** A bar of what came, and its numbers in words below. */
export function Bar({ counts }: { readonly counts: Counts }): JSX.Element {
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
            <strong class={`v-${one}`}>{counts[one]}</strong> {standingNames[one]}
          </li>
        ))}
      </ul>
    </>
  );
}

/** A verdict as one word. */
export function Chip({ standing }: { readonly standing: Standing }): JSX.Element {
  return <span class={`chip v-${standing}`}>{standingNames[standing]}</span>;
}
