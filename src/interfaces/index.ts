/** The four interfaces of the documents. */
import type { Interface } from "../check/interface.ts";
import { chatCompletions } from "./chat-completions/index.ts";
import { generateContent } from "./generate-content/index.ts";
import { images } from "./images/index.ts";
import { messages } from "./messages/index.ts";

export const interfaces: readonly Interface[] = [chatCompletions, images, messages, generateContent];
