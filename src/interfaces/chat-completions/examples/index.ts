/** Good exchanges of chat-completions, rich enough that every decidable clause is exercised by at least one. */
import type { Example } from "../../../check/example.ts";
import { examples as lists } from "./lists.ts";
import { refusals } from "./refusals.ts";
import { examples as requests } from "./request.ts";
import { examples as replies } from "./response.ts";
import { examples as streams } from "./stream.ts";

export const examples: readonly Example[] = [...requests, ...replies, ...streams, ...lists, ...refusals];
