/** A whole reply and its question in words of no interface: what laws compare if a target speaks several interfaces. */
import type { Spot } from "./rule.ts";

/** Why a reply ended, as far as that means the same in every interface. */
export type Ending = "at the token bound" | "by itself";

/** A value of a reply, and its place there. */
interface Placed {
  readonly value: string;
  readonly spot: Spot;
}

export interface ComparableReply {
  /** The same text for the same question of one user, within the same bound. */
  readonly question: string;
  /** The maximum number of tokens in the reply. */
  readonly maxTokens?: number;
  /** The text of the first choice. */
  readonly text: string;
  /** The calls of tools, each by the JSON text of its arguments. */
  readonly calls: readonly Placed[];
  /** Why it ended, as it is written there. */
  readonly finish?: Placed;
  readonly ending?: Ending;
  /** Tokens of the reply. */
  readonly generated?: number;
}
