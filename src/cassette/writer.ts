/** Appends exchanges to a cassette as they end, so that a killed session loses nothing complete. */
import { type FileHandle, rm, stat } from "node:fs/promises";
import { setTimeout as after } from "node:timers/promises";
import { reasonOf, UserError } from "../user-error.ts";
import type { Exchange } from "../wire/exchange.ts";
import { noticeChanges } from "./changes.ts";
import type { CassetteHeader, Extras, Gap } from "./format.ts";
import { lockFile } from "./lock.ts";
import { identityOf, lockMs, openAlone, openShared, openToAdd, type Position, repairEnd } from "./open-for-writing.ts";
import { exchangeLine, headerLine, isLarge, linePieces } from "./write.ts";

/** A line in a cassette. Its file may have another name by now. */
export interface Place {
  readonly file: FileHandle;
  readonly from: number;
  readonly to: number;
}

export interface CassetteWriter {
  /**
   * Resolves with its place when the line is written. While the disk refuses lines, writing is tried again every second. Rejects if the
   * line is dropped: too many others wait already, or the writer is closed before there is room.
   */
  readonly append: (exchange: Exchange, extras?: Extras) => Promise<Place>;
  /** The bytes of a line that was written, until the writer is closed. */
  readonly read: (place: Place) => Promise<Buffer>;
  /** How far it is written. */
  readonly position: () => Position;
  /** The exchanges that were dropped and are not marked in the cassette yet. */
  readonly gap: () => Gap | undefined;
  /** Whether the disk refuses lines. The writer then bounds by itself what waits. */
  readonly isFailing: () => boolean;
  /** Waits for all lines, looks at the file a last time, then closes it; may be called again. */
  readonly close: () => Promise<void>;
}

export interface WriterOptions {
  readonly header?: CassetteHeader;
  /** Where another process stopped writing the cassette; it is continued there instead of created. */
  readonly from?: Position | undefined;
  /** The exchanges that this process had dropped; the first line marks them. */
  readonly gap?: Gap | undefined;
  /** Whether others may write to the cassette in turns, and it may exist already. */
  readonly shared?: boolean | undefined;
  /** Forces each batch of lines onto the disk before it counts as written, instead of once a second. */
  readonly sync?: boolean | undefined;
  /** Takes sentences about what others do to the file, and about a disk that refuses lines. */
  readonly trouble?: (sentence: string) => void;
}

/** A line on its way to the disk. */
interface Line {
  /** May be read several times. */
  readonly pieces: () => Iterable<string | Buffer>;
  /** Bytes of its bodies. */
  readonly size: number;
  /** The exchanges that were dropped after it. */
  gap?: Gap;
  readonly written: (place: Place) => void;
  readonly refused: (error: Error) => void;
}

/** Bytes that are written in one call. */
const blockSize = 1 << 20;

/** Bytes that any text of so many UTF-16 units takes at most. */
const maxBytes = (text: string): number => 3 * text.length;

/** Milliseconds between calls, in which lines gather: small ones cost less than the call that writes them. */
const gathering = 10;

/** Milliseconds between attempts to write to a disk that refuses lines. */
const retryMs = 1_000;

/** Bytes of exchanges that may wait for such a disk. Further ones are dropped and counted in the cassette. */
const maxWaiting = 16 << 20;

/** Milliseconds after which written lines are forced onto the disk. */
const syncMs = 1_000;

const sizeOf = ({ request, response }: Exchange): number => request.body.length + (response?.body.length ?? 0);

/** A gap with one more exchange, which ended now. */
const addTo = (gap: Gap | undefined, now: string): Gap =>
  gap?.exchanges ? { from: gap.from, to: now, exchanges: gap.exchanges + 1 } : { from: now, to: now, exchanges: 1 };

/** A line's pieces with the gap behind it as another member. */
function* withGap(pieces: Iterable<string | Buffer>, gap: Gap): Generator<string | Buffer> {
  let last: string | Buffer = "";
  for (const piece of pieces) {
    yield last;
    last = piece;
  }
  yield typeof last === "string" ? last.slice(0, -1) : last.subarray(0, -1);
  yield `,"gap":${JSON.stringify(gap)}}`;
}

/**
 * Creates a `.jsonl` cassette; throws UserError where the file exists, unless it is shared, or cannot be created. Lines are written whole, and
 * waiting ones in as few calls as possible, so that at most the last one can be torn. Lines are always written where the file
 * ends, whatever others have done to it.
 */
export async function createCassetteWriter(path: string, options: WriterOptions = {}): Promise<CassetteWriter> {
  const { header = {}, from, shared = false, sync = false, trouble = () => {} } = options;
  const { release: releaseAtEnd, ...opened } = shared
    ? { ...(await openShared(path)), release: async () => {} }
    : await openAlone(path, from);
  const { position } = opened;
  let { file } = opened;
  /** Files that had the cassette's name before. Lines in them can still be read. */
  const earlier: FileHandle[] = [];
  const identity = position?.file ?? (await identityOf(file));
  const look = noticeChanges(file, path, (change) => trouble(`${path}: ${change}`));
  let queue: Promise<void> = Promise.resolve();
  let closed: Promise<void> | undefined;
  /** Ends waits for the disk. */
  const closing = new AbortController();
  /** Lines that wait for the disk; one call writes them all. */
  let waiting: Line[] = [];
  let waitingBytes = 0;
  /** When the disk refused a line, and exchanges dropped since. While it rests, lines may be dropped. */
  let failing: { readonly since: number; dropped: number } | undefined;
  let resting = false;
  /** Lines that the disk has refused. */
  let refusedLines: readonly Line[] = [];
  /** Dropped exchanges that no written line marks, and those of them that an earlier process dropped. */
  let unmarked = options.gap;
  let inherited = options.gap;
  /**
   * The bytes of small lines that wait, and memory for those that come while these are written. As texts, they would be copied
   * by each run of the collector meanwhile.
   */
  let gathered = Buffer.allocUnsafeSlow(blockSize);
  let spare = Buffer.allocUnsafeSlow(blockSize);
  let gatheredTo = 0;

  /** The bytes put together for the next call. */
  const block = Buffer.allocUnsafeSlow(blockSize);
  let filled = 0;
  /** Bytes that the file has, unless others change it. */
  let at = position?.bytes ?? 0;
  /** Exchanges that it has, and where the last of them ends. */
  let written = { exchanges: position?.exchanges ?? 0, bytes: at };
  /** Whether the file may end within a line. */
  let torn = false;
  /** When lines were written last, in milliseconds. */
  let wrote = Number.NEGATIVE_INFINITY;
  /** Forces written lines onto the disk, and whether that failed. */
  let unsynced: NodeJS.Timeout | undefined;
  let cannotForce = false;

  async function put(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, from, bytes.length - from, null);
      from += bytesWritten;
      at += bytesWritten;
    }
  }

  async function putBlock(): Promise<void> {
    const whole = block.subarray(0, filled);
    filled = 0;
    await put(whole);
  }

  async function add(piece: string | Buffer): Promise<void> {
    const size = typeof piece === "string" ? maxBytes(piece) : piece.length;
    if (size > blockSize - filled) await putBlock();
    if (typeof piece !== "string") filled += piece.copy(block, filled);
    else if (size > blockSize) await put(Buffer.from(piece, "utf8"));
    else filled += block.write(piece, filled, "utf8");
  }

  /** A line as bytes, where there is room for them. */
  function gather(text: string): string | Buffer {
    if (maxBytes(text) > blockSize - gatheredTo) return text;
    const from = gatheredTo;
    gatheredTo += gathered.write(text, from, "utf8");
    return gathered.subarray(from, gatheredTo);
  }

  /** Opens the file that has the cassette's name by now, and goes on at its end. */
  async function join(): Promise<void> {
    const [named, own] = await Promise.all([stat(path).catch(() => undefined), file.stat()]);
    if (named?.ino !== own.ino || named.dev !== own.dev) {
      earlier.push(file);
      file = await openToAdd(path);
    } else if (own.size === at && !torn) return;
    await repairEnd(file);
    at = (await file.stat()).size;
    torn = false;
  }

  /** Looks what others have done; a line begins where one has ended, and the first one is the header. */
  async function begin(): Promise<void> {
    if (shared) await join();
    const before = at;
    if (!shared) at = await look(before).catch(() => before);
    if (at === 0) await add(`${headerLine(header)}\n`);
    else if (at !== before || torn) {
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at - 1);
      if (buffer[0] !== 10) await add("\n");
    }
    torn = false;
  }

  /** Takes back what was written behind `size`: a half line would swallow the next one. Bytes that others have put there are not ours to take. */
  async function takeBack(size: number): Promise<void> {
    torn = true;
    const found = (await file.stat().catch(() => undefined))?.size ?? at;
    const taken =
      found === at &&
      (await file.truncate(size).then(
        () => true,
        () => false,
      ));
    at = taken ? size : found;
  }

  const unwritable = (failure: unknown): UserError =>
    new UserError(`${path}: cannot be written: ${reasonOf(failure)}`, "Make room on the disk.");

  /** Forces what is written onto the disk. A system that cannot, such as a pipe, is left alone. */
  async function force(): Promise<void> {
    clearTimeout(unsynced);
    unsynced = undefined;
    await file.datasync().catch((error: NodeJS.ErrnoException) => {
      if (cannotForce || error.code === "EINVAL" || error.code === "ENOTSUP") return;
      cannotForce = true;
      trouble(`${path}: written lines may not reach the disk: ${reasonOf(error)}`);
    });
  }

  /** Writes lines in order. Returns how many are in the file, and what stopped the next one. */
  async function attempt(
    lines: readonly Line[],
  ): Promise<{ readonly places: readonly Place[]; readonly failure: unknown }> {
    const ends: number[] = [];
    const starts: number[] = [];
    let release = async (): Promise<void> => {};
    let size = at;
    let failure: unknown;
    try {
      if (shared) release = await lockFile(path, closing.signal.aborted ? lockMs.last : lockMs.each);
      await begin();
      size = at;
      for (const { pieces, gap } of lines) {
        starts.push(at + filled);
        for (const piece of gap ? withGap(pieces(), gap) : pieces()) await add(piece);
        await add("\n");
        ends.push(at + filled);
      }
      await putBlock();
    } catch (error) {
      failure = error;
      filled = 0;
    }
    const fits = ends.findLastIndex((end) => end <= at) + 1;
    size = ends[fits - 1] ?? size;
    written = { exchanges: written.exchanges + fits, bytes: size };
    if (failure) await takeBack(size);
    const places = ends.slice(0, fits).map((to, i) => ({ file, from: starts[i]!, to }));
    await release();
    if (fits > 0 && sync) await force();
    else if (fits > 0) unsynced ??= setTimeout(force, syncMs).unref();
    return { places, failure };
  }

  function fail(failure: unknown): void {
    if (failing) return;
    failing = { since: performance.now(), dropped: unmarked?.exchanges ?? 0 };
    const again = "tried again every second";
    trouble(`${unwritable(failure).message} (${again}); traffic goes on without being recorded`);
  }

  function recover(): void {
    if (!failing) return;
    const seconds = Math.round((performance.now() - failing.since) / 1_000);
    const { dropped } = failing;
    const lost =
      dropped === 0
        ? "nothing was lost"
        : `${dropped} exchange${dropped === 1 ? "" : "s"} could not be kept and ${dropped === 1 ? "is" : "are"} missing`;
    trouble(`${path}: written again after ${seconds} s; ${lost}`);
    failing = undefined;
  }

  /** Writes lines, and tries until all of them are written or the writer is closed. */
  async function write(lines: readonly Line[]): Promise<void> {
    for (let rest = lines; rest.length > 0; ) {
      const { places, failure } = await attempt(rest);
      for (const [i, place] of places.entries()) {
        const { size, gap, written } = rest[i]!;
        waitingBytes -= size;
        if (gap && unmarked) unmarked = { ...unmarked, exchanges: unmarked.exchanges - gap.exchanges };
        written(place);
      }
      rest = rest.slice(places.length);
      if (failure === undefined) break;
      fail(failure);
      if (closing.signal.aborted) return rest.forEach(({ refused }) => void refused(unwritable(failure)));
      resting = true;
      refusedLines = rest;
      await after(retryMs, undefined, { signal: closing.signal }).catch(() => {});
      resting = false;
    }
    recover();
  }

  /** Drops an exchange that ended while too many others wait for the disk, and counts it behind the last of them. */
  function drop(): never {
    failing!.dropped++;
    const last = waiting.at(-1) ?? refusedLines.at(-1)!;
    const now = new Date().toISOString();
    last.gap = addTo(last.gap, now);
    unmarked = addTo(unmarked, now);
    throw new UserError(`${path}: too many exchanges wait for the disk`, "Make room on the disk.");
  }

  const enqueue = (pieces: Line["pieces"], size: number): Promise<Place> =>
    new Promise((written, refused) => {
      waiting.push({ pieces, size, written, refused, ...(inherited && { gap: inherited }) });
      inherited = undefined;
      waitingBytes += size;
      if (waiting.length > 1) return;
      queue = queue.then(async () => {
        const rest = gathering - (performance.now() - wrote);
        if (rest > 0) await after(rest);
        const lines = waiting;
        waiting = [];
        [gathered, spare] = [spare, gathered];
        gatheredTo = 0;
        await write(lines);
        wrote = performance.now();
      });
    });

  async function end(): Promise<void> {
    closing.abort();
    // Lines that end meanwhile are written as well.
    for (let last: Promise<void> | undefined; last !== queue; ) {
      last = queue;
      await last;
    }
    if (!shared) await look(at, true).catch(() => 0);
    await force();
    for (const one of [...earlier, file]) await one.close();
    await releaseAtEnd();
  }
  const close = (): Promise<void> => (closed ??= end());

  // A shared one gets its header with its first line: only then has this process its lock.
  if (!position && !shared)
    await put(Buffer.from(`${headerLine(header)}\n`)).catch(async (error: unknown) => {
      await takeBack(0);
      await close();
      if (at === 0) await rm(path, { force: true }).catch(() => {});
      throw unwritable(error);
    });
  written = { ...written, bytes: at };
  return {
    append: async (exchange, extras) => {
      const size = sizeOf(exchange) + 1_000;
      if (resting && waitingBytes + size > maxWaiting) drop();
      if (isLarge(exchange)) return enqueue(() => linePieces(exchange, extras), size);
      const line = gather(exchangeLine(exchange, extras));
      return enqueue(() => [line], size);
    },
    async read({ file, from, to }) {
      const { buffer } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
      return buffer;
    },
    position: () => ({ file: identity, ...written }),
    gap: () => (unmarked?.exchanges ? unmarked : undefined),
    isFailing: () => failing !== undefined,
    close,
  };
}
