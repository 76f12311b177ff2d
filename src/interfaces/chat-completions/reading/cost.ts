/** The cost of this interface's requests, and how they ask for less. */
import type { RequestCost } from "../../../check/interface-signs.ts";
import { utf8 } from "../../../wire/build.ts";
import { editBody } from "../../../wire/edit.ts";
import { isAbove, isLong, jsonOf, within } from "../../common/cost.ts";

export const cost: RequestCost = {
  wholeFor: ["audio", "functions", "json-mode", "prediction", "reasoning", "structured-output", "tools", "web-search"],
  bounded(exchange, min, max) {
    const body = jsonOf(exchange.request);
    if (!body) return exchange;
    const single = within(body, 0, 1, ["n"], false);
    const changed = within(single, min, max, ["max_tokens", "max_completion_tokens"], true);
    return editBody(exchange, "request", utf8(JSON.stringify(changed)));
  },
  isCostly(request) {
    const { n, max_tokens: before, max_completion_tokens: now } = jsonOf(request) ?? {};
    return isAbove(n, 1) || isLong(before, now);
  },
};
