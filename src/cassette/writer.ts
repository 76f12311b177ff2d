/** Appends exchanges to a cassette as they end, so that a killed session loses nothing complete. */
import { open } from "node:fs/promises";
import type { Exchange } from "../wire/exchange.ts";
import type { Bind, CassetteHeader } from "./format.ts";
import { reasonOf, UnreadableInput } from "./unreadable.ts";
import { exchangeLine, headerLine } from "./write.ts";

export interface CassetteWriter {
  /** Resolves when the line is written; rejects when it does not fit on the disk, after taking back what was written of it. */
  readonly append: (exchange: Exchange, extras?: { readonly bind?: readonly Bind[] }) => Promise<void>;
  /** Waits for all lines, then closes the file; may be called again. */
  readonly close: () => Promise<void>;
}

/** A line on its way to the disk. */
interface Line {
  readonly text: string;
  readonly written: () => void;
  readonly refused: (error: Error) => void;
}

/**
 * Creates a `.jsonl` cassette; throws UnreadableInput where the file exists or cannot be created.
 * Lines are written whole, those that wait for the disk in one call, so that at most the last one can be torn; where the disk
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

  /** Writes what it can and says how much that was, and what was in the way of the rest. */
  async function put(bytes: Buffer): Promise<{ readonly put: number; readonly error?: Error }> {
    let from = 0;
    try {
      while (from < bytes.length)
        from += (await file.write(bytes, from, bytes.length - from, size + from)).bytesWritten;
      return { put: from };
    } catch (error) {
      return { put: from, error: error as Error };
    }
  }

  async function write(lines: readonly Line[]): Promise<void> {
    const all = lines.map(({ text }) => Buffer.from(text, "utf8"));
    const { put: room, error } = await put(all.length === 1 ? all[0]! : Buffer.concat(all));
    let fits = 0;
    let end = 0;
    while (fits < all.length && end + all[fits]!.length <= room) end += all[fits++]!.length;
    size += end;
    // A half line would swallow the next one.
    if (error) await file.truncate(size).catch(() => undefined);
    for (const [i, line] of lines.entries()) {
      if (i < fits) line.written();
      else
        line.refused(new UnreadableInput(`${path}: cannot be written: ${reasonOf(error!)}`, "Make room on the disk."));
    }
  }

  const enqueue = (text: string): Promise<void> =>
    new Promise((written, refused) => {
      waiting.push({ text: `${text}\n`, written, refused });
      if (waiting.length > 1) return;
      queue = queue.then(() => {
        const lines = waiting;
        waiting = [];
        return write(lines);
      });
    });

  const close = (): Promise<void> => (closed ??= queue.then(() => file.close()));

  await enqueue(headerLine(header)).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    append: async (exchange, extras) => enqueue(exchangeLine(exchange, extras)),
    close,
  };
}
