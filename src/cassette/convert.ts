/** Runs `convert`: reads recordings in turn and writes them as one file, without credentials. */
import { readFileSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ConvertArgs } from "../cli/convert.ts";
import { home } from "../home.ts";
import { patternsFrom } from "../record/options.ts";
import { type RedactOptions, redact } from "../redact/redact.ts";
import { createPrinter } from "../report/terminal/printer.ts";
import { reasonOf, UserError } from "../user-error.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Bind, CassetteHeader, Recorded } from "./format.ts";
import { toHar } from "./har-export.ts";
import { openSource, type Source } from "./read.ts";
import { listSources } from "./sources.ts";
import { exchangeLine, formatCassette, headerLine } from "./write.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Where the text goes, and how to end it well or throw it away. */
interface Sink {
  write(text: string): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

async function openSink(path: string): Promise<Sink> {
  if (path === "-") {
    const { write } = createPrinter();
    return { write, close: async () => undefined, discard: async () => undefined };
  }
  const file = await open(path, "wx").catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EEXIST" ? "the file exists already" : `cannot be created: ${reasonOf(error)}`;
    throw new UserError(`${path}: ${why}`, "Choose another --out, or remove the file first.");
  });
  return {
    async write(text) {
      await file.writeFile(text).catch((error: unknown) => {
        throw new UserError(`${path}: cannot be written: ${reasonOf(error)}`, "Make room on the disk.");
      });
    },
    close: () => file.close(),
    async discard() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}

/** Bound values name exchanges by position, which moves when recordings are joined. */
const moved = (bind: readonly Bind[], by: number): Bind[] =>
  bind.map(({ from, to }) => ({ from: { ...from, exchange: from.exchange + by }, to }));

type Converted = AsyncGenerator<Recorded, void>;

/** All exchanges, redacted; notes of the sources go to standard error. */
async function* recordedIn(first: Source, paths: readonly string[], options: RedactOptions): Converted {
  let count = 0;
  for (const [i, path] of paths.entries()) {
    const source = i === 0 ? first : await openSource(path);
    const before = count;
    for await (const { exchange, bind } of source) {
      count++;
      yield { exchange: redact(exchange, options), ...(bind && { bind: moved(bind, before) }) };
    }
    for (const note of source.notes) say(note);
  }
}

async function* asLines(header: CassetteHeader, exchanges: Converted): AsyncGenerator<string> {
  yield `${headerLine(header)}\n`;
  for await (const { exchange, bind } of exchanges) yield `${exchangeLine(exchange, bind && { bind })}\n`;
}

async function* asDocument(header: CassetteHeader, exchanges: Converted): AsyncGenerator<string> {
  const all: Recorded[] = [];
  for await (const recorded of exchanges) all.push(recorded);
  yield formatCassette({ header, exchanges: all });
}

/** Entry by entry, so that a document may grow beyond what fits into one text. */
async function* asHar(exchanges: Converted): AsyncGenerator<string> {
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
  const har = (...all: Exchange[]) => JSON.stringify(toHar(all, version));
  const [head, tail] = har().split("[]") as [string, string];
  yield `${head}[`;
  let bound = 0;
  let first = true;
  for await (const { exchange, bind } of exchanges) {
    if (bind) bound++;
    yield `${first ? "\n" : ",\n"}${har(exchange).slice(head.length + 1, -tail.length - 1)}`;
    first = false;
  }
  yield `\n]${tail}\n`;
  if (bound > 0) say(`HAR has no place for values bound to earlier responses: ${bound} exchanges lost theirs.`);
}

/** Converts; throws UserError, and leaves no file behind then. */
export async function convert({ files, to, out, keepHeader = [], redact: sources = [] }: ConvertArgs): Promise<void> {
  const patterns = patternsFrom(sources).map((source) => new RegExp(source, "i"));
  const paths = await listSources(files);
  const first = await openSource(paths[0]!);
  // What one cassette says of itself need not hold for others joined to it.
  const header = paths.length === 1 ? first.header : {};
  const exchanges = recordedIn(first, paths, { keepHeaders: keepHeader, patterns });
  const texts =
    to === "har" ? asHar(exchanges) : to === "json" ? asDocument(header, exchanges) : asLines(header, exchanges);
  const sink = await openSink(out);
  try {
    for await (const text of texts) await sink.write(text);
    await sink.close();
  } catch (error) {
    await sink.discard();
    throw error;
  }
}
