/**
 * Lets clients see at the end of a turn what came in it, after the tape was told: however many exchanges went on in the
 * turn, the tape is written to once, and a client's socket once.
 */
import { ServerResponse } from "node:http";

/** A class of responses whose writes and ends wait for the turn's end, where `sync` is called before. */
export function heldBy(sync: () => void): typeof ServerResponse {
  let held: HeldResponse[] = [];

  function release(): void {
    const all = held;
    held = [];
    sync();
    for (const response of all) response.release();
  }

  class HeldResponse extends ServerResponse {
    #held = false;
    #ending: never[] | undefined;

    #hold(): void {
      if (this.#held) return;
      this.#held = true;
      this.socket?.cork();
      if (held.push(this) === 1) setImmediate(release);
    }

    override write(...given: never[]): boolean {
      this.#hold();
      return super.write(...(given as unknown as [Uint8Array]));
    }

    // Node's own end would send at once whatever is held back.
    override end(...ending: never[]): this {
      if (this.writableEnded) return super.end(...(ending as unknown as []));
      this.#hold();
      this.#ending = ending;
      this.finished = true;
      return this;
    }

    override flushHeaders(): void {
      sync();
      super.flushHeaders();
    }

    release(): void {
      this.#held = false;
      const ending = this.#ending;
      if (!ending) return void this.socket?.uncork();
      this.finished = false;
      super.end(...(ending as unknown as []));
    }
  }
  return HeldResponse as unknown as typeof ServerResponse;
}
