/** Answers misses of a played session: asks the real service for what is not recorded, passes its answer on, and keeps it. */
import { setTimeout as after } from "node:timers/promises";
import { decodeExchange } from "../cassette/decode.ts";
import { createCassetteWriter } from "../cassette/writer.ts";
import { UserError } from "../user-error.ts";
import type { Exchange, HeaderPairs, WireRequest, WireResponse } from "../wire/exchange.ts";
import { hopByHop } from "../wire/headers.ts";
import type { Piece, Reply } from "../wire/listen.ts";
import { createSender, joinUrl, type Sent } from "../wire/send.ts";
import { fieldsOf, isBodyless } from "./answer.ts";
import type { Library } from "./library.ts";
import type { Redact } from "./miss.ts";
import type { Recording } from "./recording.ts";

export interface RecordMisses {
  /** Base URL of the service to ask. */
  readonly upstream: string;
  /** A cassette of lines for what it answers: a new one, or with `adds` also one that is there. */
  readonly out: string;
  readonly adds?: boolean;
}

export interface MissRecorder {
  readonly answer: (request: WireRequest, left: AbortSignal) => Promise<Reply>;
  /** The recordings made so far. */
  readonly recorded: () => readonly Recording[];
  /** Requests without a whole response: nothing of it is kept. */
  readonly failed: () => number;
  /** Whether the cassette lacks recordings, since it could not be written. */
  readonly broken: () => boolean;
  /** Sentences about a disk that refuses the cassette, and about what others do to it. */
  readonly troubles: () => readonly string[];
  readonly close: () => Promise<void>;
}

const noBytes = new Uint8Array(0);

/** Answers may take minutes to begin. */
const limits = { maxIdleMs: 900_000, maxTimeMs: 3_600_000, maxBodyBytes: 256 << 20 };

/** Larger response bodies are read from the cassette when they are played, and so are all once this many bytes are held. */
const maxHeldBody = 64 << 10;
const maxHeld = 32 << 20;

/** Pieces as they come in, for one reader. */
function createQueue(): { push(piece: Piece): void; end(error?: Error): void; pieces: AsyncIterable<Piece> } {
  const waiting: Piece[] = [];
  let ended = false;
  let failure: Error | undefined;
  let wake = (): void => undefined;
  return {
    push(piece) {
      waiting.push(piece);
      wake();
    },
    end(error) {
      ended = true;
      failure = error;
      wake();
    },
    pieces: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const piece = waiting.shift();
          if (piece) yield piece;
          else if (failure) throw failure;
          else if (ended) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      },
    },
  };
}

/** The fields to send upstream: the client's without those of its own connection; undici frames the body anew. */
function forwarded(headers: HeaderPairs, host: string): HeaderPairs {
  return headers.flatMap(([name, value]): HeaderPairs => {
    const lower = name.toLowerCase();
    if (lower === "host") return [[name, host]];
    return hopByHop.has(lower) || lower === "expect" || lower === "content-length" || lower === "trailer"
      ? []
      : [[name, value]];
  });
}

function upstreamFrom(text: string): URL {
  try {
    const url = new URL(text);
    if (url.protocol === "http:" || url.protocol === "https:") return url;
  } catch {
    // Said below.
  }
  throw new UserError(`--upstream ${text} is no address`, "Write for example --upstream https://api.example.com.");
}

/**
 * Opens the cassette for what will be recorded; throws UserError.
 * @param redact takes credentials out of what is kept
 * @param note called with each sentence of `troubles`
 */
export async function createMissRecorder(
  { upstream, out, adds = false }: RecordMisses,
  library: Library,
  redact: Redact,
  note: (sentence: string) => void,
): Promise<MissRecorder> {
  const base = upstreamFrom(upstream);
  const troubles: string[] = [];
  const writer = await createCassetteWriter(out, {
    shared: adds,
    trouble(sentence) {
      troubles.push(sentence);
      note(`touchstone: ${sentence}`);
    },
  });
  const sender = createSender(limits);
  const recorded: Recording[] = [];
  const asking = new Set<Promise<unknown>>();
  const open = new Set<Promise<unknown>>();
  let failed = 0;
  let position = writer.position().exchanges;
  let held = 0;
  let broken = false;
  let reading: Promise<unknown> = Promise.resolve();

  /** Reads recordings one after another: while one is read, it takes several times the memory of its body. */
  function readAlone(read: () => Promise<Exchange>): Promise<Exchange> {
    const own = reading.then(read);
    reading = own.catch(() => {});
    return own;
  }

  /**
   * Adds a whole response to the library and to the cassette. The client sees its end only when it is written, unless the disk fails:
   * a killed player loses no response that its client has seen whole.
   */
  async function keep({ exchange, failure }: Sent, request: WireRequest, left: AbortSignal): Promise<void> {
    const { response, aborted } = exchange;
    if (!response || failure || aborted !== undefined || left.aborted) {
      failed++;
      return;
    }
    const safe = redact({ ...exchange, request });
    const stored = writer.append(safe);
    const size = safe.response!.body.length;
    const isHeld = size <= maxHeldBody && held + size <= maxHeld;
    if (isHeld) held += size;
    const read = (): Promise<Exchange> =>
      readAlone(async () => {
        const line = await writer.read(await stored);
        return decodeExchange(JSON.parse(line.toString("utf8")), out).exchange;
      });
    const slim: Exchange = { ...safe, response: { ...safe.response!, body: noBytes, chunks: [] } };
    recorded.push(isHeld ? library.add(safe, out, position) : library.add(slim, out, position, read));
    position++;
    const done = stored.then(
      () => {},
      () => void (broken = true),
    );
    open.add(done);
    let isDone = false;
    void done.then(() => {
      isDone = true;
      open.delete(done);
    });
    while (!isDone && !writer.isFailing()) await Promise.race([done, after(100)]);
  }

  function answer(request: WireRequest, left: AbortSignal): Promise<Reply> {
    const { origin, target } = joinUrl(base.href, request.target);
    const asked = { ...request, target, headers: forwarded(request.headers, base.host) };
    const queue = createQueue();
    let trailers: WireResponse["trailers"];
    let announced = Number.NaN;
    let passed = 0;
    /** The piece that completes a body of announced length: its client may wait for no other end. */
    let last: Piece | undefined;
    /** Passes on a head that ends its response. */
    let passHead = (): void => {};
    return new Promise((resolve) => {
      const sent = sender.send(origin, asked, {
        left,
        head(head) {
          announced = Number(head.headers.find(([name]) => name.toLowerCase() === "content-length")?.[1]);
          const isEnd = announced === 0 || isBodyless(request.method, head.status);
          const reply: Reply = {
            status: head.status,
            ...(head.reason !== undefined && { reason: head.reason }),
            headers: passedOn(head, request.method),
            pieces: [],
            more: queue.pieces,
            get trailers() {
              return trailers ?? [];
            },
            exact: true,
          };
          if (isEnd) passHead = () => resolve(reply);
          else resolve(reply);
        },
        piece(bytes) {
          passed += bytes.length;
          if (passed === announced) last = { bytes };
          else queue.push({ bytes });
        },
      });
      const done = sent.then(async (result) => {
        trailers = result.exchange.response?.trailers;
        await keep(result, request, left);
        passHead();
        if (last) queue.push(last);
        queue.end(result.failure && new Error(result.failure.problem));
        if (result.failure && !result.exchange.response) resolve(unreached(result.failure.problem, base));
      });
      asking.add(done);
      done.finally(() => asking.delete(done));
    });
  }

  return {
    answer,
    recorded: () => recorded,
    failed: () => failed,
    broken: () => broken,
    troubles: () => troubles,
    async close() {
      await Promise.all(asking);
      await sender.close();
      await Promise.all([writer.close(), ...open]);
    },
  };
}

/** The head's fields on their way to the client; how much follows is not known yet, so a length is believed. */
function passedOn(head: Pick<WireResponse, "status" | "headers">, method: string): HeaderPairs {
  return fieldsOf({ ...head, body: noBytes }, isBodyless(method, head.status), true);
}

function unreached(problem: string, { origin }: URL): Reply {
  const message = `${origin} gave no answer to record: ${problem}`;
  return {
    status: 502,
    headers: [["Content-Type", "application/json"]],
    pieces: [
      { bytes: Buffer.from(JSON.stringify({ type: "error", error: { type: "upstream_unreachable", message } })) },
    ],
  };
}
