/** Good exchanges of generate-content, rich enough that every decidable clause is exercised by at least one. */
import type { Example } from "../../../check/example.ts";
import { errorExamples, replyExamples } from "./reply.ts";
import { requestExamples } from "./request.ts";
import { streamExamples } from "./stream.ts";

/** Requests alone come first: what is wrong with a request is then seen without what a reply makes of it. */
export const examples: readonly Example[] = [...requestExamples, ...replyExamples, ...errorExamples, ...streamExamples];
