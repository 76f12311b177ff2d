/** Divides recordings among several machines by their bytes, without anything that they would have to tell each other. */
import { open, stat } from "node:fs/promises";
import { headOf, maxHead } from "../cassette/range.ts";
import { reasonOf, UserError } from "../user-error.ts";
import type { Shard, SourcePosition } from "../verdict/document.ts";

/** The part of recordings that one shard judges. */
export interface SourceRange {
  readonly files: number;
  readonly bytes: number;
  readonly from: SourcePosition;
  readonly to: SourcePosition;
}

/**
 * The share of a shard: of all bytes in a row the index-th of `of` equal parts. A `.jsonl` is cut where a part ends, and a line
 * belongs to the part in which it begins. So does any other file. The same files give the same parts everywhere.
 */
export async function rangeOf(sources: readonly string[], { index, of }: Shard): Promise<SourceRange> {
  const starts: number[] = [];
  let bytes = 0;
  const seen = new Set<string>();
  for (const source of sources) {
    if (seen.size === seen.add(source).size)
      throw new UserError(`${source}: it is given twice`, "With --shard, name every recording once.");
    starts.push(bytes);
    bytes += await sizeOfFile(source);
  }
  const end = { file: sources.length, at: 0 };
  /** The beginning of the part after the first `count` parts. */
  async function cut(count: number): Promise<SourcePosition> {
    if (count === 0) return { file: 0, at: 0 };
    const target = Math.floor((bytes / of) * count);
    const file = starts.findLastIndex((start) => start <= target);
    const at = target - (starts[file] ?? 0);
    if (count === of || file < 0 || target >= bytes) return end;
    if (at === 0) return { file, at };
    const head = await headBytes(sources[file]!);
    if (head === undefined) return { file: file + 1, at: 0 };
    return { file, at: at > head ? at : 0 };
  }
  return { files: sources.length, bytes, from: await cut(index - 1), to: await cut(index) };
}

async function sizeOfFile(source: string): Promise<number> {
  const found = source === "-" ? undefined : await stat(source).catch((error: unknown) => cannotBeRead(source, error));
  if (!found?.isFile())
    throw new UserError(
      `${source === "-" ? "standard input" : source}: a shard can be judged of files only`,
      "Keep what is piped in a file, or leave out --shard.",
    );
  return found.size;
}

function cannotBeRead(path: string, error: unknown): never {
  throw new UserError(`${path}: cannot be read: ${reasonOf(error)}`, "Check the path and the file.");
}

/** Bytes before the first exchange of a `.jsonl`; undefined of what cannot be cut. */
async function headBytes(source: string): Promise<number | undefined> {
  const file = await open(source).catch((error: unknown) => cannotBeRead(source, error));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHead), 0, maxHead, 0);
    const head = headOf(buffer.subarray(0, bytesRead));
    return head === undefined || head === "open" ? undefined : head.bytes;
  } finally {
    await file.close();
  }
}

/** Line feeds in the first bytes of a file. */
export async function linesWithin(source: string, bytes: number): Promise<number> {
  const file = await open(source).catch((error: unknown) => cannotBeRead(source, error));
  let lines = 0;
  try {
    const piece = Buffer.alloc(Math.min(bytes, 1 << 20));
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, bytes - at), at);
      if (bytesRead === 0) break;
      for (let feed = piece.indexOf(10); feed >= 0 && feed < bytesRead; feed = piece.indexOf(10, feed + 1)) lines++;
      at += bytesRead;
    }
    return lines;
  } finally {
    await file.close();
  }
}
