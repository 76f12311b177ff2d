/** Compares the file of exchanges, byte for byte, with what a run would write. */
import type { Cassette } from "../cassette/format.ts";
import { type Line, linesOf } from "../cassette/lines.ts";
import { headerLine, piecesOf } from "../cassette/write.ts";
import type { Problem } from "./compare.ts";
import { exchangesName } from "./manifest.ts";

const blank = /^\s*$/;

/** Whether bytes are this text. */
export function isText(bytes: Buffer, pieces: Iterable<string>): boolean {
  let at = 0;
  for (const piece of pieces) {
    const own = Buffer.from(piece, "utf8");
    if (!bytes.subarray(at, at + own.length).equals(own)) return false;
    at += own.length;
  }
  return at === bytes.length;
}

/**
 * Lines that say more than was read of them, or say it otherwise: a member twice, one that nobody knows, blanks. Reads the file once
 * more, line by line.
 * @param pieces what the file holds
 * @param header what a run says there
 * @param exchanges what was read of the file
 */
export async function* linesWrittenOtherwise(
  pieces: AsyncIterable<Uint8Array>,
  { header, exchanges }: Cassette,
): AsyncGenerator<Problem> {
  const tell = ({ number }: Pick<Line, "number">, what: string): Problem => ({
    file: exchangesName,
    what: `line ${number} ${what}`,
  });
  let read = 0;
  for await (const line of linesOf(pieces)) {
    if (line.number === 1) {
      if (!isText(line.bytes, [headerLine(header)])) yield tell(line, "is not the first line that a run writes");
      continue;
    }
    if (line.bytes.length < 16 && blank.test(line.bytes.toString("latin1"))) {
      yield tell(line, "is blank");
      continue;
    }
    const recorded = exchanges[read++];
    if (!recorded || !isText(line.bytes, piecesOf(recorded))) {
      const { source, exchange } = recorded?.asked ?? {};
      const place = source !== undefined && exchange !== undefined ? { source, exchange } : {};
      yield { ...tell(line, "is not written as a run writes it"), ...place };
    } else if (!line.ended) yield tell(line, "does not end");
  }
}
