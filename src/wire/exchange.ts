/** One request and its response exactly as the wire carried them: the value every other part of touchstone works on. */

/** Header fields in the order, case and repetition they were sent in. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** Where one piece of a body ended and when it came: `[milliseconds since the exchange started, bytes in the piece]`. */
export type ChunkMark = readonly [at: number, length: number];

/**
 * Where credentials were taken out of a message: `/headers/authorization` (name in lower case), `/query/key` (name decoded,
 * escaped as in a JSON Pointer), `/path`, `/origin`, `/reason`, `/trailers/x`, or `/body/120-155`, a range of bytes of the
 * body as it is kept, its end excluded; `/body` where none of it was kept, since it decodes to more than is looked through.
 * Headers and query values were replaced by `[redacted]`, all else was overwritten at the same length.
 */
export type RedactedPlaces = readonly string[];

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
}

/** What passed over a connection that left HTTP, as for a WebSocket: counted, not kept. */
export interface Upgraded {
  /** Bytes from the client, and bytes from the upstream, behind the heads. */
  readonly sent: number;
  readonly received: number;
  /** Who ended the connection first. */
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
}

/**
 * What the bytes of a body say, where that is known without them: their text as UTF-8, or the JSON value that they are spelt of as
 * `JSON.stringify` spells it.
 */
export type KnownBody = { readonly text: string } | { readonly json: unknown };

/** What is known of the bodies of an exchange. */
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
  /** Who broke the exchange off before its end; what had come by then is kept. */
  readonly aborted?: "client" | "upstream";
  /** What it was imported from; absent where it was recorded live. Others may have left out what was sent, such as credentials. */
  readonly imported?: "HAR" | "VCR";
}
