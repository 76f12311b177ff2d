/** Good exchanges of the interfaces that ship with touchstone: what counterexamples are made from. */

import type { Conversation, Example, Examples } from "../check/example.ts";
import { acrossConversations } from "./across-conversations.ts";
import { conversations as chatConversations } from "./chat-completions/examples/conversations.ts";
import { examples as chatCompletions } from "./chat-completions/examples/index.ts";
import { conversations as contentConversations } from "./generate-content/examples/conversations.ts";
import { examples as generateContent } from "./generate-content/examples/index.ts";
import { conversations as imageConversations } from "./images/examples/conversations.ts";
import { examples as images } from "./images/examples/index.ts";
import { conversations as messageConversations } from "./messages/examples/conversations.ts";
import { examples as messages } from "./messages/examples/index.ts";

/** Interface name to its examples of exchanges that belong together. */
const conversations: Readonly<Record<string, readonly Conversation[]>> = {
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

/** Those of all interfaces that ship with touchstone. */
export const shippedExamples: Examples = { exchanges: examples, conversations };
