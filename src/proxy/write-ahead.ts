/**
 * Flushes the observer at the end of each turn of the event loop, once for all exchanges with something new. Only then it lets
 * clients see that. Flushing for each piece of each answer costs more than all the rest of a short exchange.
 */
import type { Socket } from "node:net";
import type { ExchangeObserver } from "./observer.ts";

/** An answer that is held back until the observer is flushed. */
export interface HeldBack {
  /** Called before the observer is flushed: the last moment to notify it of something. */
  readonly beforeFlush: () => void;
  /** Called where flushing takes longer than this turn: no more is to be read until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
}

export interface WriteAhead {
  /** Keeps what is written to a client's socket in this turn from leaving until the observer is flushed. */
  holdBack(socket: Socket, held: HeldBack): void;
  /** Calls when all that the observer was notified of in this turn is flushed. */
  whenFlushed(call: () => void): void;
}

/** The parties that wait for the flush of a turn. */
interface Turn {
  readonly sockets: Set<Socket>;
  readonly held: HeldBack[];
  readonly calls: (() => void)[];
}

export function createWriteAhead(observer: ExchangeObserver): WriteAhead {
  let turn: Turn | undefined;

  function thisTurn(): Turn {
    if (turn) return turn;
    setImmediate(flush);
    turn = { sockets: new Set(), held: [], calls: [] };
    return turn;
  }

  function flush(): void {
    const { sockets, held, calls } = turn!;
    turn = undefined;
    for (const { beforeFlush } of held) beforeFlush();
    const release = (): void => {
      try {
        for (const call of calls) call();
      } finally {
        for (const socket of sockets) socket.uncork();
      }
    };
    const flushed = observer.flush?.();
    if (!flushed) return void release();
    for (const { pause } of held) pause();
    void flushed.then(() => {
      for (const { resume } of held) resume();
      release();
    });
  }

  return {
    holdBack(socket, held) {
      const { sockets, held: all } = thisTurn();
      all.push(held);
      if (sockets.has(socket)) return;
      sockets.add(socket);
      socket.cork();
    },
    whenFlushed: (call) => void thisTurn().calls.push(call),
  };
}
