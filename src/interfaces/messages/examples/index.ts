/** Good exchanges of messages, rich enough that every decidable clause is exercised by at least one. */
import type { Example } from "../../../check/example.ts";
import { replies } from "./reply.ts";
import { requests } from "./request.ts";

export const examples: readonly Example[] = [...requests, ...replies];
