/** Judges `.jsonl` cassettes from byte position to byte position, also while they grow. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { decodeHeader } from "../../cassette/decode.ts";
import { type Bytes, createLineReader, type Head } from "../../cassette/range.ts";
import { exchangeOfLine } from "../../cassette/read.ts";
import type { Bindings } from "../../check/names.ts";
import { reasonOf, UserError } from "../../user-error.ts";
import { createBatch, type Judge, type ReportProgress } from "./batch.ts";
import type { BatchRequest, BatchResult } from "./messages.ts";

/** Milliseconds between looks at a file that does not grow, at first and at most. */
const pauses = { first: 20, most: 200 };

interface OpenBytes {
  readonly bytes: Bytes;
  size(): number;
  close(): void;
}

/** @param memory what is read in place of a file */
function openBytes(source: string, memory: Uint8Array | undefined): OpenBytes {
  if (memory) {
    const buffer = Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength);
    return { bytes: { read: (into, at) => buffer.copy(into, 0, at) }, size: () => buffer.length, close() {} };
  }
  let file: number;
  try {
    file = openSync(source, "r");
  } catch (error) {
    throw new UserError(`${source}: cannot be read: ${reasonOf(error)}`, "Check the path and the file.");
  }
  const read = (into: Buffer, at: number): number => {
    let filled = 0;
    for (let came = -1; came !== 0 && filled < into.length; filled += came)
      came = readSync(file, into, filled, Math.min(into.length - filled, 1 << 30), at + filled);
    return filled;
  };
  return { bytes: { read }, size: () => fstatSync(file).size, close: () => closeSync(file) };
}

/** The bindings of a cassette. */
function bindingsOf(source: string, { read }: Bytes, head: Head): Bindings {
  const bytes = Buffer.alloc(head.bytes);
  read(bytes, 0);
  const value: unknown = JSON.parse(bytes.toString("utf8"));
  return decodeHeader(value, `${source}:${head.lines}`).bindings ?? {};
}

interface OpenCassette {
  readonly source: string;
  readonly memory: Uint8Array | undefined;
  readonly opened: OpenBytes;
  readonly bindings: Bindings;
  readonly read: ReturnType<typeof createLineReader>;
}

/** @param finished resolves when files grow no more */
export function createJsonlJudge(judge: Judge, finished: Promise<void>) {
  let isFinished = false;
  void finished.then(() => (isFinished = true));
  /** The cassette that was read last, which is likely to be the next. */
  let last: OpenCassette | undefined;

  function open(source: string, bytes: BatchRequest["bytes"], head: Head): OpenCassette {
    const memory = bytes === null ? last?.memory : bytes;
    if (last?.source === source && memory === last.memory) return last;
    last?.opened.close();
    last = undefined;
    const opened = openBytes(source, memory);
    const bindings = bindingsOf(source, opened.bytes, head);
    last = { source, memory, opened, bindings, read: createLineReader(opened.bytes) };
    return last;
  }

  return async (request: BatchRequest, head: Head, report: ReportProgress): Promise<BatchResult> => {
    const { source, to, growing, mode, announced, linesBefore } = request;
    const { opened, bindings, read } = open(source, request.bytes, head);
    const notes: string[] = [];
    const batch = createBatch(judge, request, bindings, report);
    let { at, atLineStart } = request;
    let lines = 0;
    let done = false;
    for (let pause = pauses.first; ; pause = Math.min(pauses.most, 1.5 * pause)) {
      const waits = growing && !isFinished;
      if (growing && opened.size() < at)
        throw new UserError(`${source}: it became shorter while it was followed`, "Check it again from its start.");
      const piece = read({ from: at, to, begins: atLineStart, growing: waits });
      const { lines: all, next, torn } = piece;
      if (all.length > 0) report({ bytes: next - piece.first });
      let position = piece.first;
      let isFull = false;
      if (piece.tooLong) {
        batch.skip(announced);
        lines++;
      }
      for (const [i, bytes] of all.entries()) {
        if (isFull) break;
        position += bytes.length + 1;
        lines++;
        if (mode === "skip") {
          isFull = bytes.some((byte) => byte > 0x20);
          if (isFull) batch.skip(announced);
        } else {
          const line = { bytes, number: linesBefore + lines, ended: !torn || i < all.length - 1 };
          const kept = exchangeOfLine(source, line, notes);
          if (kept) batch.add(kept.exchange, bytes.length);
          isFull = batch.isFull();
        }
      }
      const ended = next === at;
      at = isFull ? Math.min(position, next) : next;
      atLineStart = isFull || piece.begins;
      done = !waits && (ended || at >= to);
      // A request for one exchange is not answered with a blank line.
      const lacksExchange = mode !== "batch" && batch.exchanges.length === 0;
      if (done || (!lacksExchange && (!ended || !waits))) break;
      if (waits && ended) await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, pause))]);
    }
    return { exchanges: batch.exchanges, share: batch.share(), notes, at, atLineStart, lines, done };
  };
}
