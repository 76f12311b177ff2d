/** Names and grades the clauses of this section. */
import type { Grade } from "../../../check/clause.ts";

export const id = (name: string): string => `chat-completions.exchange.${name}`;

export const graded = (
  reading: string,
  atDefault: Grade["default"],
  strict: Grade["strict"] = "error",
): { reading: Grade } => ({
  reading: { id: reading, default: atDefault, strict },
});
