/** Good exchanges of the interfaces that ship with touchstone: what counterexamples are made from. */

import type { Conversation, Example, Examples } from "../check/example.ts";
import { conversations as chatConversations, cutOff as chatCutOff } from "./chat-completions/examples/conversations.ts";
import { examples as chatCompletions } from "./chat-completions/examples/index.ts";
import {
  conversations as contentConversations,
  cutOff as contentCutOff,
} from "./generate-content/examples/conversations.ts";
import { examples as generateContent } from "./generate-content/examples/index.ts";
import { conversations as imageConversations } from "./images/examples/conversations.ts";
import { examples as images } from "./images/examples/index.ts";
import { conversations as messageConversations, cutOff as messageCutOff } from "./messages/examples/conversations.ts";
import { examples as messages } from "./messages/examples/index.ts";

const inAll: Conversation = {
  name: "one conversation in several interfaces",
  exchanges: [chatCutOff, messageCutOff, contentCutOff],
};

/** Interface name to its examples of exchanges that belong together. */
const conversations: Readonly<Record<string, readonly Conversation[]>> = {
  "chat-completions": [...chatConversations, inAll],
  images: imageConversations,
  messages: [...messageConversations, inAll],
  "generate-content": [...contentConversations, inAll],
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
