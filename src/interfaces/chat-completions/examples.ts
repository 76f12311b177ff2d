/** Good exchanges of chat-completions, rich enough that every decidable clause is exercised by at least one. */
import type { Example } from "../examples.ts";
import { examples as request } from "./examples-request.ts";

export const examples: readonly Example[] = [...request];
