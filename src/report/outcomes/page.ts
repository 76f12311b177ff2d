/** A table of outcomes as one HTML file, with the exchanges behind its examples. */
import type { Clause, Finding } from "../../check/clause.ts";
import type { ExchangePlace } from "../../check/finding-order.ts";
import type { Interface } from "../../check/interface.ts";
import type { VerdictDocument } from "../../verdict/document.ts";
import { printable } from "../clean.ts";
import type { PageReading } from "../page/data.ts";
import { pageHtml } from "../page/html.ts";
import { createPacker, movedBy, type PackedExchanges, type Packer, packed } from "../page/pack.ts";
import { cellsOf, concluded, stateWords } from "./outline.ts";
import type { OutcomePageData } from "./page-data.ts";
import type { OutcomeTable } from "./table.ts";

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
    table,
    command,
    clauses: Object.fromEntries(clauses.filter(({ id }) => named.has(id)).map((clause) => [clause.id, clause])),
    readings,
    exchanges: indexes,
  };
  const names = table.columns.map(({ name }) => printable(name).slice(0, 60)).join(", ");
  yield* pageHtml({
    ...bundle,
    title: `${names} · touchstone`,
    summary: table.columns
      .map((_column, i) => concluded(table, i))
      .map(({ state, says }) => `${stateWords[state]}: ${says}`)
      .join("; "),
    blocks: (function* () {
      yield packed(JSON.stringify(data));
      for (const { blocks } of exchanges) yield* blocks;
    })(),
  });
}
