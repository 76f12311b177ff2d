/** The standing of a clause: its verdict as people are told it, in the same words and signs in text, Markdown and pages. */
import type { Upstream, Verdict } from "./document.ts";

/** A verdict, or `expected`: a failure that the target admits to; `inherited`: one that the baseline shares; `unasked`: no part of that run, by its filters or by the version that judged it. */
export type Standing = Verdict | "expected" | "inherited" | "unasked";

/** In the order of tables and bars: the worst stands beside what is not known. */
export const standings: readonly Standing[] = [
  "pass",
  "unenforced",
  "warning",
  "expected",
  "inherited",
  "fail",
  "broken",
  "no-verdict",
  "skipped",
  "untested",
  "unasked",
];

export interface StandingWords {
  readonly word: string;
  /** In tables of Markdown. */
  readonly sign: string;
  /** One character, so that no standing is told by its colour alone. */
  readonly mark: string;
  readonly means: string;
}

export const standingWords: Readonly<Record<Standing, StandingWords>> = {
  pass: { word: "pass", sign: "✅", mark: "✓", means: "kept wherever it was seen" },
  unenforced: {
    word: "unenforced",
    sign: "🔓",
    mark: "○",
    means: "what breaks the rule is accepted; nothing else is the matter",
  },
  warning: { word: "warning", sign: "⚠️", mark: "!", means: "violated, which is no failure as the documents have it" },
  expected: { word: "known failure", sign: "🟧", mark: "✗", means: "violated, and accepted for now with a reason" },
  fail: { word: "fail", sign: "❌", mark: "✗", means: "violated" },
  inherited: {
    word: "also upstream",
    sign: "🟪",
    mark: "✗",
    means: "violated, and violated alike in the baseline",
  },
  broken: { word: "broken", sign: "💥", mark: "‼", means: "a check itself failed" },
  "no-verdict": { word: "no verdict", sign: "❔", mark: "?", means: "asked for; what came does not decide it" },
  skipped: {
    word: "skipped",
    sign: "⏭️",
    mark: "–",
    means: "not asked for, since the target is said to lack it",
  },
  untested: { word: "untested", sign: "➖", mark: "–", means: "no answer showed it: it is not passed" },
  unasked: { word: "not part of it", sign: "·", mark: "·", means: "no part of that run" },
};

/** How bad a standing is; those that are no verdict have no place here. */
export const severityRank: Partial<Record<Standing, number>> = {
  pass: 0,
  unenforced: 1,
  warning: 2,
  expected: 3,
  inherited: 3,
  fail: 3,
};

/** Whether a standing counts as shown: what is unenforced counts in no headline. */
export const isShown = (standing: Standing): boolean =>
  severityRank[standing] !== undefined && standing !== "unenforced";

/** The facts that decide how a clause stands. */
export interface Judged {
  readonly verdict: Verdict;
  /** Why the target admits to its failure. */
  readonly expected?: unknown;
  /** How the same stands in the baseline. */
  readonly upstream?: Upstream;
}

export const standingOf = ({ verdict, expected, upstream }: Judged): Standing =>
  verdict !== "fail" ? verdict : expected ? "expected" : upstream?.outcome === "fails" ? "inherited" : verdict;

export type StandingCounts = Readonly<Record<Standing, number>>;

/** How many there are of each. */
export function countStandings(all: Iterable<Standing>): StandingCounts {
  const counts = Object.fromEntries(standings.map((one) => [one, 0])) as Record<Standing, number>;
  for (const one of all) counts[one]++;
  return counts;
}
