/** Writes the files of a folder, each replaced in one step, so that nobody ever sees half of one. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Recordings and results quote what people asked, so nobody else may read them. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

/** Writes all of it, however little the system takes at a time. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
}

/**
 * Writes beside the file and renames; in pieces, since results may exceed one string.
 * @returns the SHA-256 of what was written
 */
export function replaceFile(file: string, content: string | Iterable<string | Uint8Array>): string {
  const hash = createHash("sha256");
  // The remains of a killed run go, and so does a link, which would lead elsewhere.
  rmSync(`${file}.part`, { force: true });
  const part = openSync(`${file}.part`, "wx", privateFile);
  try {
    for (const piece of typeof content === "string" ? [content] : content) {
      const bytes = typeof piece === "string" ? Buffer.from(piece, "utf8") : piece;
      hash.update(bytes);
      writeAll(part, bytes);
    }
  } catch (error) {
    rmSync(`${file}.part`, { force: true });
    throw error;
  } finally {
    closeSync(part);
  }
  renameSync(`${file}.part`, file);
  return hash.digest("hex");
}

/** Makes a folder and those above it, which nobody else may read. Node's own way never ends where the system answers ENOENT below a folder that is there, as /proc does. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, privateFolder);
  } catch (error) {
    // Another run may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
