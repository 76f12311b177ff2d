/** The keeper's standard input: a line of settings, then frames. */
import { type OnReadOpts, Socket, type SocketConstructorOpts } from "node:net";

/** Bytes of a read: all that the pipe holds. */
const readSize = 256 << 10;

/**
 * After a read the keeper pauses until about `gathered` bytes stand in the pipe, at the pace of the last ones, and
 * `longestPause` milliseconds at most. Waking for every chunk of every stream takes the processor from the traffic, and bytes
 * are as safe there as here.
 */
const gathered = 48 << 10;
const maxPause = 5;

export interface Input {
  /** The first line, without its end. Rejects where the input ends before it does. */
  readonly settings: Promise<string>;
  /** Calls with what stands behind the settings, and resolves at the end. Bytes are lent; after a false no more come until `resume`. */
  each(take: (bytes: Buffer) => boolean): Promise<void>;
  resume(): void;
  /** Listens no more. */
  close(): void;
}

/** Reads standard input into one piece of memory over and over, so that it leaves no garbage. */
export function readInput(): Input {
  const memory = Buffer.allocUnsafeSlow(readSize);
  /** The bytes that came and were not taken yet, and whether they begin with the first line. */
  let unread: Buffer = Buffer.alloc(0);
  let first = true;
  let lastRead = performance.now();
  let take: ((bytes: Buffer) => boolean) | undefined;
  let settled = (_: string): void => {};
  let refused = (_: Error): void => {};
  const settings = new Promise<string>((resolve, reject) => {
    settled = resolve;
    refused = reject;
  });
  // The input may end when nobody waits for settings: no unhandled rejection then.
  settings.catch(() => {});

  /** Whether to go on reading at once. */
  function onBytes(length: number): boolean {
    const bytes = memory.subarray(0, length);
    if (!take) return takeSettings(bytes);
    const now = performance.now();
    const pause = Math.min(maxPause, ((now - lastRead) * gathered) / length);
    lastRead = now;
    if (!take(bytes)) return false;
    if (pause < 1) return true;
    setTimeout(resume, pause);
    return false;
  }

  function takeSettings(bytes: Buffer): boolean {
    unread = Buffer.concat([unread, bytes]);
    const end = first ? unread.indexOf(10) : -1;
    if (end < 0) return first;
    first = false;
    settled(unread.toString("utf8", 0, end));
    unread = unread.subarray(end + 1);
    return false;
  }

  const onread: OnReadOpts = { buffer: memory, callback: onBytes };
  // Documented, and missing in the types.
  const socket = new Socket({ fd: 0, readable: true, onread } as SocketConstructorOpts);
  const resume = (): void => void socket.resume();
  // A pipe that breaks has delivered what was sent.
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => void socket.on("close", resolve));
  void ended.then(() => refused(new Error("its input ended before its settings")));
  resume();
  return {
    settings,
    each(taking) {
      take = taking;
      if (unread.length === 0 || take(unread)) resume();
      return ended;
    },
    resume,
    close: () => void socket.destroy(),
  };
}
