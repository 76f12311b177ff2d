/** Reads files that others made: plain ones alone and no more than a bound, so that no pipe, link or device holds a command up. */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import { sizeText } from "./byte-size.ts";
import { reasonOf, UserError } from "./user-error.ts";

/** Bytes of a file that is read into one string: V8 holds no longer ones. */
export const maxTextBytes = 256 << 20;

export interface PlainFileBounds {
  readonly maxBytes: number;
  /** How to mend a file that is not as it should be. */
  readonly remedy: string;
  /** How to mend one that is too large; `remedy` unless said. */
  readonly tooLarge?: string;
}

const kinds: readonly [is: (stats: Stats) => boolean, kind: string][] = [
  [(stats) => stats.isSymbolicLink(), "a symbolic link"],
  [(stats) => stats.isDirectory(), "a folder"],
  [(stats) => stats.isFIFO(), "a pipe"],
  [(stats) => stats.isSocket(), "a socket"],
  [(stats) => stats.isCharacterDevice() || stats.isBlockDevice(), "a device"],
];

/** UserError for what is no plain file, or has more bytes than may be read. */
function refuseOdd(path: string, stats: Stats, { maxBytes, remedy, tooLarge = remedy }: PlainFileBounds): void {
  const [, kind = "no plain file"] = kinds.find(([is]) => is(stats)) ?? [];
  if (!stats.isFile()) throw new UserError(`${path} is ${kind}, and only plain files are read here`, remedy);
  if (stats.size > maxBytes)
    throw new UserError(`${path} has ${sizeText(stats.size)}, and at most ${sizeText(maxBytes)} are read`, tooLarge);
}

function unreadable(path: string, error: unknown, remedy: string): UserError {
  if (error instanceof UserError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "ELOOP" ? "it is a symbolic link" : reasonOf(error);
  return new UserError(`${path} cannot be read: ${reason}`, remedy);
}

/** How many bytes a plain file has. UserError for anything else, a link included. */
export function plainFileSize(path: string, bounds: PlainFileBounds): number {
  try {
    const stats = lstatSync(path);
    refuseOdd(path, stats, bounds);
    return stats.size;
  } catch (error) {
    throw unreadable(path, error, bounds.remedy);
  }
}

/**
 * A file of a folder that others may have made; undefined where there is none. UserError where it is no plain file: a link that
 * somebody names is theirs, one that they find in a folder is not.
 */
export function fileIn(folder: string, name: string, remedy: string): string | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  plainFileSize(path, { maxBytes: Number.POSITIVE_INFINITY, remedy });
  return path;
}

/**
 * Opens a plain file, without following a link in the last part of its path, and without waiting for whoever writes into a pipe.
 * The caller closes it. UserError for anything else.
 */
export function openPlainFile(path: string, bounds: PlainFileBounds): { file: number; size: number } {
  // Systems without these flags are served by looking first.
  plainFileSize(path, bounds);
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let file: number | undefined;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(file);
    refuseOdd(path, stats, bounds);
    return { file, size: stats.size };
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw unreadable(path, error, bounds.remedy);
  }
}

/** The bytes of a plain file in pieces, no more than it had when it was opened. UserError as `openPlainFile`. */
export function* piecesOfPlainFile(path: string, bounds: PlainFileBounds): Generator<Buffer> {
  const { file, size } = openPlainFile(path, bounds);
  try {
    for (let left = size; left > 0; ) {
      const block = Buffer.allocUnsafe(Math.min(left, 1 << 20));
      const read = readSync(file, block);
      if (read === 0) return;
      left -= read;
      yield block.subarray(0, read);
    }
  } catch (error) {
    throw unreadable(path, error, bounds.remedy);
  } finally {
    closeSync(file);
  }
}

/**
 * The bytes of a file that somebody named, so that it may be a link, or a pipe as `<(command)` makes it. UserError where it cannot
 * be read, or gives more than one string can hold.
 * @param called what the complaint calls it
 */
export function readNamedFile(path: string, called: string, remedy: string): Buffer {
  const pieces: Buffer[] = [];
  let held = 0;
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    for (;;) {
      const block = Buffer.allocUnsafe(1 << 20);
      const read = readSync(file, block);
      if (read === 0) return Buffer.concat(pieces);
      held += read;
      if (held > maxTextBytes)
        throw new UserError(`${called} gives more than the ${sizeText(maxTextBytes)} that are read`, remedy);
      pieces.push(block.subarray(0, read));
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${called} cannot be read: ${reasonOf(error)}`, remedy);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The bytes of a plain file that one string can hold. UserError as `openPlainFile`. */
export const readPlainFile = (path: string, remedy: string, maxBytes = maxTextBytes): Buffer =>
  Buffer.concat([...piecesOfPlainFile(path, { maxBytes, remedy })]);
