/** One request and its response exactly as the wire carried them: the value every other part of touchstone works on. */

/** Header fields in the order, case and repetition they were sent in. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** The end of one piece of a body, and when it came: `[milliseconds since the exchange started, bytes in the piece]`. */
export type ChunkMark = readonly [at: number, length: number];

/**
 * The places at which credentials were taken out of a message: `/headers/authorization` (name in lower case), `/query/key`
 * (name decoded, escaped as in a JSON Pointer), `/path`, `/origin`, `/reason`, `/trailers/x`, or `/body/120-155`, a range of
 * bytes of the kept body, its end excluded; `/body` where none of it was kept, since it decodes to more than is looked through.
 * Headers and query values were replaced by `[redacted]`, all else was overwritten at the same length.
 */
export type RedactedPlaces = readonly string[];

/** A violation by a value that was masked. The value itself is not kept. */
export interface MaskedViolation {
  readonly clause: string;
  readonly in: "path" | "query" | "headers";
  /** `/name` of the parameter or header, `/cookie/name` of a cookie. */
  readonly pointer: string;
  readonly expected: string;
  /** Set if no value was sent. */
  readonly missing?: true;
  /** The reading that grades it, as in a violation. */
  readonly reading?: {
    readonly id: string;
    readonly or?: string;
    readonly default: "error" | "warning" | "note" | "unenforced" | "off";
    readonly strict: "error" | "warning" | "note" | "off";
  };
}

/** The verdict on masked values of one message, made before they were masked. */
export interface MaskedVerdict {
  /** SHA-256 of the document that describes the values. The verdict is void for any other document. */
  readonly document: string;
  /** Ids of the clauses that the masked values exercise. */
  readonly clauses: readonly string[];
  readonly violations: readonly MaskedViolation[];
}

export interface WireRequest {
  readonly method: string;
  /** Path and query as sent, e.g. `/v1/models/x:generateContent?key=k`. */
  readonly target: string;
  readonly headers: HeaderPairs;
  /** Raw body bytes, content encoding still applied. Empty when there was none. */
  readonly body: Uint8Array;
  /** Bytes that passed but were not kept, because the body exceeded the recorder's cap. */
  readonly cut?: number;
  readonly redacted?: RedactedPlaces;
  readonly judged?: MaskedVerdict;
}

/** The bytes that passed over a connection that left HTTP, as for a WebSocket: counted, not kept. */
export interface Upgraded {
  /** Bytes from the client, and bytes from the upstream, behind the heads. */
  readonly sent: number;
  readonly received: number;
  /** The side that ended the connection first. */
  readonly ended: "client" | "upstream";
}

export interface WireResponse {
  readonly status: number;
  readonly reason?: string;
  readonly headers: HeaderPairs;
  /** Raw body bytes, content encoding still applied. */
  readonly body: Uint8Array;
  /** How the body arrived; absent where the source did not keep it. Lengths add up to `body.length`. */
  readonly chunks?: readonly ChunkMark[];
  readonly trailers?: HeaderPairs;
  /** Milliseconds from the start of the exchange to the last byte. */
  readonly time?: number;
  /** Only with status 101: the connection was used for another protocol until it ended. */
  readonly upgraded?: Upgraded;
  readonly cut?: number;
  readonly redacted?: RedactedPlaces;
  readonly judged?: MaskedVerdict;
}

/** The content of a body, if it is known without its bytes: their text as UTF-8, or the JSON value whose `JSON.stringify` spelling they are. */
export type KnownBody = { readonly text: string } | { readonly json: unknown };

/** The known content of an exchange's bodies. */
export interface KnownBodies {
  readonly request: KnownBody | undefined;
  readonly response: KnownBody | undefined;
}

export interface Exchange {
  /** Scheme and authority the request went to, e.g. `https://host:443`, where known. */
  readonly origin?: string;
  /** Unix milliseconds at which the request began. */
  readonly started?: number;
  readonly request: WireRequest;
  /** Null when no response head ever came. */
  readonly response: WireResponse | null;
  /** The side that broke the exchange off before its end; what had come by then is kept. */
  readonly aborted?: "client" | "upstream";
  /** The format it was imported from; absent if it was recorded live. Others may have left out what was sent, such as credentials. */
  readonly imported?: "HAR" | "VCR";
}
