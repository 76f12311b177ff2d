/** The embedded reference implementation of generate-content. */
import type { Answer } from "../reference.ts";

export const answer: Answer = () => undefined;
