/**
 * Hands the tape over at the end of each turn of the event loop, once for all exchanges that had something to tell in it, and only then
 * lets clients see what the tape has. A hand-over for each piece of each answer costs more than all the rest of a short exchange.
 */
import type { Socket } from "node:net";
import type { Tape } from "./observer.ts";

/** What waits for the hand-over of a turn. */
export interface Held {
  /** Called before the tape is handed over: the last moment to tell it something. */
  readonly settle: () => void;
  /** Called where the tape needs longer than this turn: no more is to be read until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
}

export interface Handover {
  /** Keeps back what is written to a client's socket in this turn until the tape has what it was told. */
  hold(socket: Socket, held: Held): void;
  /** Calls when the tape has what it was told in this turn. */
  kept(go: () => void): void;
}

interface Batch {
  readonly sockets: Set<Socket>;
  readonly held: Held[];
  readonly calls: (() => void)[];
}

export function createHandover(tape: Tape): Handover {
  let batch: Batch | undefined;

  function thisTurn(): Batch {
    if (batch) return batch;
    setImmediate(handOver);
    batch = { sockets: new Set(), held: [], calls: [] };
    return batch;
  }

  function handOver(): void {
    const { sockets, held, calls } = batch!;
    batch = undefined;
    for (const { settle } of held) settle();
    const release = (): void => {
      try {
        for (const call of calls) call();
      } finally {
        for (const socket of sockets) socket.uncork();
      }
    };
    const kept = tape.pending?.();
    if (!kept) return void release();
    for (const { pause } of held) pause();
    void kept.then(() => {
      for (const { resume } of held) resume();
      release();
    });
  }

  return {
    hold(socket, held) {
      const { sockets, held: all } = thisTurn();
      all.push(held);
      if (sockets.has(socket)) return;
      sockets.add(socket);
      socket.cork();
    },
    kept: (go) => void thisTurn().calls.push(go),
  };
}
