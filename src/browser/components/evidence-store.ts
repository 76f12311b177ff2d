/** Reads what a page knows of its exchanges: inflates a block when one of it is looked at, and puts shared texts back. */
import type { ExchangeIndex, PageEvidence, SharedText } from "../../report/page/data.ts";
import { readBlock } from "./blocks.ts";

export interface EvidenceStore {
  /** The evidence for a row's exchange; undefined if only its name stands in the page. */
  read(row: number): Promise<PageEvidence | undefined>;
}

/** Blocks that stay inflated. */
const maxBlocks = 24;

export function createEvidenceStore({ block, item, shared }: ExchangeIndex): EvidenceStore {
  const inflated = new Map<number, Promise<readonly unknown[]>>();
  const firstOf = new Map<number, number>();
  for (const [position, of] of shared.entries()) if (!firstOf.has(of)) firstOf.set(of, position);

  function itemsOf(i: number): Promise<readonly unknown[]> {
    const known = inflated.get(i) ?? readBlock<readonly unknown[]>(i);
    // The block that was read last goes last.
    inflated.delete(i);
    inflated.set(i, known);
    for (const old of inflated.keys()) if (inflated.size > maxBlocks) inflated.delete(old);
    return known;
  }

  async function whole(value: unknown): Promise<unknown> {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return Promise.all(value.map(whole));
    if ("shared" in value) {
      const { shared: position } = value as SharedText;
      const of = shared[position]!;
      return (await itemsOf(of))[position - firstOf.get(of)!];
    }
    return Object.fromEntries(
      await Promise.all(Object.entries(value).map(async ([name, own]) => [name, await whole(own)] as const)),
    );
  }

  return {
    async read(row) {
      const of = block[row];
      if (of === undefined || of < 0) return undefined;
      return (await whole((await itemsOf(of))[item[row]!])) as PageEvidence;
    },
  };
}
