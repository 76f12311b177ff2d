/** The embedded reference implementation of chat-completions. */
import type { Answer } from "../reference.ts";

export const answer: Answer = () => undefined;
