/** A file that grows line by line. Lines wait in memory while the disk refuses them. */
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { privateFile } from "./files.ts";

export interface GrowingFile {
  readonly descriptor: number;
  /**
   * Appends the pieces of a line, now or with a later one. Never throws.
   * @param size bytes that it takes in memory until then
   * @param written receives its place in the file
   */
  add(pieces: readonly string[], size: number, written?: (from: number, length: number) => void): void;
  /** Appends all lines that wait. Throws if the disk still refuses one, or if one was dropped. */
  flush(): void;
  /** Removes the file; may be called again. */
  remove(): void;
}

interface Line {
  readonly pieces: readonly string[];
  readonly size: number;
  readonly written: (from: number, length: number) => void;
}

/** Bytes of lines that may wait. */
const maxWaiting = 16 << 20;

/** Milliseconds between attempts. */
const retryMs = 1_000;

/** Creates the file in place of an earlier one. */
export function createGrowingFile(path: string): GrowingFile {
  rmSync(path, { force: true });
  const file = openSync(path, "wx+", privateFile);
  let waiting: Line[] = [];
  let waitingBytes = 0;
  let end = 0;
  let failure: { readonly error: Error; readonly at: number } | undefined;
  let isOpen = true;
  let lacks = false;

  function put({ pieces, written }: Line): void {
    let at = end;
    for (const piece of [...pieces, "\n"]) {
      const bytes = Buffer.from(piece, "utf8");
      for (let from = 0; from < bytes.length; ) {
        const count = writeSync(file, bytes, from, bytes.length - from, at);
        from += count;
        at += count;
      }
    }
    written(end, at - end);
    end = at;
  }

  function putAll(): void {
    let count = 0;
    try {
      for (const line of waiting) {
        put(line);
        waitingBytes -= line.size;
        count++;
      }
      failure = undefined;
    } catch (error) {
      failure = { error: error as Error, at: performance.now() };
      // A reader after a kill must not find half a line before others.
      try {
        ftruncateSync(file, end);
      } catch {
        // The next line is written over it.
      }
    }
    waiting = waiting.slice(count);
  }

  return {
    descriptor: file,
    add(pieces, size, written = () => {}) {
      if (lacks) return;
      waiting.push({ pieces, size, written });
      waitingBytes += size;
      if (failure === undefined || performance.now() - failure.at > retryMs) putAll();
      if (failure === undefined || waitingBytes <= maxWaiting) return;
      lacks = true;
      waiting = [];
    },
    flush() {
      if (waiting.length > 0) putAll();
      if (failure) throw failure.error;
    },
    remove() {
      if (isOpen) closeSync(file);
      isOpen = false;
      rmSync(path, { force: true });
    },
  };
}
