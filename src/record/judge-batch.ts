/** Judges the next exchanges of a recording, in the judge's own process: reads, redacts, judges once, hands back little. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { Readable } from "node:stream";
import { decodeHeader } from "../cassette/decode.ts";
import { type Bytes, createLineReader, type Head } from "../cassette/range.ts";
import { exchangeOfLine, openSource, openStream, type Source, type SourceEntry } from "../cassette/read.ts";
import { tooMuchToJudge } from "../check/budget.ts";
import type { Catalogue } from "../check/catalogue.ts";
import { judge } from "../check/judge.ts";
import { type Bindings, namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { keepsCredentials } from "../interfaces/credentials.ts";
import { redact } from "../redact/redact.ts";
import { reasonOf, UserError } from "../user-error.ts";
import { createTally } from "../verdict/tally.ts";
import { createChoice } from "../verdict/told.ts";
import type { Exchange, HeaderPairs } from "../wire/exchange.ts";
import { placeOf } from "./faults.ts";
import type { Answer, Ask, JudgeSettings, Progress, Row } from "./judge-messages.ts";

/** An answer is given when so much was judged: exchanges of a document, bytes of their bodies, findings. */
const enough = { exchanges: 500, bytes: 1 << 20, findings: 1000 };

/** Milliseconds between looks at a file that does not grow, at first and at most. */
const looks = { first: 20, most: 200 };

type Tell = (progress: Progress) => void;

/** Judges what it is asked, and tells what it is at before it begins with it. */
export type JudgeBatch = (ask: Ask, tell: Tell) => Promise<Answer>;

/** What a request of no documented operation is called where nothing it says is shown. */
const unnamed = "(unread request)";

interface Opened {
  readonly bytes: Bytes;
  size(): number;
  close(): void;
}

function openBytes(source: string, given: Uint8Array | undefined): Opened {
  if (given) {
    const memory = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    return { bytes: { read: (into, at) => memory.copy(into, 0, at) }, size: () => memory.length, close() {} };
  }
  let file: number;
  try {
    file = openSync(source, "r");
  } catch (error) {
    throw new UserError(`${source}: cannot be read: ${reasonOf(error)}`, "Check the path and the file.");
  }
  const read = (into: Buffer, at: number): number => {
    let filled = 0;
    for (let came = -1; came !== 0 && filled < into.length; filled += came)
      came = readSync(file, into, filled, Math.min(into.length - filled, 1 << 30), at + filled);
    return filled;
  };
  return { bytes: { read }, size: () => fstatSync(file).size, close: () => closeSync(file) };
}

interface OpenLines {
  readonly source: string;
  readonly given: Uint8Array | undefined;
  readonly opened: Opened;
  readonly bindings: Bindings;
  readonly read: ReturnType<typeof createLineReader>;
}

interface OpenWhole {
  readonly source: string;
  readonly given: Uint8Array | undefined;
  /** Exchanges that were taken. */
  at: number;
  readonly opened: Source;
  readonly entries: AsyncIterator<SourceEntry>;
}

/** What a `.jsonl` says of its names. */
function bindingsOf(source: string, { read }: Bytes, head: Head): Bindings {
  const bytes = Buffer.alloc(head.bytes);
  read(bytes, 0);
  const value: unknown = JSON.parse(bytes.toString("utf8"));
  return (decodeHeader(value, `${source}:${head.lines}`).bindings ?? {}) as Bindings;
}

/**
 * @param judgeOne judges an exchange; tests put one in its place that fails
 * @param released resolves when nobody waits for a file to grow any more
 */
export function createBatchJudge(
  settings: JudgeSettings,
  catalogue: Catalogue,
  released: Promise<void>,
  judgeOne: typeof judge = judge,
): JudgeBatch {
  let isReleased = false;
  void released.then(() => (isReleased = true));

  /** Judges exchanges of one answer. */
  function sitting({ source, what }: Ask, layers: Bindings, tell: Tell) {
    // What the caller says outweighs what the recording says of itself.
    const names = namesFrom(layers, ...settings.bindings);
    const keepHeaders = names.boundHeaders.map((neutral) => names.header(neutral));
    const { policy, side, alike } = settings;
    const options = { names, policy, ...(side && { side }), ...(alike !== undefined && { alike }) };
    // What one answer does not tell, the whole does not either.
    const { takes } = createChoice();
    const wanted = new Set(Object.keys(layers).length > 0 ? [] : settings.vendorHeaders);
    const vendorsIn = (headers: HeaderPairs): string | undefined => {
      for (const [name] of headers) {
        const known = name.toLowerCase();
        if (wanted.has(known)) return known;
      }
      return undefined;
    };
    /** A vendor's header in an exchange; looks until it has found one. */
    const vendorHeaderOf = ({ request, response }: Exchange): string | undefined => {
      if (wanted.size === 0) return undefined;
      const found = vendorsIn(request.headers) ?? vendorsIn(response?.headers ?? []);
      if (found !== undefined) wanted.clear();
      return found;
    };
    let keyless = false;
    const tally = createTally(catalogue.clauses, settings.failsAt, false);
    const rows: Row[] = [];
    let findings = 0;
    let bytes = 0;
    return {
      rows,
      share: () => tally.share(),
      isFull: () =>
        findings >= enough.findings ||
        bytes >= enough.bytes ||
        rows.length >= enough.exchanges ||
        (what !== "batch" && rows.length > 0),
      /** Counts an exchange that is not looked at. */
      skip(
        row: Row = { operation: unnamed, known: false, asked: unnamed, status: null, findings: [], groups: [] },
      ): void {
        const operation = row.known ? row.operation : null;
        tally.addUnjudged({ source, exchange: rows.length, operation, why: tooMuchToJudge });
        rows.push({ ...row, unjudged: tooMuchToJudge });
      },
      take(raw: Exchange): void {
        const operation = routeOf(catalogue.interfaces, raw.request.method, raw.request.target)?.operation.name;
        const { response, aborted } = raw;
        const size = raw.request.body.length + (response?.body.length ?? 0);
        if (size > enough.bytes) tell({ bytes: size });
        const known = operation !== undefined;
        // Nothing is said of what was asked until it has been redacted.
        let row: Row = {
          operation: operation ?? unnamed,
          known,
          asked: operation ?? unnamed,
          status: response?.status ?? null,
          ...(response?.time !== undefined && { time: response.time }),
          ...(aborted && { aborted }),
          findings: [],
          groups: [],
        };
        if (what === "one") tell({ row });
        try {
          const exchange = settings.redacts ? redact(raw, { keepHeaders }) : raw;
          const { method, target } = exchange.request;
          const asked = `${method} ${target.split("?", 1)[0]}`;
          row = { ...row, asked, operation: operation ?? asked };
          const at = { source, exchange: rows.length };
          const judgement = judgeOne(exchange, at, catalogue, options);
          tally.addJudgement(judgement, at);
          const told = alike === undefined ? judgement.findings.filter(takes) : judgement.findings;
          findings += told.length;
          const vendorHeader = known ? vendorHeaderOf(raw) : undefined;
          const isFirst = !keyless && judgement.undecided.some(({ needs }) => needs === keepsCredentials);
          keyless ||= isFirst;
          row = {
            ...row,
            ...(isFirst && { keyless: true as const }),
            ...(vendorHeader !== undefined && { vendorHeader }),
            findings: told,
            groups: judgement.groups,
            ...(judgement.tooMuch && { unjudged: tooMuchToJudge }),
          };
        } catch (error) {
          row = { ...row, broken: placeOf(error as Error) };
        }
        rows.push(row);
        bytes += size;
      },
    };
  }

  /** The recordings that were read last, which are likely to be the next. */
  let lines: OpenLines | undefined;
  let whole: OpenWhole | undefined;

  function linesOf(source: string, asked: Uint8Array | null | undefined, head: Head): OpenLines {
    const given = asked === null ? lines?.given : asked;
    if (lines?.source === source && given === lines.given) return lines;
    lines?.opened.close();
    lines = undefined;
    const opened = openBytes(source, given);
    const bindings = bindingsOf(source, opened.bytes, head);
    lines = { source, given, opened, bindings, read: createLineReader(opened.bytes) };
    return lines;
  }

  async function judgeLines(ask: Ask, head: Head, tell: Tell): Promise<Answer> {
    const { source, to, growing } = ask;
    const { opened, bindings, read } = linesOf(source, ask.bytes, head);
    const notes: string[] = [];
    const session = sitting(ask, bindings, tell);
    let { at, begins } = ask;
    let passed = 0;
    let done = false;
    for (let pause = looks.first; ; pause = Math.min(looks.most, 1.5 * pause)) {
      const waits = growing && !isReleased;
      if (growing && opened.size() < at)
        throw new UserError(`${source}: it became shorter while it was followed`, "Check it again from its start.");
      const stretch = read({ from: at, to, begins, growing: waits });
      const { lines: all, next, torn } = stretch;
      if (all.length > 0) tell({ bytes: next - stretch.first });
      let position = stretch.first;
      let full = false;
      if (stretch.tooLong) {
        session.skip(ask.row);
        passed++;
      }
      for (const [i, bytes] of all.entries()) {
        if (full) break;
        position += bytes.length + 1;
        passed++;
        if (ask.what === "skip") {
          full = bytes.some((byte) => byte > 0x20);
          if (full) session.skip(ask.row);
        } else {
          const line = { bytes, number: ask.line + passed, ended: !torn || i < all.length - 1 };
          const recorded = exchangeOfLine(source, line, notes);
          if (recorded) session.take(recorded.exchange);
          full = session.isFull();
        }
      }
      const ended = next === at;
      at = full ? Math.min(position, next) : next;
      begins = full || stretch.begins;
      done = !waits && (ended || at >= to);
      // A blank line is no answer to who asked for an exchange.
      const wanting = ask.what !== "batch" && session.rows.length === 0;
      if (done || (!wanting && (!ended || !waits))) break;
      if (waits && ended) await Promise.race([released, new Promise((resolve) => setTimeout(resolve, pause))]);
    }
    return { rows: session.rows, share: session.share(), notes, at, begins, lines: passed, done };
  }

  async function judgeWhole(ask: Ask, tell: Tell): Promise<Answer> {
    const { source, at } = ask;
    const given = ask.bytes === null ? whole?.given : ask.bytes;
    if (whole?.source !== source || whole.at !== at || given !== whole.given) {
      whole = undefined;
      const opened = await (given ? openStream(source, Readable.from([given])) : openSource(source));
      const entries = opened[Symbol.asyncIterator]();
      for (let i = 0; i < at; i++) await entries.next();
      whole = { source, given, at, opened, entries };
    }
    const { opened, entries } = whole;
    const session = sitting(ask, (opened.header.bindings ?? {}) as Bindings, tell);
    let done = false;
    while (!done && !session.isFull()) {
      const next = await entries.next();
      done = next.done === true;
      if (next.done) break;
      whole.at++;
      if (ask.what === "skip") session.skip(ask.row);
      else session.take(next.value.exchange);
    }
    return {
      rows: session.rows,
      share: session.share(),
      notes: done ? opened.notes : [],
      at: whole.at,
      begins: true,
      lines: 0,
      done,
    };
  }

  return (ask, tell) => (ask.head ? judgeLines(ask, ask.head, tell) : judgeWhole(ask, tell));
}
