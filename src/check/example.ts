/** Good exchanges of interfaces: what counterexamples and probes are made from. */
import type { Exchange } from "../wire/exchange.ts";
import type { Bindings } from "./names.ts";

/** A good exchange of an interface, by name. */
export interface Example {
  /** Unique within its interface, in words: `two choices with log probabilities`. */
  readonly name: string;
  readonly exchange: Exchange;
  /** The request is broken on purpose, and refused. */
  readonly probe?: boolean;
  /** Probes are made of it only where no other example has what they are about: it asks for more than they need. */
  readonly late?: boolean;
  /** It stands in a recording of the user's own. */
  readonly recorded?: boolean;
}

/** A recording in a folder of a user's own documents. */
export interface OwnRecording {
  /** The file. */
  readonly path: string;
  readonly section: string;
  readonly name: string;
  readonly needs: readonly string[];
  readonly violates: readonly string[];
  readonly bindings: Bindings;
  readonly exchanges: readonly {
    readonly exchange: Exchange;
    /** Values of earlier answers that its request takes over. */
    readonly bind?: readonly {
      readonly from: { readonly exchange: number; readonly pointer: string };
      readonly to: string;
    }[];
  }[];
}

/** A recording that violates clauses on purpose. */
export interface Negative extends Pick<OwnRecording, "path" | "violates" | "bindings"> {
  readonly exchanges: readonly Exchange[];
}

/** Good exchanges that belong together: what laws are proven on. */
export interface Conversation {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** Interface name to its examples, each alone and those that belong together. */
export interface Examples {
  readonly exchanges: Readonly<Record<string, readonly Example[]>>;
  readonly conversations: Readonly<Record<string, readonly Conversation[]>>;
  /** Recordings of users' own that say which clauses they violate. */
  readonly negatives?: Readonly<Record<string, readonly Negative[]>>;
  /** Recordings of users' own that are no examples, each with the reason, as sentences. */
  readonly left?: readonly string[];
  /** Interface name to places of a user's own document that no example shows, each with the reason. */
  readonly unexampled?: Readonly<Record<string, ReadonlyMap<string, string>>>;
  /** What recordings say wrongly, as sentences. */
  readonly wrong?: readonly string[];
}
