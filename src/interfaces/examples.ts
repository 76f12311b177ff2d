/** Good exchanges: what counterexamples are made from, and what `touchstone clauses ID` shows. */
import { examples as chatCompletions } from "./chat-completions/examples/index.ts";
import type { Example } from "./example.ts";
import { examples as generateContent } from "./generate-content/examples/index.ts";
import { examples as images } from "./images/examples/index.ts";
import { examples as messages } from "./messages/examples/index.ts";

/** Interface name to its examples. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  "chat-completions": chatCompletions,
  images,
  messages,
  "generate-content": generateContent,
};
