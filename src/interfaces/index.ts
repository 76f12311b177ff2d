/** The four interfaces of the documents, with the laws of their clauses. */
import type { Interface } from "../check/interface.ts";
import { compileLaws, lawClausesOf } from "../check/laws/compile.ts";
import { chatCompletions } from "./chat-completions/index.ts";
import { shippedClauses } from "./clause-data.ts";
import { generateContent } from "./generate-content/index.ts";
import { images } from "./images/index.ts";
import { messages } from "./messages/index.ts";

const withLaws = (own: Interface): Interface => ({
  ...own,
  rules: [...own.rules, ...compileLaws(lawClausesOf(shippedClauses.clauses, own.name))],
});

export const interfaces: readonly Interface[] = [chatCompletions, images, messages, generateContent].map(withLaws);
