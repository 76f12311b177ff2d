/** Whether two pages are the same, however the same data was compressed: that differs between releases and machines. */
import { inflateRawSync } from "node:zlib";

const blockLine = /^<script type="application\/x-deflate" id="block-\d+">([A-Za-z0-9+/]+={0,2})<\/script>$/;

/** The content of a block, of at most so many bytes; undefined if it is no such block. */
function inflatedBlock(line: string, maxBytes?: number): Buffer | undefined {
  const [, block] = blockLine.exec(line) ?? [];
  if (block === undefined) return undefined;
  try {
    return inflateRawSync(Buffer.from(block, "base64"), maxBytes === undefined ? {} : { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/** @param right the page as this touchstone makes it */
export function isSamePage(claimed: string, right: string): boolean {
  if (claimed === right) return true;
  const lines = claimed.split("\n");
  const wanted = right.split("\n");
  return (
    lines.length === wanted.length &&
    wanted.every((line, i) => {
      const own = lines[i]!;
      if (line === own) return true;
      const said = inflatedBlock(line);
      return said !== undefined && idOf(line) === idOf(own) && inflatedBlock(own, said.length)?.equals(said) === true;
    })
  );
}

const idOf = (line: string): string | undefined => /^<script [^>]*>/.exec(line)?.[0];
