/** Plans the parts in which recordings are judged: stretches of `.jsonl` files, documents whole, standard input as it comes. */
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { linesOf, longestLine } from "../cassette/lines.ts";
import { headOf, mostHead } from "../cassette/range.ts";
import { plainPieces } from "../cassette/read.ts";
import { reasonOf, UserError } from "../user-error.ts";
import type { Ask } from "./judge-messages.ts";

/** What one judge works off from its start to its end. */
export interface Part {
  /** 0-based: the recording's position among all. */
  readonly file: number;
  readonly ask: Pick<Ask, "source" | "bytes" | "head" | "to" | "growing">;
  readonly at: number;
  readonly begins: boolean;
  /** Lines that stand before; undefined where nobody has counted them. */
  readonly line?: number;
}

/** Bytes of a `.jsonl` that are one part. */
const stretchLength = 2 << 20;
/** Bytes of lines from standard input that are one part, unless one line has more. */
const pieceLength = 1 << 20;

/** Milliseconds between looks for a file that is not there, or has no header yet. */
const look = 100;

/** What a file begins with, and its size; undefined for what is no file, such as a pipe, which can be read only once. */
async function startOf(path: string): Promise<{ start: Buffer; size: number } | undefined> {
  if (!(await stat(path)).isFile()) return undefined;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostHead), 0, mostHead, 0);
    return { start: buffer.subarray(0, bytesRead), size };
  } finally {
    await file.close();
  }
}

const cannotBeRead = (path: string, error: unknown): UserError =>
  new UserError(`${path}: cannot be read: ${reasonOf(error)}`, "Check the path and the file.");

async function* partsOfFile(file: number, source: string): AsyncGenerator<Part> {
  const begun = await startOf(source).catch((error: unknown) => {
    throw cannotBeRead(source, error);
  });
  if (!begun) return yield* partsOfStream(file, source, createReadStream(source));
  const { start, size } = begun;
  const head = headOf(start);
  const growing = false;
  if (head === undefined || head === "open") {
    yield { file, ask: { source, to: size, growing }, at: 0, begins: true, line: 0 };
    return;
  }
  let from = head.bytes;
  do {
    const to = Math.min(size, from + stretchLength);
    const first = from === head.bytes;
    yield { file, ask: { source, head, to, growing }, at: from, begins: first, ...(first && { line: head.lines }) };
    from = to;
  } while (from < size);
}

/** What came from a stream, each time with the cassette's head before it: every part is a cassette by itself. */
async function* partsOfStream(file: number, source: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  const feed = Buffer.from("\n");
  let head: ReturnType<typeof headOf> = "open";
  let before = Buffer.alloc(0);
  let pieces: Buffer[] = [];
  let length = 0;
  let lines = 0;
  const part = (known: Exclude<typeof head, "open">): Part => {
    const bytes = Buffer.concat([before, ...pieces]);
    const at = before.length;
    const one = {
      file,
      ask: { source, bytes, to: bytes.length, growing: false, ...(known && { head: known }) },
      at,
      begins: true,
    };
    const line = lines;
    pieces = [];
    length = 0;
    return { ...one, line };
  };
  let counted = 0;
  for await (const { bytes, ended } of linesOf(plainPieces(source, stream))) {
    if (bytes.length > longestLine)
      throw new UserError(
        `${source}: line ${counted + 1} has more than ${longestLine >> 20} MiB, which are too many to be read in one piece`,
        "Keep what follows it in a file of its own.",
      );
    pieces.push(bytes, ...(ended ? [feed] : []));
    length += bytes.length + 1;
    counted++;
    if (head === "open") {
      head = headOf(Buffer.concat(pieces));
      if (head === "open" || head === undefined) continue;
      before = Buffer.concat(pieces);
      pieces = [];
      length = 0;
      lines = counted;
    } else if (head && length >= pieceLength) {
      yield part(head);
      lines = counted;
    }
  }
  yield part(head === "open" ? undefined : head);
}

/** The parts of recordings, in order; `-` is standard input. Throws UserError where one cannot be opened. */
export async function* partsOf(sources: readonly string[]): AsyncGenerator<Part> {
  for (const [file, source] of sources.entries())
    yield* source === "-" ? partsOfStream(file, source, process.stdin) : partsOfFile(file, source);
}

/** Bytes of all recordings that are files. */
export async function sizeOf(sources: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const source of sources)
    if (source !== "-")
      bytes += (
        await stat(source).catch((error: unknown) => {
          throw cannotBeRead(source, error);
        })
      ).size;
  return bytes;
}

/** The one part of a `.jsonl` that grows; waits until the file is there and has its header, unless `ended` comes first. */
export async function* partOfGrowing(source: string, ended: Promise<void>): AsyncGenerator<Part> {
  let isEnded = false;
  void ended.then(() => (isEnded = true));
  for (;;) {
    const begun = await startOf(source).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return { start: Buffer.alloc(0) };
      throw cannotBeRead(source, error);
    });
    const head = begun && headOf(begun.start);
    if (head === undefined)
      throw new UserError(
        `${source}: only a .jsonl cassette can be followed`,
        "Leave out --follow to judge it as it is.",
      );
    if (head !== "open") {
      const to = Number.POSITIVE_INFINITY;
      yield { file: 0, ask: { source, head, to, growing: true }, at: head.bytes, begins: true, line: head.lines };
      return;
    }
    if (isEnded) return;
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, look))]);
  }
}
