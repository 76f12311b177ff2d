/** Plans the segments in which recordings are judged: stretches of `.jsonl` files, documents whole, standard input as it comes. */
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { linesOf, maxLineLength } from "../cassette/lines.ts";
import { headOf, maxHead } from "../cassette/range.ts";
import { plainPieces } from "../cassette/read.ts";
import { reasonOf, UserError } from "../user-error.ts";
import type { BatchRequest } from "./judge/messages.ts";
import { linesWithin, type SourceRange } from "./shards.ts";

/** The work of one judge from its start to its end. */
export interface Segment {
  /** 0-based: the recording's position among all. */
  readonly file: number;
  readonly request: Pick<BatchRequest, "source" | "bytes" | "head" | "to" | "growing">;
  readonly at: number;
  readonly atLineStart: boolean;
  /** Lines that stand before; undefined where nobody has counted them. */
  readonly linesBefore?: number;
  /** Counts them by reading the file, which only who complains about a line waits for. */
  readonly countLinesBefore?: () => Promise<number>;
}

/** Bytes of a segment of a `.jsonl` file. */
const fileSegment = 2 << 20;
/** Bytes of a segment of standard input, unless one line has more. */
const streamSegment = 1 << 20;

/** Milliseconds between checks for a file that is not there, or has no header yet. */
const pause = 100;

/** The beginning of a file, and its size; undefined if it is no file, but for example a pipe, which can be read only once. */
async function startOf(path: string): Promise<{ start: Buffer; size: number } | undefined> {
  if (!(await stat(path)).isFile()) return undefined;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHead), 0, maxHead, 0);
    return { start: buffer.subarray(0, bytesRead), size };
  } finally {
    await file.close();
  }
}

const cannotBeRead = (path: string, error: unknown): UserError =>
  new UserError(`${path}: cannot be read: ${reasonOf(error)}`, "Check the path and the file.");

/** @param stretch bytes of a `.jsonl` to which it is bound, where only a part of the file is judged */
async function* segmentsOfFile(
  file: number,
  source: string,
  stretch?: { readonly from: number; readonly to: number },
): AsyncGenerator<Segment> {
  const begun = await startOf(source).catch((error: unknown) => {
    throw cannotBeRead(source, error);
  });
  if (!begun) return yield* segmentsOfStream(file, source, createReadStream(source));
  const { start, size } = begun;
  const head = headOf(start);
  const growing = false;
  if (head === undefined || head === "open") {
    yield { file, request: { source, to: size, growing }, at: 0, atLineStart: true, linesBefore: 0 };
    return;
  }
  let from = Math.max(head.bytes, stretch?.from ?? 0);
  const end = Math.min(size, stretch?.to ?? size);
  do {
    const at = from;
    const to = Math.min(end, from + fileSegment);
    const first = from === head.bytes;
    const linesBefore = first
      ? { linesBefore: head.lines }
      : // The line that the byte before belongs to is that of the stretch before.
        stretch && { countLinesBefore: async () => (await linesWithin(source, at - 1)) + 1 };
    yield { file, request: { source, head, to, growing }, at, atLineStart: first, ...linesBefore };
    from = to;
  } while (from < end);
}

/** The parts of a stream, each time with the cassette's head before them: every segment is a cassette by itself. */
async function* segmentsOfStream(
  file: number,
  source: string,
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Segment> {
  const lineFeed = Buffer.from("\n");
  let head: ReturnType<typeof headOf> = "open";
  let headBytes = Buffer.alloc(0);
  let pieces: Buffer[] = [];
  let length = 0;
  let linesBefore = 0;
  let lines = 0;

  /** The bytes since the segment before. */
  function segment(known: Exclude<typeof head, "open">): Segment {
    const bytes = Buffer.concat([headBytes, ...pieces]);
    const request = { source, bytes, to: bytes.length, growing: false, ...(known && { head: known }) };
    const one = { file, request, at: headBytes.length, atLineStart: true, linesBefore };
    pieces = [];
    length = 0;
    linesBefore = lines;
    return one;
  }

  for await (const { bytes, ended } of linesOf(plainPieces(source, stream))) {
    if (bytes.length > maxLineLength)
      throw new UserError(
        `${source}: line ${lines + 1} has more than ${maxLineLength >> 20} MiB, which are too many to be read in one piece`,
        "Keep what follows it in a file of its own.",
      );
    pieces.push(bytes, ...(ended ? [lineFeed] : []));
    length += bytes.length + 1;
    lines++;
    if (head === "open") {
      head = headOf(Buffer.concat(pieces));
      if (head === "open" || head === undefined) continue;
      headBytes = Buffer.concat(pieces);
      pieces = [];
      length = 0;
      linesBefore = lines;
    } else if (head && length >= streamSegment) yield segment(head);
  }
  yield segment(head === "open" ? undefined : head);
}

/**
 * The segments of recordings, in order; `-` is standard input. Throws UserError where one cannot be opened.
 * @param range the part of them that is judged; all of it where it is not given
 */
export async function* segmentsOf(
  sources: readonly string[],
  range?: Pick<SourceRange, "from" | "to">,
): AsyncGenerator<Segment> {
  const { from, to } = range ?? { from: { file: 0, at: 0 }, to: { file: sources.length, at: 0 } };
  for (let file = from.file; file < sources.length; file++) {
    const source = sources[file]!;
    if (file > to.file || (file === to.file && to.at === 0)) return;
    const start = file === from.file ? from.at : 0;
    const end = file === to.file ? to.at : Number.POSITIVE_INFINITY;
    if (start >= end) return;
    const cut = start > 0 || end !== Number.POSITIVE_INFINITY;
    if (source === "-") yield* segmentsOfStream(file, source, process.stdin);
    else yield* segmentsOfFile(file, source, cut ? { from: start, to: end } : undefined);
  }
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

/** The one segment of a `.jsonl` that grows; waits until the file is there and has its header, unless `ended` comes first. */
export async function* growingSegment(source: string, ended: Promise<void>): AsyncGenerator<Segment> {
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
      const request = { source, head, to: Number.POSITIVE_INFINITY, growing: true };
      yield { file: 0, request, at: head.bytes, atLineStart: true, linesBefore: head.lines };
      return;
    }
    if (isEnded) return;
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, pause))]);
  }
}
