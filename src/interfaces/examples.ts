/** Good exchanges: what counterexamples are made from, and what `touchstone clauses ID` shows. */
import type { Exchange } from "../wire/exchange.ts";
import { acrossConversations } from "./across-conversations.ts";
import { conversations as chatConversations } from "./chat-completions/examples/conversations.ts";
import { examples as chatCompletions } from "./chat-completions/examples/index.ts";
import type { Example } from "./example.ts";
import { conversations as contentConversations } from "./generate-content/examples/conversations.ts";
import { examples as generateContent } from "./generate-content/examples/index.ts";
import { conversations as imageConversations } from "./images/examples/conversations.ts";
import { examples as images } from "./images/examples/index.ts";
import { conversations as messageConversations } from "./messages/examples/conversations.ts";
import { examples as messages } from "./messages/examples/index.ts";

/** Good exchanges that belong together: what laws are proven on. */
export interface Conversation {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** Interface name to its examples of exchanges that belong together. */
export const conversations: Readonly<Record<string, readonly Conversation[]>> = {
  "chat-completions": [...chatConversations, ...acrossConversations],
  images: imageConversations,
  messages: [...messageConversations, ...acrossConversations],
  "generate-content": [...contentConversations, ...acrossConversations],
};

/** Interface name to its examples. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  "chat-completions": chatCompletions,
  images,
  messages,
  "generate-content": generateContent,
};
