/** What the recorder hands its keeper over the keeper's standard input: a line of settings, then the tape's frames. */
import { Socket, type SocketConstructorOpts } from "node:net";

/** What a read takes at once; the system holds less. */
const room = 256 << 10;

/**
 * Milliseconds without reading after a read that found less than `much`. Being woken for every chunk of every stream would take
 * the processor from the traffic; what has come meanwhile is safe in the pipe, and comes out in one piece.
 */
const rest = 2;
const much = 32 << 10;

export interface Input {
  /** The first line, without its end. Rejects where the input ends before it does. */
  readonly settings: Promise<string>;
  /** Calls with what stands behind the settings, until the end; reading waits while the call's promise does. */
  each(take: (bytes: Buffer) => Promise<void> | undefined): Promise<void>;
  /** Listens no more. */
  close(): void;
}

/** Reads the standard input. */
export function readInput(): Input {
  const buffer = Buffer.allocUnsafeSlow(room);
  let line: Buffer = Buffer.alloc(0);
  let settled = (_: string): void => {};
  let refused = (_: Error): void => {};
  let over = (): void => {};
  let take: ((bytes: Buffer) => Promise<void> | undefined) | undefined;
  const settings = new Promise<string>((resolve, reject) => {
    settled = resolve;
    refused = reject;
  });
  const end = new Promise<void>((resolve) => void (over = resolve));
  const resume = (): void => void input.resume();

  /** Whether to go on reading at once. */
  function came(length: number): boolean {
    const bytes = Buffer.from(buffer.subarray(0, length));
    if (take) {
      const wait = take(bytes);
      if (!wait && length >= much) return true;
      if (wait) void wait.then(resume);
      else setTimeout(resume, rest);
      return false;
    }
    line = Buffer.concat([line, bytes]);
    const until = line.indexOf(10);
    if (until < 0) return true;
    settled(line.toString("utf8", 0, until));
    line = line.subarray(until + 1);
    return false;
  }

  const input = new Socket({ fd: 0, writable: false, onread: { buffer, callback: came } } as SocketConstructorOpts);
  input.on("end", () => {
    refused(new Error("its input ended before its settings"));
    over();
  });
  // However the recorder ended, what it had sent is here.
  input.on("error", refused).on("error", over).on("close", over);
  input.resume();
  return {
    settings,
    async each(taking) {
      take = taking;
      await take(line);
      input.resume();
      await end;
    },
    close: () => void input.destroy(),
  };
}
