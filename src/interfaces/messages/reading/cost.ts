/** The cost of this interface's requests, and how they ask for less. */
import type { RequestCost } from "../../../check/interface-signs.ts";
import { utf8 } from "../../../wire/build.ts";
import { editBody } from "../../../wire/edit.ts";
import { isLong, jsonOf, membersOf, within } from "../../common/cost.ts";

export const cost: RequestCost = {
  wholeFor: ["computer-use", "thinking", "tools"],
  bounded(exchange, min, max) {
    const body = jsonOf(exchange.request);
    // The budget of thinking lies below the bound on the reply.
    if (!body || "thinking" in body) return exchange;
    return editBody(exchange, "request", utf8(JSON.stringify(within(body, min, max, ["max_tokens"], false))));
  },
  isCostly(request) {
    const { max_tokens: tokens, thinking } = jsonOf(request) ?? {};
    return isLong(tokens, membersOf(thinking)["budget_tokens"]);
  },
};
