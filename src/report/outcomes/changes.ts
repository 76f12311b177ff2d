/** Lists the rows of two tables whose outcome changed, as verdicts that changed are listed. */
import type { VerdictChange, VerdictsDocument } from "../../drift/document.ts";
import { byTurn } from "../../drift/verdicts.ts";
import { isAmiss, toneOf } from "./outline.ts";
import type { OutcomeCell, OutcomeTable, Tone } from "./table.ts";

/** What a row that is not there comes to. */
const absent: OutcomeCell = { outcome: "not-shown", level: null, examples: [] };

const ranks: readonly Tone[] = ["good", "quiet", "warn", "bad"];

/** Lost where it is amiss now, and was less so; won where it was amiss, and is less so. */
function turnOf(was: Tone, is: Tone): -1 | 0 | 1 {
  const by = Math.sign(ranks.indexOf(is) - ranks.indexOf(was)) as -1 | 0 | 1;
  return isAmiss(by > 0 ? is : was) ? by : 0;
}

/** The cells of a table with one column, by what their rows are called. */
function cellsOf({ groups }: OutcomeTable): ReadonlyMap<string, OutcomeCell> {
  const cells = groups.flatMap(({ name, noun, rows }) =>
    rows.map(({ id, cells: [cell] }) => [noun === "clause" ? id : `${name}/${id}`, cell ?? absent] as const),
  );
  return new Map(cells);
}

/** @param before with one column, as `after`, and of the same kind */
export function compareOutcomes(before: OutcomeTable, after: OutcomeTable): VerdictsDocument {
  const [then, now] = [cellsOf(before), cellsOf(after)];
  const verdicts = [...new Set([...then.keys(), ...now.keys()])].flatMap((clause): VerdictChange[] => {
    const [was, is] = [then.get(clause) ?? absent, now.get(clause) ?? absent];
    if (was.outcome === is.outcome) return [];
    const turn = turnOf(toneOf(before, was), toneOf(after, is));
    return [{ clause, before: was.outcome, after: is.outcome, turn }];
  });
  return { verdicts: verdicts.sort(byTurn) };
}
