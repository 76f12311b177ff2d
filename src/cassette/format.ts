/** The cassette document as it stands in a file, and what a reader makes of it. */
import type { Exchange, MaskedVerdict, RedactedPlaces, Upgraded } from "../wire/exchange.ts";

/** The version this code reads and writes. */
export const cassetteVersion = 1;

/** The names in a cassette for neutral names of the documents, e.g. `{ "names": { "partner-version": "anthropic-version" } }`. */
export interface RecordedBindings {
  readonly names?: Readonly<Record<string, string | readonly string[]>>;
  readonly models?: Readonly<Record<string, readonly string[]>>;
  readonly credentials?: "kept" | "may-be-dropped";
}

/** The header of a cassette: the first line of a `.jsonl`, the members beside `exchanges` of a `.json`. */
export interface CassetteHeader {
  readonly title?: string;
  /** Name of the interface it speaks, e.g. `messages`. */
  readonly interface?: string;
  /** The interface of each exchange, where they speak several. */
  readonly spans?: readonly string[];
  /** The abilities that a target must have for the requests to make sense, e.g. `tools`. */
  readonly needs?: readonly string[];
  /** Ids of the clauses it breaks on purpose; it is a negative test then. */
  readonly violates?: readonly string[];
  /** A feature that its requests ask for and no document describes: a target may refuse it. */
  readonly undocumented?: string;
  readonly bindings?: RecordedBindings;
}

/** A value of an earlier response that a request takes over when the cassette is replayed. */
export interface Bind {
  /** 0-based position of the earlier exchange, and JSON Pointer into its response body. */
  readonly from: { readonly exchange: number; readonly pointer: string };
  /** JSON Pointer into this request's body. */
  readonly to: string;
}

/** Times of a trip through a gateway that no chunk of its exchanges shows, in milliseconds. */
export interface TripTiming {
  /** In `slow`: when the upstream sent its last piece, on the clock of the client's exchange. */
  readonly upstreamEnded?: number;
  /** In `disconnect`: how long after the client had left its upstream connection closed; null where it stayed open until the bound. */
  readonly disconnectReached?: number | null;
  /** How long after its request the client stopped waiting for an answer, or for the rest of one. */
  readonly gaveUp?: number;
}

/** Why a run or a check has an exchange: in the evidence that it leaves. */
export interface SentJson {
  /** Its source, as findings name it. */
  readonly source: string;
  readonly exchange: number;
  /** `scenario` of a recording, `twin`, `probe`, `smoke test`, or `recording` where nothing was asked. */
  readonly part: string;
  readonly interface?: string;
  /** The shard of a run that asked it. */
  readonly shard?: { readonly index: number; readonly of: number };
  /** Why no whole answer came. */
  readonly failure?: string;
  /** HTTP does not let the request pass. */
  readonly unsendable?: true;
  /** How often it was sent, where more than once: the answers before this one only said "later", and are not kept. */
  readonly tries?: number;
  /** What the upstream of a gateway was made to do meanwhile; absent for a plain good answer. */
  readonly situation?: string;
  /** How a gateway ended on this trip. */
  readonly ended?: string;
  readonly timing?: TripTiming;
  /** SHA-256 of bodies of which only the beginning is kept, as they came. */
  readonly whole?: { readonly request?: string; readonly response?: string };
}

/** Exchanges that ended after the one that has this, and are missing since the disk refused them. */
export interface Gap {
  /** ISO 8601 times at which the first and the last of them ended. */
  readonly from: string;
  readonly to: string;
  readonly exchanges: number;
}

/** One exchange of a cassette or HAR file. */
export interface Recorded {
  readonly exchange: Exchange;
  readonly bind?: readonly Bind[];
  readonly asked?: SentJson;
  readonly gap?: Gap;
}

/** The members beside an exchange in its line. */
export type Extras = Pick<Recorded, "bind" | "asked" | "gap">;

export interface Cassette {
  readonly header: CassetteHeader;
  readonly exchanges: readonly Recorded[];
}

/** `[milliseconds, text]`, or base64 where the piece is not UTF-8 on its own, as when a character was cut in two. */
export type ChunkJson = readonly [at: number, text: string] | readonly [at: number, data: string, form: "base64"];

/** A body: exactly one of four forms; raw wire bytes, content encoding still applied. Absent where it is empty. */
export type BodyJson =
  /** Only where `JSON.stringify` gives the same bytes. */
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly chunks: readonly ChunkJson[] };

type Pairs = readonly (readonly [name: string, value: string])[];

/** One exchange: a line of a `.jsonl`, an item of `exchanges` in a `.json`. */
export interface ExchangeJson {
  /** ISO 8601 time at which the request began. */
  readonly started?: string;
  readonly origin?: string;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: Pairs;
    readonly body?: BodyJson;
    /** Bytes that passed but were not kept. */
    readonly cut?: number;
    readonly redacted?: RedactedPlaces;
    readonly judged?: MaskedVerdict;
  };
  readonly response: {
    readonly status: number;
    readonly reason?: string;
    readonly headers: Pairs;
    readonly body?: BodyJson;
    /** Milliseconds after which a body came that arrived in one piece; one in several pieces is written as `chunks`. */
    readonly arrived?: number;
    readonly trailers?: Pairs;
    /** Milliseconds from the start of the exchange to the last byte. */
    readonly time?: number;
    /** The bytes that passed over a connection that left HTTP with status 101. */
    readonly upgraded?: Upgraded;
    readonly cut?: number;
    readonly redacted?: RedactedPlaces;
    readonly judged?: MaskedVerdict;
  } | null;
  readonly aborted?: "client" | "upstream";
  /** The format it was imported from, if it was not recorded live. */
  readonly imported?: "HAR" | "VCR";
  readonly bind?: readonly Bind[];
  readonly asked?: SentJson;
  readonly gap?: Gap;
}
