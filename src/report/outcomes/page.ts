/** A table of outcomes as one HTML file, with the exchanges behind its examples. */
import type { Clause, Finding } from "../../check/clause.ts";
import type { ExchangePlace } from "../../check/finding-order.ts";
import type { Interface } from "../../check/interface.ts";
import type { VerdictDocument } from "../../verdict/document.ts";
import { printable, shortened } from "../clean.ts";
import type { PageReading } from "../page/data.ts";
import { pageHtml } from "../page/html.ts";
import { createPacker, movedBy, type PackedExchanges, type Packer, packed } from "../page/pack.ts";
import { cellsOf, concluded, verdictText } from "./outline.ts";
import type { OutcomePageData } from "./page-data.ts";
import type { OutcomeCell, OutcomeExample, OutcomeTable } from "./table.ts";

/** Characters of a sentence or an excerpt, and of a command, that a page holds. */
const [maxText, maxCommand] = [4_000, 20_000];

const short = (text: string): string => shortened(text, maxText);

/** The table with texts of such a length that a page stays small, whoever wrote them. */
const boundedTable = (table: OutcomeTable): OutcomeTable => ({
  ...table,
  groups: table.groups.map((group) => ({
    ...group,
    rows: group.rows.map((row) => ({
      ...row,
      says: short(row.says),
      ...(row.basis !== undefined && { basis: short(row.basis) }),
      cells: row.cells.map((cell) => cell && boundedCell(cell)),
    })),
  })),
});

const boundedCell = (cell: OutcomeCell): OutcomeCell => ({
  ...cell,
  ...(cell.why !== undefined && { why: short(cell.why) }),
  examples: cell.examples.map(
    (example): OutcomeExample => ({
      ...example,
      title: short(example.title),
      ...(example.why !== undefined && { why: short(example.why) }),
      excerpts: example.excerpts.map((excerpt) => ({ ...excerpt, text: short(excerpt.text) })),
      // A command that is cut short does something else.
      commands: example.commands.filter(({ command }) => command.length <= maxCommand),
    }),
  ),
});

const keyOf = ({ source, exchange }: ExchangePlace): string => `${exchange} ${source}`;

/**
 * Packs the exchanges of one column: those that its examples name first. Of several columns it takes no others.
 * @param document what the column was made of
 */
export function createOutcomePacker(
  table: OutcomeTable,
  column: number,
  document: VerdictDocument,
  interfaces: readonly Interface[],
): Packer {
  const named = new Set(
    cellsOf(table, column).flatMap(({ examples }) => examples.flatMap(({ exchanges }) => exchanges.map(keyOf))),
  );
  const isNamed = (place: ExchangePlace): boolean => named.has(keyOf(place));
  if (table.columns.length === 1) return createPacker(document, interfaces, isNamed);
  const findings = document.findings.filter(isNamed);
  const packer = createPacker({ ...document, findings }, interfaces, isNamed);
  return {
    add(recorded) {
      if (recorded.asked && isNamed(recorded.asked)) packer.add(recorded);
    },
    finish: packer.finish,
  };
}

/** What a page needs beside the table. */
export interface OutcomePageSources {
  readonly command: readonly string[] | null;
  readonly clauses: readonly Clause[];
  readonly readings: Readonly<Record<string, PageReading>>;
  /** Findings of all columns. */
  readonly findings: readonly Pick<Finding, "clause">[];
  /** One a column. */
  readonly exchanges: readonly PackedExchanges[];
}

/** The page, in pieces. @param bundle script and style of the page `outcomes` */
export function* outcomePage(
  table: OutcomeTable,
  { command, clauses, readings, findings, exchanges }: OutcomePageSources,
  bundle: { readonly script: string; readonly style: string },
): Generator<string> {
  const named = new Set(findings.map(({ clause }) => clause));
  let before = 0;
  const indexes = exchanges.map(({ index, blocks }) => {
    const offset = before;
    before += blocks.length;
    return movedBy(index, offset);
  });
  const data: OutcomePageData = {
    table: boundedTable(table),
    command,
    clauses: Object.fromEntries(clauses.filter(({ id }) => named.has(id)).map((clause) => [clause.id, clause])),
    readings,
    exchanges: indexes,
  };
  const names = table.columns.map(({ name }) => printable(name).slice(0, 60)).join(", ");
  yield* pageHtml({
    ...bundle,
    title: `${names} · touchstone`,
    summary: table.columns.map((_column, i) => verdictText(concluded(table, i))).join("; "),
    blocks: (function* () {
      yield packed(JSON.stringify(data));
      for (const { blocks } of exchanges) yield* blocks;
    })(),
  });
}
