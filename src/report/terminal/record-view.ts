/** What `record` shows: a line an exchange with its findings below, what is in flight, and what it all came to. */
import type { Row } from "../../record/judge-messages.ts";
import type { Kept } from "../../record/keeper-messages.ts";
import type { Followed } from "../../record/session-follower.ts";
import { type Differences, explainedDocument } from "../../verdict/divergence.ts";
import { printable } from "../clean.ts";
import { exchangeText, operationsText } from "../exchanges.ts";
import { plural } from "../outline.ts";
import { createPrinter } from "./printer.ts";
import { addTo, createStatus, type InFlight, spell, spellBytes, statusLines } from "./status.ts";
import { cutTo } from "./width.ts";

/** An exchange that was kept and judged. */
export interface Shown extends Row {
  readonly exchange: number;
}

export interface View {
  shown(shown: Shown): void;
  trouble(what: string): void;
  /** Refreshes the lines that say what is going on; only on a terminal. `lag` is how many bytes are kept and not judged. */
  progress(inFlight: InFlight, lag: number): void;
  /** Says how much of what is kept is still to be judged; only on a terminal. */
  catchingUp(lag: number, out: string): void;
  /** `unenforced` counts the requests that passed `--enforce` without being judged. */
  summary(kept: Kept, followed: Followed, out: string, unenforced: number): void;
}

export function createView(quiet: boolean, differences: Differences): View {
  const printer = createPrinter();
  const status = createStatus();
  // Whoever stops reading what is shown does not stop the traffic.
  const write = (text: string): void => void printer.write(text).catch(() => {});
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error").on("error", () => {});
  return {
    shown(shown) {
      const { asked, time, aborted, groups, unjudged } = shown;
      addTo(status, shown);
      if (quiet && unjudged === undefined && !groups.some(({ level }) => level !== "note")) return;
      const extra = [time === undefined ? "" : spell(time), aborted ? `broken off by the ${aborted}` : ""];
      const text = exchangeText({ ...shown, operation: asked }, differences, printer.color);
      write(text.replace(/$/m, extra.map((one) => (one ? `  ${one}` : "")).join("")));
    },
    trouble(what) {
      printer.warn(`touchstone: ${printable(what)}\n`);
    },
    progress(inFlight, lag) {
      const { columns, rows } = process.stderr;
      if (columns && rows) printer.pin(statusLines(status, inFlight, lag, { columns, rows, color: printer.color }));
    },
    catchingUp(lag, out) {
      const left = `${spellBytes(lag)} of what is kept are still to be judged`;
      printer.pin([
        cutTo(`${left}; Ctrl+C leaves them to touchstone check ${printable(out)}`, (process.stderr.columns || 80) - 1),
      ]);
    },
    summary({ kept, lost }, { judged, operations, left }, out, unenforced) {
      printer.pin([]);
      write(operationsText(operations, explainedDocument(judged, differences), printer.color));
      const gone = lost > 0 ? `; ${lost} could not be written` : "";
      write(`${plural(kept, "exchange")} ${kept === 1 ? "is" : "are"} kept in ${out}${gone}\n`);
      if (unenforced > 0)
        write(
          `${plural(unenforced, "request")} passed --enforce without being judged: too large, or too slow to judge\n`,
        );
      if (left > 0) write(`${spellBytes(left)} of it are not judged: touchstone check ${out}\n`);
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
