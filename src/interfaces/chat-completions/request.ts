/** Rules on the body of a chat request, its method and its path. */
import type { Rule } from "../../check/rule.ts";

export const rules: readonly Rule[] = [];
