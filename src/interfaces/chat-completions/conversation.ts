/** Rules on the messages of a chat request and the parts they are made of. */
import type { Rule } from "../../check/rule.ts";

export const rules: readonly Rule[] = [];
