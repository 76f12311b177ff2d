/** Prints what `check` finds while it judges, in one of its formats, and what it all comes to. */
import type { Differences } from "../../verdict/divergence.ts";
import type { CheckDocument } from "../../verdict/document.ts";
import type { ListedExchange } from "../../verdict/judged-exchange.ts";
import { createSilence, exchangeText, operationsText } from "../exchanges.ts";
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

/** Text is written in pieces of this length: a write an exchange costs more than making its line. */
const maxPending = 32_768;

/** @param quiet lists only exchanges with errors or warnings */
export function checkPrinter(
  format: "text" | "json" | "ndjson",
  quiet: boolean,
  differences: Differences,
): CheckPrinter {
  const printer = createPrinter();
  const json = growingJson("findings");
  const { color } = printer;
  let pending = "";
  const silence = createSilence();
  let flushing: NodeJS.Immediate | undefined;
  async function flush(): Promise<void> {
    clearImmediate(flushing);
    flushing = undefined;
    const text = pending;
    pending = "";
    if (text !== "") await printer.write(text);
  }
  /** Writes what comes in one turn of the event loop together; nothing waits longer. */
  async function write(text: string): Promise<void> {
    pending += text;
    if (pending.length >= maxPending) await flush();
    else flushing ??= setImmediate(() => void flush());
  }
  function warn(text: string): void {
    void flush();
    printer.warn(text);
  }
  return {
    async source(source) {
      if (format === "text") await write(`${source}\n`);
    },
    async exchange(exchange) {
      const { findings, groups, unjudged } = exchange;
      silence.add(exchange);
      if (format === "json") for (const finding of findings) await write(json.item(finding));
      else if (format === "ndjson") for (const finding of findings) await write(`${JSON.stringify({ finding })}\n`);
      else if (!quiet || unjudged !== undefined || groups.some(({ level }) => level !== "note"))
        await write(exchangeText(exchange, differences, color));
    },
    warning: (what) => warn(`touchstone: ${what}\n`),
    note: (what) => warn(`${what}\n`),
    progress: (exchanges, source) => printer.progress(`judged ${exchanges} exchanges, at ${source}`),
    async end(document) {
      await flush();
      printer.progress("");
      const { findings: _printed, ...rest } = document;
      if (format === "json") for (const piece of gathered(json.end(rest))) await printer.write(piece);
      else if (format === "ndjson")
        await printer.write(`${JSON.stringify({ summary: document.summary, complete: document.complete })}\n`);
      else await printer.write(operationsText(document.operations, document, color, silence.get()));
      if (!document.complete)
        printer.warn("touchstone: ended before everything was judged; check it again without --follow\n");
    },
  };
}
