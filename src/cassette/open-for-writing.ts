/** Opens a cassette that another process has begun to write, so that this one goes on with it. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { reasonOf, UserError } from "../user-error.ts";

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
export async function reopen(path: string, from: Position): Promise<{ file: FileHandle; position: Position }> {
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
export async function endOf(path: string): Promise<Position | undefined> {
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
