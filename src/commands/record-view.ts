/** What `record` shows: a line an exchange with its findings below, what is in flight, and what it all came to. */
import { printable } from "../report/clean.ts";
import { exchangeText, operationsText } from "../report/exchanges.ts";
import { type Differences, withDifferences } from "../verdict/divergence.ts";
import { createPrinter } from "./printer.ts";
import type { Shown, Summary } from "./record-messages.ts";

export interface View {
  shown(shown: Shown): void;
  trouble(what: string): void;
  /** Refreshes the line that says what is going on; only on a terminal. */
  progress(inFlight: { readonly count: number; readonly longest: number }): void;
  summary(summary: Summary, out: string): void;
}

/** Milliseconds for people. */
const spell = (time: number): string => (time < 1000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(1)} s`);

export function createView(quiet: boolean, differences: Differences): View {
  const printer = createPrinter();
  const totals = { exchanges: 0, errors: 0, warnings: 0 };
  return {
    shown(shown) {
      const { method, path, time, aborted, findings } = shown;
      totals.exchanges++;
      for (const { level } of findings) {
        if (level === "error") totals.errors++;
        else if (level === "warning") totals.warnings++;
      }
      if (quiet && !findings.some(({ level }) => level !== "note")) return;
      const extra = [time === undefined ? "" : spell(time), aborted ? `broken off by the ${aborted}` : ""];
      const operation = `${method} ${path}`;
      const text = exchangeText({ ...shown, operation }, differences, printer.color);
      void printer.write(text.replace(/$/m, extra.map((one) => (one ? `  ${one}` : "")).join("")));
    },
    trouble(what) {
      printer.progress("");
      process.stderr.write(`touchstone: ${printable(what)}\n`);
    },
    progress({ count, longest }) {
      const { exchanges, errors, warnings } = totals;
      const waiting = count > 0 ? `, ${count} in flight, the longest for ${spell(longest)}` : "";
      printer.progress(`${exchanges} exchanges, ${errors} errors, ${warnings} warnings${waiting}`);
    },
    summary({ judged, operations, kept, lost }, out) {
      void printer.write(
        operationsText(operations, { ...judged, clauses: withDifferences(judged.clauses, differences) }, printer.color),
      );
      const gone = lost > 0 ? `; ${lost} could not be written` : "";
      void printer.write(`${kept} exchanges are kept in ${out}${gone}\n`);
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
