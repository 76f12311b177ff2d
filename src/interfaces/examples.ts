/** Good exchanges: what counterexamples are made from, and what `touchstone clauses ID` shows. */
import type { Exchange } from "../wire/exchange.ts";
import { examples as chatCompletions } from "./chat-completions/examples/index.ts";
import { examples as generateContent } from "./generate-content/examples/index.ts";
import { examples as images } from "./images/examples/index.ts";
import { examples as messages } from "./messages/examples/index.ts";

export interface Example {
  /** Unique within its interface, in words: `two choices with log probabilities`. */
  readonly name: string;
  readonly exchange: Exchange;
  /** The request is broken on purpose, and refused. */
  readonly probe?: boolean;
}

/** Interface name to its examples. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  "chat-completions": chatCompletions,
  images,
  messages,
  "generate-content": generateContent,
};
