/** Appends exchanges to a cassette as they end, so that a killed session loses nothing complete. */
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as after } from "node:timers/promises";
import { reasonOf, UserError } from "../user-error.ts";
import type { Exchange } from "../wire/exchange.ts";
import { noticeChanges } from "./changes.ts";
import type { CassetteHeader, Extras } from "./format.ts";
import { identityOf, type Position, reopen } from "./reopen.ts";
import { exchangeLine, headerLine, isLarge, linePieces } from "./write.ts";

export interface CassetteWriter {
  /** Resolves when the line is written; rejects when it does not fit on the disk, after taking back what was written of it. */
  readonly append: (exchange: Exchange, extras?: Extras) => Promise<void>;
  /** How far it is written. */
  readonly position: () => Position;
  /** Waits for all lines, looks at the file a last time, then closes it; may be called again. */
  readonly close: () => Promise<void>;
}

/** A line on its way to the disk. */
interface Line {
  readonly pieces: Iterable<string | Buffer>;
  readonly written: () => void;
  readonly refused: (error: Error) => void;
}

/** A recording says what people asked: nobody but its owner may read it. */
const ownersOnly = 0o600;

/** Bytes that are written in one call. */
const blockSize = 1 << 20;

/** Bytes that any text of so many UTF-16 units takes at most. */
const maxBytes = (text: string): number => 3 * text.length;

/** Milliseconds between calls, in which lines gather: small ones cost less than the call that writes them. */
const gathering = 10;

async function create(path: string): Promise<{ file: FileHandle; position: undefined }> {
  const file = await open(path, "ax+", ownersOnly).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST")
      throw new UserError(`${path}: the file exists already`, "Choose another name, or remove it first.");
    throw new UserError(`${path}: cannot be created: ${reasonOf(error)}`, "Choose another place for the recording.");
  });
  return { file, position: undefined };
}

/**
 * Creates a `.jsonl` cassette; throws UserError where the file exists or cannot be created. Lines are written whole, and
 * waiting ones in as few calls as possible, so that at most the last one can be torn. If the disk is full, those that fit are
 * kept. Lines are always written where the file ends, whatever others have done to it.
 * @param onChange is called with a line when others cut the file short, write to it, rename, replace or remove it
 * @param from where another process stopped writing it, which goes on here; the cassette is not created then
 */
export async function createCassetteWriter(
  path: string,
  header: CassetteHeader = {},
  onChange: (change: string) => void = () => {},
  from?: Position,
): Promise<CassetteWriter> {
  const { file, position } = await (from ? reopen(path, from) : create(path));
  const identity = position?.file ?? (await identityOf(file));
  const look = noticeChanges(file, path, (change) => onChange(`${path}: ${change}`));
  let queue: Promise<void> = Promise.resolve();
  let closed: Promise<void> | undefined;
  /** Lines that wait for the disk; one call writes them all. */
  let waiting: Line[] = [];
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

  /** Looks what others have done; a line begins where one has ended, and the first one is the header. */
  async function begin(): Promise<void> {
    const before = at;
    at = await look(before).catch(() => before);
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

  async function write(lines: readonly Line[]): Promise<void> {
    const ends: number[] = [];
    let size = at;
    let failure: unknown;
    try {
      await begin();
      size = at;
      for (const { pieces } of lines) {
        for (const piece of pieces) await add(piece);
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
    for (const [i, { written, refused }] of lines.entries()) {
      if (i < fits) written();
      else refused(unwritable(failure));
    }
  }

  const enqueue = (pieces: Line["pieces"]): Promise<void> =>
    new Promise((written, refused) => {
      waiting.push({ pieces, written, refused });
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

  const close = (): Promise<void> =>
    (closed ??= queue
      .then(() => look(at, true))
      .catch(() => 0)
      .then(() => file.close()));

  if (!position)
    await put(Buffer.from(`${headerLine(header)}\n`)).catch(async (error: unknown) => {
      await takeBack(0);
      await close();
      throw unwritable(error);
    });
  written = { ...written, bytes: at };
  return {
    append: async (exchange, extras) =>
      enqueue(isLarge(exchange) ? linePieces(exchange, extras) : [gather(exchangeLine(exchange, extras))]),
    position: () => ({ file: identity, ...written }),
    close,
  };
}
