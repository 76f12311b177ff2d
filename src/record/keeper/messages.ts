/** The messages between the recorder and its keeper, a process of its own. */
import type { ExchangeJson, Gap } from "../../cassette/format.ts";
import type { Position } from "../../cassette/open-for-writing.ts";
import type { Bindings } from "../../check/names.ts";

/** The keeper's first line of input; frames follow it. */
export interface KeeperSettings {
  /** The cassette to create. */
  readonly out: string;
  /** The parties' names for the documents' names; later layers win. */
  readonly bindings: readonly Bindings[];
  readonly keepHeaders: readonly string[];
  /** Paths of users' own documents, which say what values of parameters may be kept and judge the others. */
  readonly documents: readonly string[];
  /** Sources of regular expressions. */
  readonly redact: readonly string[];
  /** Forces each exchange onto the disk before it counts as written. */
  readonly sync?: boolean | undefined;
  /** The state that a keeper left that ended; the cassette is there already then. */
  readonly after?: KeeperState;
}

/** The state that a keeper hands to the next one, which receives the frames of all exchanges not yet written. */
export interface KeeperState {
  readonly position: Position;
  readonly counts: Omit<Kept, "kept">;
  /** The exchanges that could not be written and are not marked in the cassette yet. */
  readonly gap?: Gap | undefined;
  /** Credentials that clients sent and that are looked for in all exchanges. They travel through pipes only. */
  readonly remembered: readonly string[];
}

/** The counts of what was kept. */
export interface Kept {
  /** Exchanges that are in the cassette, and those that could not be written. */
  readonly kept: number;
  readonly lost: number;
  /** Exchanges that are not kept, since taking out their credentials failed. */
  readonly broken: number;
}

/** The question of somebody who watches exchanges that have not ended. */
export interface Question {
  /** Exchanges whose streams are watched, with what is known of each: whether its head, and of how many events the place and the text. */
  readonly streams: readonly {
    readonly id: number;
    readonly head: boolean;
    readonly places: number;
    readonly texts: number;
  }[];
}

/** An exchange that has not ended, redacted. */
export interface OpenExchange {
  readonly id: number;
  /** Unix milliseconds. */
  readonly started: number;
  readonly method: string;
  readonly target: string;
  /** Null while no head has come. */
  readonly status: number | null;
  /** Bytes of the bodies so far. */
  readonly sent: number;
  readonly came: number;
  /** Pieces that the answer came in, and milliseconds since the start at which the last one did. */
  readonly pieces: number;
  readonly last?: number;
}

/** The new part of a stream that has not ended, redacted. */
export interface OpenStream {
  readonly id: number;
  /** The exchange without the response's body; its request's body once the response has begun. */
  readonly exchange?: ExchangeJson;
  /** `[milliseconds, bytes]` of further whole events. */
  readonly places: readonly (readonly [at: number, bytes: number])[];
  /** The bytes of further settled events as text. */
  readonly texts: readonly string[];
  /** Why texts are shown at the end only. */
  readonly later?: string;
}

export interface Answer {
  /** Exchanges that have not ended; those that began first and last are listed. */
  readonly count: number;
  readonly open: readonly OpenExchange[];
  readonly streams: readonly OpenStream[];
  /** Exchanges that have ended lately, each with its position in the cassette. */
  readonly ended: readonly (readonly [id: number, exchange: number])[];
}

/** An exchange that is not written, and the gap in the cassette with it. */
export interface Refused {
  readonly id: number;
  readonly as: "lost" | "broken";
  readonly gap?: Gap | undefined;
}

/** One line of the keeper's output. */
export type KeeperMessage =
  | { readonly ready: Position }
  /** Said while exchanges are stored, a few times a second: acknowledges what is written. */
  | { readonly state: KeeperState }
  /** Said at once when it is decided that an exchange is not written. */
  | { readonly refused: Refused }
  | { readonly failure: { readonly message: string; readonly remedy: string | undefined } }
  | { readonly trouble: string }
  | { readonly answer: Answer }
  | { readonly kept: Kept };
