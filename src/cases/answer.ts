/** An answer as the case server sends it: what HTTP libraries write, and much that they would not. */
import type { HeaderPairs } from "../wire/exchange.ts";
import type { Said } from "./speech.ts";

/** Bytes, after a wait in milliseconds. */
export interface AnswerPiece {
  readonly bytes: Uint8Array;
  readonly after?: number;
}

/** Bytes that are sent over and over until the client leaves or too many have gone. */
export interface Endless {
  readonly in: "head" | "body";
  readonly bytes: Uint8Array;
  /** Milliseconds between two of them; 0: as fast as the client reads. */
  readonly every: number;
}

export interface Answer {
  readonly status: number;
  readonly reason?: string;
  /** Without those that say how the body is framed. */
  readonly headers: HeaderPairs;
  readonly pieces: readonly AnswerPiece[];
  /** `chunked` for streams and `length` for whole replies, unless said. `close`: the body ends with the connection. */
  readonly framing?: "chunked" | "length" | "close";
  /** The text between the name of a header and its value; `: ` unless said. */
  readonly headerSeparator?: string;
  /** Bytes before the head, such as an informational response. */
  readonly before?: Uint8Array;
  /** Whether everything that needs no wait leaves in one write, from the head to the end. */
  readonly isAtOnce?: true;
  /** Milliseconds before the first byte. */
  readonly delay?: number;
  /** Bytes of the head that are sent at a time; all unless said. */
  readonly headStride?: number;
  /** Bytes of the head after which nothing more of it comes; all of it unless said. */
  readonly headEnd?: number;
  /** Behind the size of each chunk, such as `;name=value`. */
  readonly chunkExtension?: string;
  readonly trailers?: HeaderPairs;
  /** Bytes sent after the last piece as they are, outside any chunk. */
  readonly raw?: Uint8Array;
  readonly endless?: Endless;
  /**
   * The end after the last piece. `whole`: the body ends as it should. `close`: the connection ends without that. `reset`: it
   * breaks. `hold`: nothing more comes.
   */
  readonly end?: "whole" | "close" | "reset" | "hold";
  /** The Content-Length that is told, where it is not that of the body. */
  readonly toldLength?: number;
  /** Whether the server closes the connection after the answer, and says so. */
  readonly closes?: boolean;
  /** The part that a client should hand back. */
  readonly said: Said;
  /** Whether all of it is there: false where it fails, or is cut. */
  readonly isComplete: boolean;
}
