/** Good exchanges of chat-completions, rich enough that every decidable clause is exercised by at least one. */
import type { Example } from "../examples.ts";
import { examples as lists } from "./examples-lists.ts";
import { refusals } from "./examples-refusals.ts";
import { examples as requests } from "./examples-request.ts";
import { examples as replies } from "./examples-response.ts";
import { examples as streams } from "./examples-stream.ts";

export const examples: readonly Example[] = [...requests, ...replies, ...streams, ...lists, ...refusals];
