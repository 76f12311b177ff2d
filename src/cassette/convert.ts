/** Turns recordings, one after another, into the text of one file: HAR, or a cassette. */
import type { Exchange } from "../wire/exchange.ts";
import type { Bind, CassetteHeader, Recorded } from "./format.ts";
import { toHar } from "./har-export.ts";
import { openSource, type Source } from "./read.ts";
import { listSources } from "./sources.ts";
import { exchangeLine, formatCassette, headerLine } from "./write.ts";

export interface ConvertOptions {
  readonly to: "har" | "json" | "jsonl";
  /** Takes credentials out of an exchange. */
  readonly redact: (exchange: Exchange) => Exchange;
  /** Told in one sentence what is lost on the way. */
  readonly note: (sentence: string) => void;
  /** Version of touchstone, which HAR names as its creator. */
  readonly version: string;
}

/** Bound values name exchanges by position, which moves when recordings are joined. */
const moved = (bind: readonly Bind[], by: number): Bind[] =>
  bind.map(({ from, to }) => ({ from: { ...from, exchange: from.exchange + by }, to }));

type Converted = AsyncGenerator<Recorded, void>;

/** All exchanges, redacted. */
async function* recordedIn(first: Source, paths: readonly string[], { redact, note }: ConvertOptions): Converted {
  let count = 0;
  for (const [i, path] of paths.entries()) {
    const source = i === 0 ? first : await openSource(path);
    const before = count;
    for await (const { exchange, bind } of source) {
      count++;
      yield { exchange: redact(exchange), ...(bind && { bind: moved(bind, before) }) };
    }
    for (const sentence of source.notes) note(sentence);
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
async function* asHar(exchanges: Converted, { version, note }: ConvertOptions): AsyncGenerator<string> {
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
  if (bound > 0) note(`HAR has no place for values bound to earlier responses: ${bound} exchanges lost theirs.`);
}

/**
 * The text of the file, piece by piece. Opens the first recording before it resolves; throws UserError, then and later.
 * @param files recordings, folders of them, or `-`
 */
export async function convert(files: readonly string[], options: ConvertOptions): Promise<AsyncIterable<string>> {
  const paths = await listSources(files);
  const first = await openSource(paths[0]!);
  // A cassette's own header need not hold for others joined to it.
  const header = paths.length === 1 ? first.header : {};
  const exchanges = recordedIn(first, paths, options);
  if (options.to === "har") return asHar(exchanges, options);
  return options.to === "json" ? asDocument(header, exchanges) : asLines(header, exchanges);
}
