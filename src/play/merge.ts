/** Replaces recordings of a cassette by newer ones, while other processes may do the same. */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { type Line, linesOf, readSize } from "../cassette/lines.ts";
import { lockFile } from "../cassette/lock.ts";
import { exchangeOfLine } from "../cassette/read.ts";
import type { WireRequest } from "../wire/exchange.ts";

/** Milliseconds to wait for other writers. */
const maxWaitMs = 60_000;

const lineFeed = Buffer.from("\n");

const digestOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("base64");

async function* linesIn(path: string): AsyncGenerator<Line> {
  if (existsSync(path)) yield* linesOf(createReadStream(path, { highWaterMark: readSize }));
}

/** The digests of a cassette's lines; none if there is no such file. */
export async function digestsOf(path: string): Promise<Set<string>> {
  const digests = new Set<string>();
  for await (const { bytes } of linesIn(path)) digests.add(digestOf(bytes));
  return digests;
}

async function add(file: FileHandle, bytes: Buffer): Promise<void> {
  await file.writeFile(bytes);
  await file.writeFile(lineFeed);
}

/**
 * Removes recordings from a cassette, adds those of another file, and removes that file. Readers see the old cassette until the
 * new one is complete and on the disk. The cassette keeps its mode, and a link to it stays a link.
 * @param isReplaced takes the digest of a line, and its request
 */
export async function replaceRecordings(
  named: string,
  additions: string,
  isReplaced: (digest: string, request: WireRequest) => boolean,
): Promise<void> {
  const release = await lockFile(named, maxWaitMs);
  const cassette = await realpath(named).catch(() => named);
  const temporary = `${cassette}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      const before = await stat(cassette).catch(() => undefined);
      if (before) await file.chmod(before.mode & 0o777);
      let hasHeader = false;
      for await (const line of linesIn(cassette)) {
        if (hasHeader) {
          const kept = exchangeOfLine(cassette, line, []);
          if (!kept || isReplaced(digestOf(line.bytes), kept.exchange.request)) continue;
        }
        hasHeader = true;
        await add(file, line.bytes);
      }
      for await (const { bytes } of linesIn(additions)) {
        if (hasHeader && bytes.subarray(0, 14).equals(Buffer.from('{"touchstone":'))) continue;
        hasHeader = true;
        await add(file, bytes);
      }
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, cassette);
    await rm(additions, { force: true });
  } finally {
    await rm(temporary, { force: true });
    await release();
  }
}
