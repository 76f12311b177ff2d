/** What the recorder hands its keeper over the keeper's standard input: a line of settings, then frames. */
import { type OnReadOpts, Socket, type SocketConstructorOpts } from "node:net";

/** What the pipe holds comes in one read. */
const room = 256 << 10;

/**
 * Behind a read comes a rest, until about `share` bytes have come at the pace of the last ones, and `longestRest` milliseconds at most.
 * Being woken for every chunk of every stream takes the processor from the traffic; in the pipe it is as safe as here.
 */
const share = 48 << 10;
const longestRest = 5;

export interface Input {
  /** The first line, without its end. Rejects where the input ends before it does. */
  readonly settings: Promise<string>;
  /** Calls with what stands behind the settings, and resolves at the end. Bytes are lent; after a false no more come until `resume`. */
  each(take: (bytes: Buffer) => boolean): Promise<void>;
  resume(): void;
  /** Listens no more. */
  close(): void;
}

/** Reads the standard input, into one piece of memory over and over, so that the collector has nothing to do with it. */
export function readInput(): Input {
  const memory = Buffer.allocUnsafeSlow(room);
  /** What came and nobody takes yet, and whether it begins with the first line. */
  let line: Buffer = Buffer.alloc(0);
  let first = true;
  let before = performance.now();
  let take: ((bytes: Buffer) => boolean) | undefined;
  let settled = (_: string): void => {};
  let refused = (_: Error): void => {};
  const settings = new Promise<string>((resolve, reject) => {
    settled = resolve;
    refused = reject;
  });
  // It may end when nobody asks for them any more.
  settings.catch(() => {});

  /** Whether to go on reading at once. */
  function came(length: number): boolean {
    const bytes = memory.subarray(0, length);
    if (!take) return cameBefore(bytes);
    const now = performance.now();
    const rest = Math.min(longestRest, ((now - before) * share) / length);
    before = now;
    if (!take(bytes)) return false;
    if (rest < 1) return true;
    setTimeout(resume, rest);
    return false;
  }

  function cameBefore(bytes: Buffer): boolean {
    line = Buffer.concat([line, bytes]);
    const end = first ? line.indexOf(10) : -1;
    if (end < 0) return first;
    first = false;
    settled(line.toString("utf8", 0, end));
    line = line.subarray(end + 1);
    return false;
  }

  const onread: OnReadOpts = { buffer: memory, callback: came };
  // Documented, and missing in the types.
  const socket = new Socket({ fd: 0, readable: true, onread } as SocketConstructorOpts);
  const resume = (): void => void socket.resume();
  // However the recorder ended, what it had sent came.
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => void socket.on("close", resolve));
  void ended.then(() => refused(new Error("its input ended before its settings")));
  resume();
  return {
    settings,
    each(taking) {
      take = taking;
      if (line.length === 0 || take(line)) resume();
      return ended;
    },
    resume,
    close: () => void socket.destroy(),
  };
}
