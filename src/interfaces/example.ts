/** A good exchange of an interface, by name. */
import type { Exchange } from "../wire/exchange.ts";

export interface Example {
  /** Unique within its interface, in words: `two choices with log probabilities`. */
  readonly name: string;
  readonly exchange: Exchange;
  /** The request is broken on purpose, and refused. */
  readonly probe?: boolean;
  /** Probes are made of it only where no other example has what they are about: it asks for more than they need. */
  readonly late?: boolean;
}
