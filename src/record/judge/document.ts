/** Judges recordings that are read whole, such as HAR files: their exchanges are counted, not found by position. */
import { Readable } from "node:stream";
import { openSource, openStream, type Source, type SourceEntry } from "../../cassette/read.ts";
import { createBatch, type Judge, type ReportProgress } from "./batch.ts";
import type { BatchRequest, BatchResult } from "./messages.ts";

interface OpenDocument {
  readonly source: string;
  readonly memory: Uint8Array | undefined;
  /** Exchanges that were taken. */
  at: number;
  readonly opened: Source;
  readonly entries: AsyncIterator<SourceEntry>;
}

export function createDocumentJudge(judge: Judge) {
  /** The document that was read last, which is likely to be the next. */
  let last: OpenDocument | undefined;

  async function open(source: string, bytes: BatchRequest["bytes"], at: number): Promise<OpenDocument> {
    const memory = bytes === null ? last?.memory : bytes;
    if (last?.source === source && last.at === at && memory === last.memory) return last;
    last = undefined;
    const opened = await (memory ? openStream(source, Readable.from([memory])) : openSource(source));
    const entries = opened[Symbol.asyncIterator]();
    for (let i = 0; i < at; i++) await entries.next();
    last = { source, memory, at, opened, entries };
    return last;
  }

  return async (request: BatchRequest, report: ReportProgress): Promise<BatchResult> => {
    const document = await open(request.source, request.bytes, request.at);
    const { opened, entries } = document;
    const batch = createBatch(judge, request, opened.header.bindings ?? {}, report);
    let done = false;
    while (!done && !batch.isFull()) {
      const next = await entries.next();
      done = next.done === true;
      if (next.done) break;
      document.at++;
      if (request.mode === "skip") batch.skip(request.announced);
      else {
        const { exchange } = next.value;
        batch.add(exchange, exchange.request.body.length + (exchange.response?.body.length ?? 0));
      }
    }
    const { exchanges, share } = batch;
    const notes = done ? opened.notes : [];
    return { exchanges, share: share(), notes, at: document.at, atLineStart: true, lines: 0, done };
  };
}
