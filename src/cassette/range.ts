/** Opens a stretch of a large `.jsonl` cassette, so that several workers can share one file. */
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { type Line, linesOf, readSize } from "./lines.ts";
import { entriesOf, type SourceEntry } from "./read.ts";

/** Bytes `from` to `to` (exclusive) of a file; a line belongs to the stretch its first byte lies in. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Stretches of about `length` bytes; one for the whole of what cannot be shared: gzipped files, other formats. */
export async function stretchesOf(path: string, length: number): Promise<Stretch[] | undefined> {
  const { size } = await stat(path);
  if (!path.endsWith(".jsonl") || size <= length) return undefined;
  const file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  if (buffer[0] === 0x1f && buffer[1] === 0x8b) return undefined;
  const stretches: Stretch[] = [];
  for (let from = 0; from < size; from += length) stretches.push({ from, to: Math.min(size, from + length) });
  return stretches;
}

async function* linesWithin(path: string, { from, to }: Stretch): AsyncGenerator<Line> {
  // One byte earlier shows whether a line begins right at `from`.
  const start = Math.max(0, from - 1);
  let at = start;
  let first = true;
  for await (const line of linesOf(createReadStream(path, { start, highWaterMark: readSize }))) {
    const begins = at;
    at += line.bytes.length + 1;
    const skipped = first;
    first = false;
    // At the file's start this skips the header line; elsewhere a line that an earlier stretch owns.
    if (skipped) continue;
    if (begins >= to) return;
    yield line;
  }
}

/** The exchanges of a stretch; `index` counts from the stretch's first. Throws UnreadableInput. */
export function openStretch(path: string, stretch: Stretch, notes: string[]): AsyncGenerator<SourceEntry> {
  return entriesOf(path, linesWithin(path, stretch), notes);
}
