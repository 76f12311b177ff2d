/** Opens cassettes for writing: new ones, those that others write to as well, and those that another process has begun. */
import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { reasonOf, UserError } from "../user-error.ts";
import { LockedError, lockFile } from "./lock.ts";

/** How far a `.jsonl` cassette is written. */
export interface Position {
  /** The file, whatever its name is now. */
  readonly file: string;
  /** Exchanges it holds, and its bytes up to the end of the last one. */
  readonly exchanges: number;
  readonly bytes: number;
}

/** Bytes that are read at once. */
const blockSize = 1 << 20;

const lineFeed = 10;

/** A recording says what people asked: nobody but its owner may read it. */
const ownersOnly = 0o600;

/** Milliseconds to wait for another writer: each time, and at the end. */
export const lockMs = { each: 2_000, last: 10_000 };

/** The identity that tells a file from every other. */
export async function identityOf(file: FileHandle): Promise<string> {
  const { dev, ino } = await file.stat({ bigint: true });
  return `${dev}:${ino}`;
}

/** Counts the whole lines behind a position. A file that is shorter by now is counted from its header on. */
async function countOn(file: FileHandle, from: Position): Promise<Position> {
  const { size } = await file.stat();
  const isShorter = size < from.bytes;
  // The first line is the header.
  let exchanges = isShorter ? -1 : from.exchanges;
  let bytes = isShorter ? 0 : from.bytes;
  const block = Buffer.allocUnsafe(blockSize);
  for (let at = bytes; ; ) {
    const { bytesRead } = await file.read(block, 0, blockSize, at);
    if (bytesRead === 0) break;
    const read = block.subarray(0, bytesRead);
    for (let feed = read.indexOf(lineFeed); feed >= 0; feed = read.indexOf(lineFeed, feed + 1)) {
      exchanges++;
      bytes = at + feed + 1;
    }
    at += bytesRead;
  }
  return { file: from.file, exchanges: Math.max(0, exchanges), bytes };
}

/** How far a cassette is by now that was at `from`; undefined where it cannot be read or is another file. */
export async function positionOf(path: string, from: Position): Promise<Position | undefined> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return undefined;
  try {
    return (await identityOf(file)) === from.file ? await countOn(file, from) : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/**
 * Opens the cassette that was at `from`, and cuts off a torn last line; throws UserError where that file is not there any more.
 * Nobody else may write to it.
 */
async function reopen(path: string, from: Position): Promise<{ file: FileHandle; position: Position }> {
  const file = await open(path, constants.O_RDWR | constants.O_APPEND).catch((error: unknown) => {
    throw new UserError(`${path}: cannot be opened again: ${reasonOf(error)}`, "Record to another file.");
  });
  try {
    if ((await identityOf(file)) !== from.file)
      throw new UserError(`${path}: it was renamed or replaced while it was written`, "Record to another file.");
    const position = await countOn(file, from);
    await file.truncate(position.bytes);
    return { file, position };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Whether a text is JSON. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The bytes of a file behind its last line feed, and where they begin. */
async function lastLineOf(file: FileHandle): Promise<{ readonly at: number; readonly text: string }> {
  const { size } = await file.stat();
  const pieces: Buffer[] = [];
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - blockSize);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    const feed = buffer.subarray(0, bytesRead).lastIndexOf(lineFeed);
    pieces.unshift(buffer.subarray(feed + 1, bytesRead));
    if (feed >= 0) return { at: start + feed + 1, text: Buffer.concat(pieces).toString("utf8") };
    end = start;
  }
  return { at: 0, text: Buffer.concat(pieces).toString("utf8") };
}

/** Ends the last line of a cassette where its line feed is missing, and removes it where it is torn. */
export async function repairEnd(file: FileHandle): Promise<void> {
  const { at, text } = await lastLineOf(file);
  if (text !== "" && isJson(text)) await file.write("\n");
  else if (text !== "") await file.truncate(at);
}

/**
 * The position from which a `.jsonl` cassette at this path can be continued; undefined if there is none. Its end is repaired.
 * The caller has its lock. Throws UserError where the file cannot be written.
 */
async function endOf(path: string): Promise<Position | undefined> {
  const file = await open(path, constants.O_RDWR | constants.O_APPEND).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new UserError(`${path}: cannot be written: ${reasonOf(error)}`, "Choose another cassette.");
  });
  if (!file) return undefined;
  try {
    await repairEnd(file);
    return await countOn(file, { file: await identityOf(file), exchanges: -1, bytes: 0 });
  } finally {
    await file.close();
  }
}

interface Opened {
  readonly file: FileHandle;
  readonly position: Position | undefined;
}

/** Opens a cassette that others may write to as well. */
export async function openShared(path: string): Promise<Opened> {
  const failed = (error: unknown): never => {
    if (error instanceof UserError) throw error;
    throw new UserError(`${path}: cannot be written: ${reasonOf(error)}`, "Choose another cassette.");
  };
  const release = await lockFile(path, lockMs.last).catch(failed);
  try {
    const position = await endOf(path);
    const file = await openToAdd(path).catch(failed);
    return { file, position: position?.bytes === 0 ? undefined : position };
  } finally {
    await release();
  }
}

/** Opens or creates a file to which several processes append. */
export const openToAdd = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, ownersOnly);

/** Opens or creates a cassette for this process alone. */
export async function openAlone(
  path: string,
  from: Position | undefined,
): Promise<Opened & { readonly release: () => Promise<void> }> {
  // A new file is this process's own; the lock keeps others from adding to it.
  const created = from ? undefined : await create(path);
  const release = await lockFile(path, lockMs.last).catch(async (error: unknown) => {
    // A full disk does not keep a cassette from being continued.
    if (from && !(error instanceof LockedError)) return async () => {};
    if (created) await discard(path, created.file);
    throw new UserError(`${path}: cannot be written: ${reasonOf(error)}`, "Choose another place for the recording.");
  });
  try {
    return { ...(created ?? (await reopen(path, from!))), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Removes a file that was created and holds nothing: it would be in the way of the next attempt. */
async function discard(path: string, file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  await file.close();
  if (size === 0) await rm(path, { force: true }).catch(() => {});
}

async function create(path: string): Promise<Opened> {
  const file = await open(path, "ax+", ownersOnly).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST")
      throw new UserError(`${path}: the file exists already`, "Choose another name, or remove it first.");
    throw new UserError(`${path}: cannot be created: ${reasonOf(error)}`, "Choose another place for the recording.");
  });
  return { file, position: undefined };
}
