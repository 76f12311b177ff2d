/** Words of readable reports on the failures a target admits to. */

import { isRun, type Results } from "./options.ts";
import { plural } from "./plural.ts";

export interface ExpectationLine {
  readonly word: "known failure" | "STALE" | "expired" | "no reason" | "unobserved";
  /** One sentence, as the target and its file have it: not printable yet. */
  readonly says: string;
}

/** Names of a list that may be long. */
const shown = 5;

/** Entries that excuse nothing, each with the reason. */
export const uselessEntries = (results: Results): ExpectationLine[] =>
  expectationLines(results).filter(({ word }) => word === "expired" || word === "no reason");

/** Entries with what came of each; those about which nothing was learned in one line. */
export function expectationLines(results: Results): ExpectationLine[] {
  const { stale = [], expired = [], unreasoned = [], unobserved = [] } = results.expectations ?? {};
  const more = unobserved.length > shown ? `, and ${unobserved.length - shown} more` : "";
  return [
    ...results.clauses.flatMap(({ id, expected }): ExpectationLine[] =>
      expected ? [{ word: "known failure", says: `${id}: ${expected.reason}` }] : [],
    ),
    ...(isRun(results) ? results.incidents : []).flatMap(({ source, expected }): ExpectationLine[] =>
      expected ? [{ word: "known failure", says: `${source} is not answered: ${expected.reason}` }] : [],
    ),
    ...stale.map(
      (name): ExpectationLine => ({
        word: "STALE",
        says: `${name} is a known failure, and does not fail; take the entry out`,
      }),
    ),
    ...expired.map(
      (name): ExpectationLine => ({
        word: "expired",
        says: `${name}: its entry has passed its day and excuses nothing`,
      }),
    ),
    ...unreasoned.map(
      (name): ExpectationLine => ({
        word: "no reason",
        says: `${name}: its entry excuses nothing until its reason is written`,
      }),
    ),
    ...(unobserved.length > 0
      ? [
          {
            word: "unobserved" as const,
            says: `${plural(unobserved.length, "entry", "entries")}, of which nothing was seen: ${unobserved.slice(0, shown).join(", ")}${more}`,
          },
        ]
      : []),
  ];
}
