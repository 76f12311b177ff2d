/** What `record` shows: a line an exchange with its findings below, what is in flight, and what it all came to. */
import { printable } from "../report/clean.ts";
import { exchangeText, operationsText } from "../report/exchanges.ts";
import { plural } from "../report/outline.ts";
import { type Differences, withDifferences } from "../verdict/divergence.ts";
import { createPrinter } from "./printer.ts";
import type { Shown, Summary } from "./record-messages.ts";
import { addTo, createStatus, type InFlight, spell, statusLines } from "./record-status.ts";

export interface View {
  shown(shown: Shown): void;
  trouble(what: string): void;
  /** Refreshes the lines that say what is going on; only on a terminal. */
  progress(inFlight: InFlight): void;
  summary(summary: Summary, out: string): void;
}

export function createView(quiet: boolean, differences: Differences): View {
  const printer = createPrinter();
  const status = createStatus();
  // Whoever stops reading what is shown does not stop the traffic.
  const write = (text: string): void => void printer.write(text).catch(() => {});
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error").on("error", () => {});
  return {
    shown(shown) {
      const { method, path, time, aborted, findings } = shown;
      addTo(status, shown);
      if (quiet && !findings.some(({ level }) => level !== "note")) return;
      const extra = [time === undefined ? "" : spell(time), aborted ? `broken off by the ${aborted}` : ""];
      const operation = `${method} ${path}`;
      const text = exchangeText({ ...shown, operation }, differences, printer.color);
      write(text.replace(/$/m, extra.map((one) => (one ? `  ${one}` : "")).join("")));
    },
    trouble(what) {
      printer.warn(`touchstone: ${printable(what)}\n`);
    },
    progress(inFlight) {
      const { columns, rows } = process.stderr;
      if (columns && rows) printer.pin(statusLines(status, inFlight, { columns, rows, color: printer.color }));
    },
    summary({ judged, operations, kept, lost }, out) {
      printer.pin([]);
      write(
        operationsText(operations, { ...judged, clauses: withDifferences(judged.clauses, differences) }, printer.color),
      );
      const gone = lost > 0 ? `; ${lost} could not be written` : "";
      write(`${plural(kept, "exchange")} ${kept === 1 ? "is" : "are"} kept in ${out}${gone}\n`);
    },
  };
}

/** What to set in clients so that they come through the proxy at `url`. */
export const clientHints = (url: string): string =>
  [
    "Send your clients here:",
    `  OPENAI_BASE_URL=${url}/v1`,
    `  ANTHROPIC_BASE_URL=${url}`,
    `  Google SDK: new GoogleGenAI({ httpOptions: { baseUrl: "${url}" } })`,
    "",
  ].join("\n");
