/** The messages between the live page and the recorder, as plain JSON. */
import type { Clause, Finding } from "../check/clause.ts";
import type { ViewedExchange } from "../view/viewed.ts";

/** The first message to the page. */
export interface SessionShown {
  /** The address for clients: `http://HOST:PORT`. */
  readonly url: string;
  /** The addresses of requests: base URLs, each with the interface it is for. */
  readonly upstreams: readonly (readonly [interfaceName: string | null, url: string])[];
  /** The cassette. */
  readonly out: string;
  /** The folder that cassettes are saved below. */
  readonly recordings: string;
  /** Sections of `recordings/`, by interface. */
  readonly sections: Readonly<Record<string, readonly string[]>>;
  /** Variables that hold a key for requests that are sent again. */
  readonly keys: readonly string[];
}

/** An exchange that was kept and judged. */
export interface Row {
  /** Its position in the cassette. */
  readonly exchange: number;
  /** Undefined where no document has its operation. */
  readonly interface?: string;
  readonly operation: string;
  /** Method and path. */
  readonly asked: string;
  /** Null when no response came. */
  readonly status: number | null;
  /** When it began, in milliseconds since 1970. */
  readonly started?: number;
  /** Milliseconds. */
  readonly time?: number;
  readonly aborted?: "client" | "upstream";
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Ids of the clauses that were violated, the worst first; a few of them. */
  readonly clauses: readonly string[];
  /** The sentence of the first of them; absent if there is none. */
  readonly says?: string;
  /** Why there is no verdict on some of it, or on all. */
  readonly unjudged?: string;
}

/** An exchange in flight. */
export interface Flight {
  readonly id: number;
  readonly interface?: string;
  readonly method: string;
  readonly target: string;
  /** When it began, in milliseconds since 1970. */
  readonly started: number;
  /** Milliseconds that it lasts. */
  readonly time: number;
  readonly status: number | null;
  /** Bytes of the request's body and of the answer's so far; pieces of the answer, and milliseconds since the last came. */
  readonly sent: number;
  readonly came: number;
  readonly pieces: number;
  readonly quiet?: number;
}

/** The exchanges in flight now. */
export interface Flights {
  readonly count: number;
  /** Those that began first and last. */
  readonly listed: readonly Flight[];
  /** Bytes of the cassette that are not judged yet. */
  readonly lag: number;
}

/** The part of an exchange in flight that can be shown. */
export interface FlightShown {
  readonly exchange: ViewedExchange;
  /** Events that came whole and whose text is held back, since it may still turn out to hold a key: milliseconds and bytes. */
  readonly held: readonly (readonly [at: number, bytes: number])[];
  /** Why the answer's body is shown at the end only. */
  readonly later?: string;
}

/** One exchange whole. */
export interface Detail {
  readonly exchange: ViewedExchange;
  readonly findings: readonly Finding[];
  /** The clauses that the findings name. */
  readonly clauses: readonly Clause[];
  readonly readings: Readonly<Record<string, ReadingShown>>;
  /** The command that sends the request; absent where not all of it is known. */
  readonly curl?: string;
  /** Undefined where findings are known; else why they are not. */
  readonly unjudged?: string;
}

/** A question that the documents leave open, and how it is read. */
export interface ReadingShown {
  readonly asks: string;
  readonly default: string;
  readonly strict: string;
}

/** Sends a request once more. */
export interface SendAsked {
  readonly exchange: number;
  /** A base URL; null is the upstream, through the recorder, which keeps what comes. */
  readonly to: string | null;
  /** Stands in place of the recorded body. */
  readonly body?: string;
}

export type SendAnswered =
  /** Kept: it is among the others. */
  { readonly status: number | null } | { readonly detail: Detail };

/** Searches exchanges for words, from the latest to the first. */
export interface SearchAsked {
  readonly words: readonly string[];
  /** Only exchanges before this one. */
  readonly before: number;
}

export interface SearchAnswered {
  readonly found: readonly number[];
  /** The search goes on before this exchange; 0 once all were searched. */
  readonly before: number;
}

/** Makes a cassette of exchanges. */
export interface SaveAsked {
  readonly exchanges: readonly number[];
  readonly interface: string;
  readonly section: string;
  readonly name: string;
}

export interface SaveAnswered {
  /** The file, where it was written. */
  readonly path: string;
  /** How `run` sends what was saved. */
  readonly command: string;
  /** Notes that are worth knowing, as sentences. */
  readonly notes: readonly string[];
}

/** A cassette that is not written anywhere. */
export interface CassetteAnswered {
  readonly text: string;
  readonly notes: readonly string[];
}

/** The answer to a request that cannot be met, under status 200: browsers call all others an error of the page. */
export interface Refused {
  readonly problem: string;
  readonly remedy: string;
}
