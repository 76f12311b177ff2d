/** Rules on the credential of a chat request. */
import type { Rule } from "../../check/rule.ts";

export const rules: readonly Rule[] = [];
