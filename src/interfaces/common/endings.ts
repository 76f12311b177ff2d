/** Reasons to end that tell what a model did, as servers of any interface write them. */
import type { ActionSigns } from "../../check/interface-signs.ts";

export const endings: ActionSigns["endings"] = {
  stop_sequence: "meet the stop sequence",
  length: "reach the token bound",
  max_tokens: "reach the token bound",
  MAX_TOKENS: "reach the token bound",
};
