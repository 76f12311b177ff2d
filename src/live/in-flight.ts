/** Follows exchanges in flight for open pages, with one question to the keeper at a time. */
import { decodeExchange } from "../cassette/decode.ts";
import type { Interface } from "../check/interface.ts";
import { routeOf } from "../check/route.ts";
import type { Answer, OpenStream, Question } from "../record/keeper/messages.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Flight, Flights } from "./protocol.ts";

/** The content of one exchange in flight so far. */
export interface Watched {
  readonly id: number;
  /** As much as may be shown; undefined until the first answer. */
  readonly exchange: () => Exchange | undefined;
  readonly held: () => readonly (readonly [at: number, bytes: number])[];
  readonly later: () => string | undefined;
}

/** Told of what somebody watches. */
export interface Watcher {
  /** More came. */
  readonly changed: (watched: Watched) => void;
  /** It is over: its position in the cassette, where that is known. */
  readonly ended: (exchange: number | undefined) => void;
}

interface Stream {
  readonly watchers: Set<Watcher>;
  head: Exchange | undefined;
  readonly places: (readonly [number, number])[];
  readonly texts: Buffer[];
  later: string | undefined;
  /** Answers that told nothing of it. */
  missing: number;
}

export interface Following {
  watch(id: number, watcher: Watcher): () => void;
  close(): void;
}

/** Milliseconds between an answer and the next question. */
const pause = 200;

/** Answers after which an exchange that has ended is not expected in the cassette any more. */
const maxMissing = 25;

/** Exchanges that have ended whose positions are remembered. */
const maxPositions = 1_000;

export function flightOf(open: Answer["open"][number], now: number, interfaces: readonly Interface[]): Flight {
  const { id, started, method, target, status, sent, came, pieces, last } = open;
  const route = routeOf(interfaces, method, target);
  const time = Math.max(0, now - started);
  return {
    id,
    ...(route && { interface: route.interface.name }),
    method,
    target,
    started,
    time,
    status,
    sent,
    came,
    pieces,
    ...(last !== undefined && { quiet: Math.max(0, time - last) }),
  };
}

/** @param tell is called with what is in flight whenever that is known anew */
export function followFlights(
  look: (question: Question) => Promise<Answer | undefined>,
  lag: () => Promise<number>,
  tell: (flights: Flights) => void,
  interfaces: readonly Interface[],
): Following {
  const streams = new Map<number, Stream>();
  /** The positions in the cassette of exchanges that ended lately. */
  const positions = new Map<number, number>();
  let closed = false;

  function take(id: number, one: Stream, { exchange, places, texts, later }: OpenStream): void {
    if (exchange && (one.head === undefined || (exchange.response && !one.head.response)))
      one.head = decodeExchange(exchange).exchange;
    one.places.push(...places);
    one.texts.push(...texts.map((text) => Buffer.from(text)));
    const isNew = one.later !== later || exchange || places.length + texts.length > 0;
    one.later = later;
    if (isNew) for (const { changed } of one.watchers) changed(watched(id, one));
  }

  /** Texts are what the events behind `places` were, masks included; a character that a mask cut changes how long one is. */
  const watched = (id: number, one: Stream): Watched => ({
    id,
    exchange() {
      const { texts, places } = one;
      if (!one.head) return undefined;
      // It goes on: the keeper gave it as if it had broken off.
      const { aborted: _goesOn, ...head } = one.head;
      if (!head.response) return head;
      const { time: _notWhole, ...response } = head.response;
      const chunks = texts.map(({ length }, i): [number, number] => [places[i]?.[0] ?? 0, length]);
      return { ...head, response: { ...response, body: Buffer.concat(texts), chunks } };
    },
    held: () => one.places.slice(one.texts.length),
    later: () => one.later,
  });

  async function ask(): Promise<void> {
    const known = Array.from(streams, ([id, { head, places, texts }]) => ({
      id,
      head: head?.response != null,
      places: places.length,
      texts: texts.length,
    }));
    const answer = await look({ streams: known });
    if (!answer || closed) return;
    const now = Date.now();
    tell({ count: answer.count, listed: answer.open.map((one) => flightOf(one, now, interfaces)), lag: await lag() });
    for (const [id, exchange] of answer.ended) positions.set(id, exchange);
    for (const id of [...positions.keys()].slice(0, -maxPositions)) positions.delete(id);
    for (const stream of answer.streams) {
      const one = streams.get(stream.id);
      if (one) take(stream.id, one, stream);
    }
    for (const { id } of known) {
      const one = streams.get(id);
      if (!one || answer.streams.some((stream) => stream.id === id)) continue;
      // Its line may be on its way to the disk: it is named once it is there.
      if (!positions.has(id) && one.missing++ < maxMissing) continue;
      streams.delete(id);
      for (const { ended } of one.watchers) ended(positions.get(id));
    }
  }

  async function follow(): Promise<void> {
    while (!closed) {
      await ask().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  void follow();

  return {
    watch(id, watcher) {
      const before = streams.get(id);
      const one: Stream = before ?? {
        watchers: new Set<Watcher>(),
        head: undefined,
        places: [],
        texts: [],
        later: undefined,
        missing: 0,
      };
      streams.set(id, one);
      one.watchers.add(watcher);
      if (before?.head) watcher.changed(watched(id, one));
      return () => {
        one.watchers.delete(watcher);
        if (one.watchers.size === 0 && streams.get(id) === one) streams.delete(id);
      };
    },
    close: () => void (closed = true),
  };
}
