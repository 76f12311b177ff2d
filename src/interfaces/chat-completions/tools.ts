/** Rules on the tools of a chat request and the choice among them. */
import type { Rule } from "../../check/rule.ts";

export const rules: readonly Rule[] = [];
