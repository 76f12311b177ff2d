/** A body that is kept while its reader takes it: nothing is read ahead, and the reader sees what it would see without. */

/** Notified of how a body passes. */
export interface BodyObserver {
  /** Bytes that the reader gets next; lent, not copied. */
  piece(bytes: Uint8Array): void;
  /** Called once. `cancelled` by its reader, or `failed` before its end. */
  end(how: "whole" | "cancelled" | "failed"): void;
}

/** The same bytes, read from `body` when they are asked for. */
export function watchedStream(body: ReadableStream<Uint8Array>, observer: BodyObserver): ReadableStream<Uint8Array> {
  let over = false;
  const end = (how: Parameters<BodyObserver["end"]>[0]): void => {
    if (over) return;
    over = true;
    observer.end(how);
  };
  let locked: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Locks the body when it is first asked for: one that nobody reads is let go as it would be without us. */
  const readerOf = (controller: ReadableByteStreamController): ReadableStreamDefaultReader<Uint8Array> => {
    if (locked) return locked;
    locked = body.getReader();
    // An abort is seen at once, though nobody reads just then.
    locked.closed.catch((error: unknown) => {
      end("failed");
      controller.error(error);
    });
    return locked;
  };
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const reader = readerOf(controller);
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          end("whole");
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        // A stream of bytes takes no empty pieces.
        if (value.byteLength === 0) continue;
        observer.piece(value);
        // A copy, since a stream of bytes takes the memory itself, which whoever made the piece may use again.
        controller.enqueue(new Uint8Array(value));
        return;
      }
    },
    async cancel(reason) {
      end("cancelled");
      await (locked ?? body).cancel(reason);
    },
  });
}

/** The same pieces of a body that is no stream of the web, such as Node's. */
export async function* watchedPieces<T>(pieces: AsyncIterable<T>, observer: BodyObserver): AsyncGenerator<T> {
  let how: Parameters<BodyObserver["end"]>[0] = "cancelled";
  try {
    for await (const piece of pieces) {
      if (piece instanceof Uint8Array) observer.piece(piece);
      yield piece;
    }
    how = "whole";
  } catch (error) {
    how = "failed";
    throw error;
  } finally {
    observer.end(how);
  }
}
