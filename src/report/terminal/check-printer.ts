/** Prints what `check` finds while it judges, in one of its formats, and what it all comes to. */
import type { Differences } from "../../verdict/divergence.ts";
import type { CheckDocument } from "../../verdict/document.ts";
import type { ListedExchange } from "../../verdict/judged-exchange.ts";
import { exchangeText, operationsText } from "../exchanges.ts";
import { gathered, growingJson } from "../json.ts";
import { createPrinter } from "./printer.ts";

export interface CheckPrinter {
  source(source: string): Promise<void>;
  exchange(exchange: ListedExchange): Promise<void>;
  warning(what: string): void;
  note(what: string): void;
  progress(exchanges: number, source: string): void;
  /** @param document without the findings that were printed */
  end(document: CheckDocument): Promise<void>;
}

/** @param quiet lists only exchanges with errors or warnings */
export function checkPrinter(
  format: "text" | "json" | "ndjson",
  quiet: boolean,
  differences: Differences,
): CheckPrinter {
  const printer = createPrinter();
  const json = growingJson("findings");
  const { color } = printer;
  return {
    async source(source) {
      if (format === "text") await printer.write(`${source}\n`);
    },
    async exchange(exchange) {
      const { findings, groups, unjudged } = exchange;
      if (format === "json") for (const finding of findings) await printer.write(json.item(finding));
      else if (format === "ndjson")
        for (const finding of findings) await printer.write(`${JSON.stringify({ finding })}\n`);
      else if (!quiet || unjudged !== undefined || groups.some(({ level }) => level !== "note"))
        await printer.write(exchangeText(exchange, differences, color));
    },
    warning: (what) => printer.warn(`touchstone: ${what}\n`),
    note: (what) => printer.warn(`${what}\n`),
    progress: (exchanges, source) => printer.progress(`judged ${exchanges} exchanges, at ${source}`),
    async end(document) {
      printer.progress("");
      const { findings: _printed, ...rest } = document;
      if (format === "json") for (const piece of gathered(json.end(rest))) await printer.write(piece);
      else if (format === "ndjson")
        await printer.write(`${JSON.stringify({ summary: document.summary, complete: document.complete })}\n`);
      else await printer.write(operationsText(document.operations, document, color));
      if (!document.complete)
        printer.warn("touchstone: ended before everything was judged; check it again without --follow\n");
    },
  };
}
