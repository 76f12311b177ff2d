/** Several targets side by side as one HTML file: the document, and of each column the exchanges that its cells name. */
import type { Recorded } from "../../cassette/format.ts";
import type { Clause } from "../../check/clause.ts";
import type { ExchangePlace } from "../../check/finding-order.ts";
import type { Interface } from "../../check/interface.ts";
import type { RunResults } from "../../verdict/run-results.ts";
import { printable } from "../clean.ts";
import type { ExchangeIndex, PageReading } from "../page/data.ts";
import { pageHtml } from "../page/html.ts";
import { createPacker, movedBy, type PackedExchanges, packed } from "../page/pack.ts";
import type { SideBySide } from "./document.ts";
import type { ComparePageData } from "./page-data.ts";
import { agreementSays, nameOf } from "./words.ts";

export interface ColumnPacker {
  /** Takes an exchange; keeps it where the column names it. */
  add(recorded: Recorded): void;
  /** @param kept which exchanges there were to take */
  finish(kept: ExchangeIndex["kept"]): PackedExchanges;
}

const keyOf = ({ source, exchange }: ExchangePlace): string => `${exchange} ${source}`;

/** Packs what the cells of one column name: the exchanges of their places, and the good request that a probe was made from. */
export function createColumnPacker(
  document: SideBySide,
  column: number,
  results: RunResults,
  interfaces: readonly Interface[],
): ColumnPacker {
  const cells = document.sections.flatMap(({ rows }) => rows.map((row) => row.cells[column]!));
  const places: readonly ExchangePlace[] = [
    ...cells.flatMap(({ places = [] }) => places),
    ...document.unanswered.flatMap((row) => row.cells[column] ?? []),
  ];
  const wanted = new Set(places.map(keyOf));
  const twins = new Set(places.filter(({ source }) => source.startsWith("probes/")).map(({ source }) => source));
  const isNamed = (place: ExchangePlace): boolean => wanted.has(keyOf(place));
  const named = {
    ...results,
    findings: results.findings.filter(isNamed),
    incidents: results.incidents.filter(isNamed),
    reproduce: results.reproduce.filter(isNamed),
    again: results.again?.filter(isNamed) ?? [],
  };
  const packer = createPacker(named, interfaces);
  return {
    add(recorded) {
      const { asked } = recorded;
      if (asked && (isNamed(asked) || (asked.exchange === 0 && twins.has(asked.source)))) packer.add(recorded);
    },
    finish: packer.finish,
  };
}

/** The sources of a page beside the document. */
export interface ComparePageSources {
  readonly clauses: readonly Clause[];
  readonly readings: Readonly<Record<string, PageReading>>;
  /** One a column. */
  readonly exchanges: readonly PackedExchanges[];
}

/** The page, in pieces. @param bundle script and style of the page `compare` */
export function* sideBySidePage(
  document: SideBySide,
  { clauses, readings, exchanges }: ComparePageSources,
  bundle: { readonly script: string; readonly style: string },
): Generator<string> {
  const shown = new Set(document.sections.flatMap(({ rows }) => rows.map(({ clause }) => clause)));
  let before = 0;
  const indexes = exchanges.map(({ index, blocks }) => {
    const offset = before;
    before += blocks.length;
    return movedBy(index, offset);
  });
  const data: ComparePageData = {
    document,
    clauses: Object.fromEntries(
      clauses
        .filter(({ id }) => shown.has(id))
        .map(({ id, on, kind, basis, readings: own }) => [id, { on, kind, basis, readings: own }]),
    ),
    readings,
    exchanges: indexes,
  };
  yield* pageHtml({
    ...bundle,
    title: printable(`${document.columns.map(nameOf).join(", ")} side by side · touchstone`),
    summary: agreementSays(document),
    blocks: (function* () {
      yield packed(JSON.stringify(data));
      for (const { blocks } of exchanges) yield* blocks;
    })(),
  });
}
