/** The rows of a gateway or a client that are amiss, as trackers and annotations tell them. */
import { createHash } from "node:crypto";
import { printable, shortened } from "../clean.ts";
import type { Issue } from "../issues.ts";
import { inOrder, isAmiss, toneOf, wordOf } from "./outline.ts";
import type { OutcomeGroup, OutcomeRow, OutcomeTable } from "./table.ts";

const maxQuoteLength = 500;
export const quote = (text: string): string => shortened(printable(text), maxQuoteLength);

/** A row with the group it stands in. */
interface RowAmiss {
  readonly group: OutcomeGroup;
  readonly row: OutcomeRow;
}

/** The rows of a table with one column that fail, warn, or are known to fail, in the order in which people read them. */
export const rowsAmiss = (table: OutcomeTable): RowAmiss[] =>
  table.groups.flatMap((group) =>
    inOrder(table, group)
      .filter(({ cells: [cell] }) => cell && (cell.expected || isAmiss(toneOf(table, cell))))
      .map((row) => ({ group, row })),
  );

/** A clause has an id of its own everywhere. */
export const ruleId = ({ kind }: OutcomeTable, { name, noun }: OutcomeGroup, { id }: OutcomeRow): string =>
  noun === "clause" ? id : `${kind}.${name}.${id}`;

/** A row of a table with one column as an issue. */
export function issueOf(table: OutcomeTable, group: OutcomeGroup, row: OutcomeRow): Issue {
  const cell = row.cells[0]!;
  const rule = ruleId(table, group, row);
  const [first] = cell.examples;
  const excerpts = (first?.excerpts ?? []).map(({ label, text }) => `${label} ${quote(text)}`).join(", ");
  return {
    rule,
    says: row.says,
    level: cell.level ?? "note",
    fails: toneOf(table, cell) === "bad",
    message: `${wordOf(cell.outcome)}: ${quote(cell.why ?? first?.why ?? row.says)}${excerpts && ` (${excerpts})`}`,
    source: quote(first?.exchanges[0]?.source ?? first?.title ?? row.id),
    operation: "",
    count: cell.count ?? 1,
    fingerprint: createHash("sha256")
      .update(JSON.stringify([rule, cell.outcome]))
      .digest("hex"),
    ...(cell.expected && { expected: cell.expected }),
  };
}
