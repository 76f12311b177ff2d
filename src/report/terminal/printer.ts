/** Writes to standard output, or to standard error, as fast as its reader reads, and shows on a terminal what goes on meanwhile. */
import { once } from "node:events";
import { cleaned, steer } from "./controls.ts";

export interface Printer {
  readonly color: boolean;
  /** Waits where the reader is slow. */
  write(text: string): Promise<void>;
  /** Writes to standard error. */
  warn(text: string): void;
  /**
   * One line that overwrites the one before it. Off a terminal, the latest line goes to standard error every ten seconds if it
   * has changed. An empty text ends it.
   */
  progress(text: string): void;
  /** Lines that stay below all that is written until others take their place; only on a terminal. */
  pin(lines: readonly string[]): void;
}

/** Colour on a terminal, or where FORCE_COLOR asks for it, as logs of CI want it; never where NO_COLOR is set. */
export function wantsColor(stream: NodeJS.WriteStream = process.stdout): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR) return false;
  return FORCE_COLOR ? FORCE_COLOR !== "0" && FORCE_COLOR !== "false" : Boolean(stream.isTTY);
}

/** Sets `--color` or `--no-color` for `wantsColor` of this process and of those it starts. */
export function setColor(color: boolean): void {
  process.env[color ? "FORCE_COLOR" : "NO_COLOR"] = "1";
}

/** How often progress is told off a terminal, in milliseconds. */
const progressInterval = 10_000;

/** @param out takes what is written */
export function createPrinter(out: NodeJS.WriteStream = process.stdout): Printer {
  const { stderr } = process;
  // Reading the environment takes longer than writing a line.
  const color = wantsColor(out);
  const shows = Boolean(stderr.isTTY) && process.env["TERM"] !== "dumb";
  let drawn = 0;
  let pinned: readonly string[] = [];
  let drained: Promise<unknown> | undefined;
  let latest = "";
  let written = "";
  let telling: NodeJS.Timeout | undefined;

  /** The characters that take away the lines at the bottom. */
  const erasing = (): string => (drawn === 0 ? "" : `\r${drawn > 1 ? `\u001b[${drawn - 1}A` : ""}\u001b[J`);
  function draw(lines: readonly string[]): void {
    if (!shows || (drawn === 0 && lines.length === 0)) return;
    // In one piece, so that nothing flickers. The cursor stands where the terminal may echo ^C without breaking the line.
    steer(stderr, `${erasing()}${lines.map((line) => cleaned(line, color)).join("\n")}\r`);
    drawn = lines.length;
  }

  function writeLatest(): void {
    if (latest === written) return;
    stderr.write(`${cleaned(latest, false)}\n`);
    written = latest;
  }

  /** Writes the latest line every ten seconds until the text is empty. */
  function tell(text: string): void {
    latest = text;
    if (text === "") {
      clearInterval(telling);
      telling = undefined;
    } else telling ??= setInterval(writeLatest, progressInterval).unref();
  }

  return {
    color,
    progress: (text) => (shows ? draw(text === "" ? [] : [text]) : tell(text)),
    pin(lines) {
      pinned = lines;
      draw(lines);
    },
    warn(text) {
      draw([]);
      stderr.write(text);
      draw(pinned);
    },
    async write(text) {
      draw([]);
      const taken = steer(out, cleaned(text, color));
      draw(pinned);
      if (taken || out.destroyed) return;
      // One wait for all: nobody knows how many lines a reader who has stopped will leave lying.
      drained ??= once(out, "drain").finally(() => (drained = undefined));
      await drained;
    },
  };
}
