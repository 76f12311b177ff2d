/** Good exchanges of interfaces: what counterexamples and probes are made from. */
import type { Exchange } from "../wire/exchange.ts";

/** A good exchange of an interface, by name. */
export interface Example {
  /** Unique within its interface, in words: `two choices with log probabilities`. */
  readonly name: string;
  readonly exchange: Exchange;
  /** The request is broken on purpose, and refused. */
  readonly probe?: boolean;
  /** Probes are made of it only where no other example has what they are about: it asks for more than they need. */
  readonly late?: boolean;
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
}
