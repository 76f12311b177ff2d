/** Packs the exchanges that changes name as their examples: each once, up to what a page has room for. */

import type { Interface } from "../../check/interface.ts";
import type { Recording } from "../../drift/compare-recordings.ts";
import type { Change } from "../../drift/document.ts";
import { viewedExchange } from "../../view/exchange.ts";
import { createBlocks } from "../page/pack.ts";
import { exampleKey, exchangeShown, type SideName } from "./example-key.ts";

/** The position of an exchange in the page. */
export type InPage = readonly [block: number, item: number];

export interface Examples {
  /** By `exampleKey`. */
  readonly places: Readonly<Record<string, InPage>>;
  /** As they stand in the page, behind the first block. */
  readonly blocks: readonly string[];
}

export const noExamples: Examples = { places: {}, blocks: [] };

/** Bytes, compressed, of the exchanges of a page. */
const maxBytes = 12 << 20;

/** Reads both sides once more, and keeps what the changes name. */
export async function packExamples(
  changes: readonly Change[],
  sides: Readonly<Record<SideName, Recording>>,
  interfaces: readonly Interface[],
): Promise<Examples> {
  const wanted = new Set<string>();
  for (const { seen } of changes)
    for (const side of ["before", "after"] as const) {
      const shown = exchangeShown(seen[side]);
      if (shown) wanted.add(exampleKey(side, shown));
    }
  const blocks = createBlocks(maxBytes);
  const places: Record<string, InPage> = {};
  for (const side of ["before", "after"] as const)
    for await (const { source, position: exchange, exchange: passed } of sides[side].entries()) {
      const key = exampleKey(side, { source, exchange });
      if (!wanted.has(key) || blocks.isFull()) continue;
      const [block, item] = blocks.add(JSON.stringify(viewedExchange(passed, { source, exchange }, interfaces)));
      places[key] = [block + 1, item];
    }
  blocks.close();
  return { places, blocks: blocks.blocks };
}
