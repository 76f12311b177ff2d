/** One connection of a client: reads its requests, sends what each is answered, and tells who ended it. */
import type { Socket } from "node:net";
import type { WireRequest } from "../../wire/exchange.ts";
import type { Answer } from "../answer.ts";
import { type Step, stepsOf } from "./bytes.ts";
import { createRequestReader } from "./request-reader.ts";

/** Bytes of an endless answer after which it is broken off. */
const maxEndless = 64 << 20;

/** Bytes of a body that are kept to be shown. */
const maxKept = 64 << 10;

/** The part of an answer that was sent. */
export interface Sent {
  /** The beginning of the body, as it was sent but for its framing. */
  readonly body: Buffer;
  readonly chunks: readonly (readonly [at: number, length: number])[];
  /** Bytes of the body that were sent and are not kept. */
  readonly cut: number;
  /** Whether a head left. */
  readonly hasHead: boolean;
  /** The client ended the connection before the answer had ended. */
  readonly left: boolean;
}

/** How a connection's owner answers and is told. */
export interface ConnectionOwner {
  /** The answer to a request. @param at when the last byte of it came, as `performance.now` */
  answer(request: WireRequest, at: number): { readonly answer: Answer; readonly done: (sent: Sent) => void };
  /** Bytes came that are no HTTP. */
  broken(problem: string): void;
  closed(by: "client" | "server"): void;
}

/** Resolves after some milliseconds, or when the socket closes. */
function pause(socket: Socket, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      socket.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    socket.once("close", done);
  });
}

/** Resolves once the bytes have left, or the socket has closed. */
function written(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    socket.once("close", resolve);
    socket.write(bytes, () => {
      socket.off("close", resolve);
      resolve();
    });
  });
}

export function serveConnection(socket: Socket, owner: ConnectionOwner): void {
  const reader = createRequestReader();
  let endedByUs = false;
  /** Answers go out one after another. */
  let queue: Promise<void> = Promise.resolve();
  socket.setNoDelay(true);

  async function send({ answer, done }: ReturnType<ConnectionOwner["answer"]>, old: boolean): Promise<void> {
    const begun = performance.now();
    const body: Buffer[] = [];
    const chunks: [number, number][] = [];
    let kept = 0;
    let cut = 0;
    let hasHead = false;
    let isWhole = false;

    const keep = (bytes: Uint8Array): void => {
      const room = Math.max(0, maxKept - kept);
      const own = Buffer.from(bytes.subarray(0, room));
      kept += own.length;
      cut += bytes.length - own.length;
      if (own.length > 0) {
        body.push(own);
        chunks.push([Math.round(performance.now() - begun), own.length]);
      }
    };

    async function take(step: Step): Promise<void> {
      if ("wait" in step) await pause(socket, step.wait);
      else if ("write" in step) {
        hasHead = true;
        if (step.body) keep(step.body);
        await written(socket, step.write);
      } else if ("forever" in step) {
        for (let sent = 0; sent < maxEndless && !socket.destroyed; sent += step.forever.length) {
          await written(socket, step.forever);
          if (step.every > 0) await pause(socket, step.every);
        }
      } else if (step.end === "hold") await new Promise((resolve) => socket.once("close", resolve));
      else if (step.end === "reset") {
        isWhole = true;
        endedByUs = true;
        // Earlier bytes have to arrive.
        await pause(socket, 20);
        socket.resetAndDestroy();
      } else if (step.end === "close") {
        isWhole = true;
        endedByUs = true;
        socket.end();
      } else isWhole = true;
    }

    for (const step of stepsOf(answer, old)) {
      if (socket.destroyed) break;
      await take(step);
    }
    done({ body: Buffer.concat(body), chunks, cut, hasHead, left: !isWhole });
  }

  socket.on("data", (bytes) => {
    for (const read of reader.push(bytes))
      if (read.kind === "waits") socket.write("HTTP/1.1 100 Continue\r\n\r\n");
      else if (read.kind === "broken") {
        owner.broken(read.problem);
        endedByUs = true;
        socket.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      } else {
        const planned = owner.answer(read.request, performance.now());
        queue = queue.then(() => send(planned, read.version === "HTTP/1.0"));
      }
  });
  // A reset by the client is an end like any other.
  socket.on("error", () => socket.destroy());
  socket.on("end", () => {
    // The client has said all it has to say; what is held for it will never be asked for again.
    if (!endedByUs) socket.end();
  });
  socket.on("close", () => owner.closed(endedByUs ? "server" : "client"));
}
