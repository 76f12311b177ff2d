/** Good exchanges of messages, rich enough that every decidable clause is exercised by at least one. */
import type { Example } from "../examples.ts";
import { replies } from "./examples-reply.ts";
import { requests } from "./examples-request.ts";

export const examples: readonly Example[] = [...requests, ...replies];
