/** A session of play: loads recordings, and serves them until it is closed. */
import { openSource } from "../cassette/read.ts";
import { listSources } from "../cassette/sources.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import { openServer, type ServerOptions } from "../wire/open-server.ts";
import type { Pace } from "./answer.ts";
import { createLibrary, type Library, type Standing } from "./library.ts";
import type { Redact } from "./miss.ts";
import { createMissRecorder, type RecordMisses } from "./miss-recorder.ts";
import { createPlayer, type Missed } from "./player.ts";
import type { Recording } from "./recording.ts";

export interface PlayOptions extends ServerOptions {
  /** How many times as fast as recorded; 1 by default, `Infinity` is at once. */
  readonly pace?: Pace | undefined;
  /** Whether a recording is played only once; otherwise the last of several of one request repeats. */
  readonly once?: boolean | undefined;
  /** Names of headers that requests must agree in. */
  readonly matchHeader?: readonly string[] | undefined;
  /** Gives the form in which a request is looked for, recorded or new: two addresses of one operation are one. */
  readonly standing?: Standing | undefined;
  /** Asks a service for what is not recorded, and records its answers; without it, that is answered with 404. */
  readonly recordMisses?: RecordMisses | undefined;
  /** Whether recordings of responses that broke off are never played. By default they are, up to their break, if there is no whole one of the request. */
  readonly onlyWhole?: boolean | undefined;
  /** Takes credentials out of what is shown of a miss, and of what is recorded. */
  readonly redact: Redact;
  /** Told in one sentence each what is worth knowing of the recordings. */
  readonly note?: ((sentence: string) => void) | undefined;
}

/** The counts of a session so far. */
export interface PlayCounts {
  readonly requests: number;
  /** Requests that no recording answered, and the different ones among them, the first 200. */
  readonly missed: number;
  readonly misses: readonly Missed[];
  /** Recordings there are, and those of them that were played. */
  readonly recordings: number;
  readonly played: number;
  /** Recordings nobody asked for, without what was recorded just now. */
  readonly unasked: readonly Recording[];
  /** The number of requests recorded since, and of those that could not be. */
  readonly recorded: number;
  readonly failed: number;
  /** Recorded responses with an error status. */
  readonly refusals: readonly Recording[];
  /** Whether the cassette lacks recordings, since it could not be written. */
  readonly broken: boolean;
  /** Sentences about what happened to the cassette meanwhile; recordings may be missing or not on the disk. */
  readonly troubles: readonly string[];
}

export interface Playing {
  /** `http://HOST:PORT` */
  readonly url: string;
  readonly counts: () => PlayCounts;
  /** Whether there is a recording of a request. */
  readonly has: (request: WireRequest) => boolean;
  /** Breaks off what is under way and stops listening; resolves once all that was recorded is written. */
  readonly close: () => Promise<void>;
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

async function load(
  cassettes: readonly string[],
  headers: readonly string[],
  standing: Standing | undefined,
  onlyWhole: boolean,
  note: (sentence: string) => void,
): Promise<Library> {
  const library = createLibrary(headers, standing);
  const noteCutRequest = ({ request }: Exchange, path: string, index: number): void => {
    if (request.cut)
      note(`${path}, exchange ${index}: its request was not kept whole; it answers any body sent to that address.`);
  };
  const broken: { readonly exchange: Exchange; readonly path: string; readonly index: number }[] = [];
  const sources = cassettes.length > 0 ? await listSources(cassettes) : [];
  for (const path of sources) {
    const source = await openSource(path);
    for await (const { exchange, index } of source) {
      if (exchange.response?.status === 101) {
        note(`${path}, exchange ${index}: what passed over a WebSocket is not recorded; it is not played.`);
        continue;
      }
      const isBroken = exchange.aborted !== undefined || !exchange.response || exchange.response.cut !== undefined;
      if (isBroken) {
        broken.push({ exchange, path, index });
        continue;
      }
      library.add(exchange, path, index);
      noteCutRequest(exchange, path, index);
    }
    for (const sentence of source.notes) note(sentence);
  }
  // Whole recordings of the same requests replace them.
  const isReplaced = broken.map(({ exchange }) => library.has(exchange.request));
  for (const [i, { exchange, path, index }] of broken.entries()) {
    if (onlyWhole || isReplaced[i]) {
      const instead = isReplaced[i] ? "a whole one of the same request is played" : "it is not played";
      note(`${path}, exchange ${index}: its response is not whole; ${instead}.`);
      continue;
    }
    library.add(exchange, path, index);
    noteCutRequest(exchange, path, index);
    if (exchange.response?.cut)
      note(`${path}, exchange ${index}: its response was not kept whole; it breaks off where it was cut.`);
  }
  note(`${counted(library.all.length, "recording")} from ${counted(sources.length, "file")}`);
  return library;
}

/**
 * Serves recorded responses; resolves once it listens. UserError for what cannot be read, written or listened on.
 * @param cassettes recordings, folders of them, or `-`
 */
export async function play(cassettes: readonly string[], options: PlayOptions): Promise<Playing> {
  const { pace = 1, once = false, recordMisses, redact, note = () => undefined } = options;
  const headers = (options.matchHeader ?? []).map((name) => name.toLowerCase());
  const library = await load(cassettes, headers, options.standing, options.onlyWhole ?? false, note);
  const recorder = recordMisses && (await createMissRecorder(recordMisses, library, redact, note));
  const player = createPlayer(library, { pace, headers, once, redact, onMiss: recorder?.answer });
  const server = await openServer(player.handler, options).catch(async (error: unknown) => {
    await recorder?.close();
    throw error;
  });
  return {
    url: server.url,
    has: library.has,
    counts() {
      const { listed, count } = player.misses();
      const added = new Set(recorder?.recorded());
      const unasked = player.unasked();
      return {
        requests: player.requests(),
        missed: count,
        misses: listed,
        recordings: library.all.length,
        played: library.all.length - unasked.length,
        unasked: unasked.filter((recording) => !added.has(recording)),
        recorded: added.size,
        refusals: [...added].filter(({ exchange }) => exchange.response!.status >= 400),
        failed: recorder?.failed() ?? 0,
        broken: recorder?.broken() ?? false,
        troubles: recorder?.troubles() ?? [],
      };
    },
    async close() {
      await server.close();
      await recorder?.close();
    },
  };
}
