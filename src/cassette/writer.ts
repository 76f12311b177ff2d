/** Appends exchanges to a cassette as they end, so that a killed session loses nothing complete. */
import { open } from "node:fs/promises";
import type { Exchange } from "../wire/exchange.ts";
import type { Bind, CassetteHeader } from "./format.ts";
import { reasonOf, UnreadableInput } from "./unreadable.ts";
import { exchangeLine, headerLine, isLarge, linePieces } from "./write.ts";

export interface CassetteWriter {
  /** Resolves when the line is written; rejects when it does not fit on the disk, after taking back what was written of it. */
  readonly append: (exchange: Exchange, extras?: { readonly bind?: readonly Bind[] }) => Promise<void>;
  /** Waits for all lines, then closes the file; may be called again. */
  readonly close: () => Promise<void>;
}

/** A line on its way to the disk. */
interface Line {
  readonly pieces: Iterable<string>;
  readonly written: () => void;
  readonly refused: (error: Error) => void;
}

/** Bytes that are written in one call. */
const blockSize = 1 << 20;

/**
 * Creates a `.jsonl` cassette; throws UnreadableInput where the file exists or cannot be created.
 * Lines are written whole, those that wait for the disk in as few calls as may be, so that at most the last one can be torn; where the disk
 * is full, those that fit are kept.
 */
export async function createCassetteWriter(path: string, header: CassetteHeader = {}): Promise<CassetteWriter> {
  const file = await open(path, "wx").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST")
      throw new UnreadableInput(`${path}: the file exists already`, "Choose another name, or remove it first.");
    throw new UnreadableInput(
      `${path}: cannot be created: ${reasonOf(error)}`,
      "Choose another place for the recording.",
    );
  });
  let size = 0;
  let queue: Promise<void> = Promise.resolve();
  let closed: Promise<void> | undefined;
  /** Lines that wait for the disk; one call writes them all. */
  let waiting: Line[] = [];

  /** What is put together for the next call. */
  const block = Buffer.allocUnsafeSlow(blockSize);
  let filled = 0;
  /** Where the next call writes. */
  let at = 0;

  async function put(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, from, bytes.length - from, at);
      from += bytesWritten;
      at += bytesWritten;
    }
  }

  async function putBlock(): Promise<void> {
    const whole = block.subarray(0, filled);
    filled = 0;
    await put(whole);
  }

  async function add(text: string): Promise<void> {
    const most = 3 * text.length;
    if (most > blockSize - filled) await putBlock();
    if (most > blockSize) await put(Buffer.from(text, "utf8"));
    else filled += block.write(text, filled, "utf8");
  }

  async function write(lines: readonly Line[]): Promise<void> {
    const ends: number[] = [];
    let failure: unknown;
    try {
      for (const { pieces } of lines) {
        for (const piece of pieces) await add(piece);
        await add("\n");
        ends.push(at + filled);
      }
      await putBlock();
    } catch (error) {
      failure = error;
      filled = 0;
    }
    const fits = ends.findLastIndex((end) => end <= at) + 1;
    size = ends[fits - 1] ?? size;
    // A half line would swallow the next one.
    if (failure) await file.truncate(size).catch(() => undefined);
    at = size;
    for (const [i, { written, refused }] of lines.entries()) {
      if (i < fits) written();
      else refused(new UnreadableInput(`${path}: cannot be written: ${reasonOf(failure)}`, "Make room on the disk."));
    }
  }

  const enqueue = (pieces: Iterable<string>): Promise<void> =>
    new Promise((written, refused) => {
      waiting.push({ pieces, written, refused });
      if (waiting.length > 1) return;
      queue = queue.then(() => {
        const lines = waiting;
        waiting = [];
        return write(lines);
      });
    });

  const close = (): Promise<void> => (closed ??= queue.then(() => file.close()));

  await enqueue([headerLine(header)]).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    append: async (exchange, extras) =>
      enqueue(isLarge(exchange) ? linePieces(exchange, extras) : [exchangeLine(exchange, extras)]),
    close,
  };
}
