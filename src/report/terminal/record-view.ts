/** The view of `record`: a line an exchange with its findings below, exchanges in flight, and the conclusion. */

import type { Differences } from "../../verdict/divergence.ts";
import type { CheckDocument } from "../../verdict/document.ts";
import type { ListedExchange } from "../../verdict/judged-exchange.ts";
import { shellOperand } from "../../wire/shell.ts";
import { printable } from "../clean.ts";
import { createSilence, exchangeText, operationsText } from "../exchanges.ts";
import { plural } from "../plural.ts";
import { createPrinter } from "./printer.ts";
import { addTo, createStatus, elsewhere, spell, spellBytes, statusLines } from "./status.ts";
import { cutTo } from "./width.ts";

/** The conclusion of a session. */
export interface SessionSummary {
  readonly document: CheckDocument;
  /** Exchanges in the cassette, and those that could not be written. */
  readonly kept: number;
  readonly lost: number;
  /** Exchanges that are missing since a recording process ended or stands still. */
  readonly missing: number;
  /** Requests that passed `--enforce` without being judged. */
  readonly unenforced: number;
  /** Bytes of the cassette that were not judged. */
  readonly unjudgedBytes: number;
}

/** Exchanges that have begun and not ended; `operation` is undefined where no document has it. */
export interface Flights {
  readonly count: number;
  readonly longest: readonly { readonly operation: string | undefined; readonly time: number }[];
}

export interface View {
  /** An exchange that was kept and judged. */
  exchange(exchange: ListedExchange): void;
  /** Something failed on our side. */
  trouble(what: string): void;
  /** A client or an upstream did something odd; nothing is lacking. */
  notice(what: string): void;
  /** Refreshes the lines that say what is going on; only on a terminal. `lag` is how many bytes are kept and not judged. */
  progress(flights: Flights, lag: number): void;
  /** Says how much of what is kept is still to be judged; only on a terminal. */
  catchingUp(lag: number, out: string): void;
  /** @param out the cassette */
  summary(summary: SessionSummary, out: string): void;
}

export interface ViewOptions {
  /** Lists only exchanges with errors or warnings. */
  readonly quiet: boolean;
  readonly differences: Differences;
  /**
   * The terminal belongs to a program. Exchanges are then told only in the summary, and so are notices if both outputs are a
   * terminal. All goes to standard error.
   */
  readonly besideProgram?: boolean;
}

/** Lines about exchanges that the summary of a program shows. */
const maxHeld = 50;

export function createView({ quiet, differences, besideProgram = false }: ViewOptions): View {
  const printer = createPrinter(besideProgram ? process.stderr : process.stdout);
  /** Texts that wait for the summary. */
  const held: string[] = [];
  let unsaid = 0;
  const silence = createSilence();
  const hold = (text: string): void => {
    if (held.length < maxHeld) held.push(text);
    else unsaid++;
  };
  const ownsTerminal = besideProgram && process.stdout.isTTY && process.stderr.isTTY;
  const status = createStatus();
  // Whoever stops reading what is shown does not stop the traffic.
  const write = (text: string): void => void printer.write(text).catch(() => {});
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error").on("error", () => {});
  return {
    exchange(exchange) {
      const { asked, time, aborted, groups, unjudged } = exchange;
      silence.add(exchange);
      addTo(status, exchange);
      if (quiet && unjudged === undefined && !groups.some(({ level }) => level !== "note")) return;
      const extra = [time === undefined ? "" : spell(time), aborted ? `broken off by the ${aborted}` : ""];
      const text = exchangeText({ ...exchange, operation: asked }, differences, printer.color);
      const line = text.replace(/$/m, extra.map((one) => (one ? `  ${one}` : "")).join(""));
      if (besideProgram) hold(line);
      else write(line);
    },
    notice(what) {
      const line = `touchstone: ${printable(what)}\n`;
      if (ownsTerminal) hold(line);
      else printer.warn(line);
    },
    trouble(what) {
      printer.warn(`touchstone: ${printable(what)}\n`);
    },
    progress({ count, longest }, lag) {
      const { columns, rows } = process.stderr;
      if (!columns || !rows) return;
      const named = longest.map(({ operation, time }) => ({ operation: operation ?? elsewhere, time }));
      printer.pin(statusLines(status, { count, longest: named }, lag, { columns, rows, color: printer.color }));
    },
    catchingUp(lag, out) {
      const left = `${spellBytes(lag)} of what is kept are still to be judged`;
      printer.pin([
        cutTo(
          `${left}; Ctrl+C leaves them to touchstone check ${printable(shellOperand(out))}`,
          (process.stderr.columns || 80) - 1,
        ),
      ]);
    },
    summary({ document, kept, lost, missing, unenforced, unjudgedBytes }, out) {
      printer.pin([]);
      for (const text of held) write(text);
      if (unsaid > 0) write(`... and ${plural(unsaid, "line")} more: touchstone check ${shellOperand(out)}\n`);
      write(operationsText(document.operations, document, printer.color, silence.get()));
      const gone = lost > 0 ? `; ${lost} could not be written` : "";
      const lacks = missing > 0 ? `; ${missing} ${missing === 1 ? "is" : "are"} missing` : "";
      write(`${plural(kept, "exchange")} ${kept === 1 ? "is" : "are"} kept in ${out}${gone}${lacks}\n`);
      if (unenforced > 0)
        write(
          `${plural(unenforced, "request")} passed --enforce without being judged: too large, or too slow to judge\n`,
        );
      if (unjudgedBytes > 0)
        write(`${spellBytes(unjudgedBytes)} of it are not judged: touchstone check ${shellOperand(out)}\n`);
    },
  };
}
