/** An exchange as a page shows it: plain JSON, bounded, everything that takes Node to read already read. */
import type { ReplyPart } from "../check/reply-parts.ts";
import type { HeaderPairs, Upgraded } from "../wire/exchange.ts";

/** A text of which the middle or the end may have been left out. */
export interface ViewedText {
  readonly text: string;
  /** `[position in text, characters left out there]`, in order. */
  readonly cuts?: readonly (readonly [at: number, left: number])[];
  /** `[position in text, byte]` of bytes that are not UTF-8; the text has U+FFFD there. In order, the first thousand. */
  readonly broken?: readonly (readonly [at: number, byte: number])[];
  /** Images written as base64 in a string of JSON; of the string only its beginning is kept in the text. */
  readonly images?: readonly PlacedImage[];
}

/** The facts about an image, without showing it. */
export interface ViewedImage {
  readonly format: "png" | "jpeg" | "webp" | "gif";
  /** Pixels; absent where the header does not say. */
  readonly width?: number;
  readonly height?: number;
  readonly alpha?: boolean;
  readonly bytes: number;
  /** The image as base64; absent where it is too large for a page. */
  readonly data?: string;
}

export interface PlacedImage extends ViewedImage {
  /** Position in the text of the string's opening quote. */
  readonly at: number;
}

/** One event of a stream. */
export interface ViewedEvent extends ViewedText {
  /** 0-based position in the stream. */
  readonly position: number;
  /** Milliseconds since the exchange began, at which its last byte had come; absent where that is not known. */
  readonly time?: number;
  /** The `event:` field. */
  readonly event?: string;
  readonly id?: string;
  /** Milliseconds of its `retry:` field. */
  readonly retry?: number;
  /** Why its data is no JSON; absent where it is, and of a word such as `[DONE]`. */
  readonly problem?: string;
}

/** One field of a form. */
export interface ViewedField {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly bytes: number;
  /** Exactly one of these: a text, a file that is an image, the first bytes of another file in hexadecimal. */
  readonly value?: ViewedText;
  readonly image?: ViewedImage;
  readonly hex?: string;
}

export type ViewedBody =
  /** JSON as it was sent, white space included. */
  | ({ readonly kind: "json" } & ViewedText)
  /** Neither JSON nor a stream; `problem` is what the JSON parser said where JSON was meant. */
  | ({ readonly kind: "text"; readonly problem?: string } & ViewedText)
  | {
      readonly kind: "stream";
      /** How many events came; `events` may lack some in the middle. */
      readonly count: number;
      readonly events: readonly ViewedEvent[];
      /** False where the last event lacks its closing blank line. */
      readonly terminated: boolean;
    }
  | {
      readonly kind: "form";
      /** How many fields there are; the first thousand are listed. */
      readonly count: number;
      readonly fields: readonly ViewedField[];
      readonly problem?: string;
    }
  | { readonly kind: "image"; readonly image: ViewedImage }
  /** Bytes that cannot be read as any of these: the first of them in hexadecimal, and why. */
  | { readonly kind: "bytes"; readonly hex: string; readonly problem: string };

interface ViewedMessage {
  readonly headers: HeaderPairs;
  /** Absent where it is empty. */
  readonly body?: ViewedBody;
  /** Bytes of the body on the wire, as far as they were kept. */
  readonly bytes: number;
  /** Bytes that passed and were not recorded. */
  readonly unrecorded?: number;
  /** The places where credentials were taken out, as `RedactedPlaces` has it. */
  readonly redacted?: readonly string[];
}

export interface ViewedRequest extends ViewedMessage {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
}

export interface ViewedResponse extends ViewedMessage {
  readonly status: number;
  readonly reason?: string;
  readonly trailers?: HeaderPairs;
  /** Milliseconds from the start of the exchange to the first and to the last byte of the body, where known. */
  readonly first?: number;
  readonly time?: number;
  readonly upgraded?: Upgraded;
}

export interface ViewedExchange {
  /** Its source in findings. */
  readonly source: string;
  readonly exchange: number;
  /** Why it was asked: `scenario`, `twin`, `probe`, `smoke test`, `recording`. */
  readonly part?: string;
  /** Method and path of the operation; absent where no document describes it. */
  readonly operation?: string;
  readonly interface?: string;
  readonly origin?: string;
  /** Unix milliseconds. */
  readonly started?: number;
  readonly request: ViewedRequest;
  readonly response: ViewedResponse | null;
  readonly aborted?: "client" | "upstream";
  /** Why no whole answer came, in words. */
  readonly failure?: string;
  /** The parts of a successful reply; pieces in events that are not listed are left out. */
  readonly replyParts?: readonly ReplyPart[];
}
