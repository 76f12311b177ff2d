/** Shards: which part of several a run or a check is. */
import { UserError } from "../user-error.ts";
import type { Shard } from "./document.ts";

/** `I/N` as a shard; null where none is named. */
export function parseShard(text: string | undefined): Shard | null {
  if (text === undefined) return null;
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (!index || !of || index > of)
    throw new UserError(`--shard ${text} is not I/N with I from 1 to N`, "Write for example --shard 1/3.");
  return { index, of };
}

/** The parts in the order of their shards; one that is there again counts once. A sentence if they are not all of one whole. */
export function inOrder<T extends { readonly shard: Shard | null }>(parts: readonly T[]): readonly T[] | string {
  const byIndex = new Map<number, T>();
  for (const part of parts) {
    if (!part.shard) return "they are whole, not shards of one";
    const { index } = part.shard;
    const known = byIndex.get(index);
    if (known && JSON.stringify(known) !== JSON.stringify(part)) return `shard ${index} is there twice, and differs`;
    byIndex.set(index, part);
  }
  const of = parts[0]?.shard?.of ?? 0;
  const all = Array.from({ length: of }, (_, i) => i + 1);
  const absent = all.filter((index) => !byIndex.has(index));
  return absent.length > 0 ? `shard ${absent.join(", ")} of ${of} is missing` : all.map((index) => byIndex.get(index)!);
}
