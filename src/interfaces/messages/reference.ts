/** The embedded reference implementation of messages. */
import type { Answer } from "../reference.ts";

export const answer: Answer = () => undefined;
