/** Appends exchanges to a cassette as they end, so that a killed session loses nothing complete. */
import { open } from "node:fs/promises";
import type { Exchange } from "../wire/exchange.ts";
import type { Bind, CassetteHeader } from "./format.ts";
import { reasonOf, UnreadableInput } from "./unreadable.ts";
import { exchangeLine, headerLine } from "./write.ts";

export interface CassetteWriter {
  /** Resolves when the line is written; rejects when the disk refuses, after taking back what was written of it. */
  readonly append: (exchange: Exchange, extras?: { readonly bind?: readonly Bind[] }) => Promise<void>;
  /** Waits for all lines, then closes the file; may be called again. */
  readonly close: () => Promise<void>;
}

/**
 * Creates a `.jsonl` cassette; throws UnreadableInput where the file exists or cannot be created.
 * Lines are written whole, those that wait for the disk in one call, so that at most the last one can be torn.
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
  let waiting: string[] = [];
  let written: Promise<void> | undefined;

  const write = async (lines: string): Promise<void> => {
    const bytes = Buffer.from(lines, "utf8");
    try {
      for (let from = 0; from < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, from, bytes.length - from, size + from);
        from += bytesWritten;
      }
      size += bytes.length;
    } catch (error) {
      // A half line would swallow the next one.
      await file.truncate(size).catch(() => undefined);
      throw new UnreadableInput(`${path}: cannot be written: ${reasonOf(error)}`, "Make room on the disk.");
    }
  };
  const enqueue = (line: string): Promise<void> => {
    waiting.push(`${line}\n`);
    if (written) return written;
    const batch = queue.then(() => {
      const lines = waiting.join("");
      waiting = [];
      written = undefined;
      return write(lines);
    });
    written = batch;
    queue = batch.catch(() => undefined);
    return batch;
  };

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
