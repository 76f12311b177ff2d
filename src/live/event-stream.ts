/** Pushes server-sent events to open pages. Exchange events arrive once and in order. State events carry only the latest state. */
import type { ServerResponse } from "node:http";

export interface EventStream {
  /** An event that every page gets, also one that comes back after its connection broke, as far as it is still kept. */
  add(name: string, data: unknown): void;
  /** A state; a page that reads slowly gets the latest only. */
  tell(name: string, data: unknown): void;
  /** Sends all that is kept, or what followed the event that a page had last; until the connection ends. */
  subscribe(response: ServerResponse, last: string | undefined): void;
  readonly listeners: () => number;
  /** Tells them that nothing more comes. */
  close(): void;
}

/** Events that are kept for pages that come later, and the characters they may take together. */
const maxKept = 10_000;
const maxCharacters = 16 << 20;

/** Characters that are written at once; what follows waits until the page has read. */
const batch = 64 << 10;

/** Milliseconds after which a page that reads nothing is given up. */
export const maxStall = 60_000;

/** Milliseconds between signs of life. */
const beat = 15_000;

/** Calls again and again until it is cleared, so that a page whose connection broke in silence is noticed. */
export const signOfLife = (give: () => void): NodeJS.Timeout => setInterval(give, beat).unref();

interface Listener {
  readonly response: ServerResponse;
  /** The event it gets next. */
  next: number;
  /** States it was not told yet. */
  readonly states: Map<string, string>;
  stalled: NodeJS.Timeout | undefined;
}

const eventText = (name: string, json: string, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${json}\n\n`;

let feeds = 0;

export function createEventStream(): EventStream {
  /** Tells events of this feed from those of an earlier one. */
  const era = `${process.pid}.${++feeds}`;
  const events: string[] = [];
  let first = 0;
  let characters = 0;
  const states = new Map<string, string>();
  const listeners = new Set<Listener>();

  function pump(listener: Listener): void {
    const { response } = listener;
    while (listener.stalled === undefined) {
      let text = "";
      if (listener.next < first) {
        text = eventText("gap", JSON.stringify(first - listener.next));
        listener.next = first;
      }
      while (listener.next < first + events.length && text.length < batch) text += events[listener.next++ - first];
      if (text === "") {
        for (const state of listener.states.values()) text += state;
        listener.states.clear();
      }
      if (text === "") return;
      if (response.write(text)) continue;
      listener.stalled = setTimeout(() => response.destroy(), maxStall);
    }
  }

  const pulse = signOfLife(() => {
    for (const { stalled, response } of listeners) if (stalled === undefined) response.write(":\n\n");
  });

  return {
    add(name, data) {
      const text = eventText(name, JSON.stringify(data), `${era}-${first + events.length}`);
      events.push(text);
      characters += text.length;
      while (events.length > maxKept || characters > maxCharacters) {
        // A tenth at a time, since the others are moved each time.
        const dropped = events.splice(0, Math.ceil(events.length / 10));
        for (const { length } of dropped) characters -= length;
        first += dropped.length;
      }
      for (const listener of listeners) pump(listener);
    },
    tell(name, data) {
      const text = eventText(name, JSON.stringify(data));
      states.set(name, text);
      for (const listener of listeners) {
        listener.states.set(name, text);
        pump(listener);
      }
    },
    subscribe(response, last) {
      const [, own, number] = /^(.*)-(\d+)$/.exec(last ?? "") ?? [];
      const known = own === era ? Math.min(Number(number) + 1, first + events.length) : undefined;
      const listener: Listener = { response, next: known ?? 0, states: new Map(states), stalled: undefined };
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" });
      // A page that comes with nothing of ours begins anew.
      response.write(known === undefined ? eventText("start", "null") : ":\n\n");
      response.on("drain", () => {
        clearTimeout(listener.stalled);
        listener.stalled = undefined;
        pump(listener);
      });
      response.on("close", () => {
        clearTimeout(listener.stalled);
        listeners.delete(listener);
      });
      listeners.add(listener);
      pump(listener);
    },
    listeners: () => listeners.size,
    close() {
      clearInterval(pulse);
      for (const { response } of listeners) response.end(eventText("end", "null"));
    },
  };
}
