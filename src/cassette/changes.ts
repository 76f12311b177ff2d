/** Notices what other programs do to a file while it is being written. */
import { fstatSync } from "node:fs";
import { type FileHandle, stat } from "node:fs/promises";

/** Milliseconds between looks at what stands at the path; the open file itself is looked at each time. */
const rest = 1_000;

/**
 * Looks at the file and reports each kind of change once, in a sentence without the path.
 * @param expected bytes that our own writes have made it
 * @param path looks at what stands at the path, too, however short ago that was done
 * @returns bytes it has
 */
export type Look = (expected: number, path?: boolean) => Promise<number>;

export function noticeChanges(file: FileHandle, path: string, tell: (change: string) => void): Look {
  const reported = new Set<string>();
  let looked = Number.NEGATIVE_INFINITY;

  function once(change: string): void {
    if (reported.has(change)) return;
    reported.add(change);
    tell(change);
  }

  return async (expected, thorough = false) => {
    // The system knows it at once for an open file; a thread for it would cost more than what is written.
    const now = fstatSync(file.fd);
    if (now.size < expected) once("another program cut it short while it was written; what stood there is lost");
    else if (now.size > expected) once("another program wrote to it while it was written; it may not be readable");
    if (now.nlink === 0) once("it was removed or replaced while it was written; what was written is lost");
    else if (thorough || performance.now() - looked > rest) {
      looked = performance.now();
      const there = await stat(path).catch(() => undefined);
      if (there?.ino !== now.ino || there.dev !== now.dev)
        once("it was renamed or replaced while it was written; all exchanges are in the file that had this name first");
    }
    return now.size;
  };
}
