/** Writes to standard output as fast as its reader reads, and shows progress on a terminal. */
import { once } from "node:events";

export interface Printer {
  readonly color: boolean;
  /** Waits where the reader is slow. */
  write(text: string): Promise<void>;
  /** One line that overwrites the one before it; only on a terminal. An empty text clears it. */
  progress(text: string): void;
}

/** Colour only on a terminal, and not where NO_COLOR is set. */
export function wantsColor(): boolean {
  return Boolean(process.stdout.isTTY) && !process.env["NO_COLOR"];
}

export function createPrinter(): Printer {
  const shows = Boolean(process.stderr.isTTY);
  let shown = false;
  const progress = (text: string): void => {
    if (!shows || (text === "" && !shown)) return;
    process.stderr.write(`\r\u001b[K${text}`);
    shown = text !== "";
  };
  return {
    color: wantsColor(),
    progress,
    async write(text) {
      progress("");
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    },
  };
}
