/** The cost of this interface's requests, and how they ask for less. */
import type { RequestCost } from "../../../check/interface-signs.ts";
import { utf8 } from "../../../wire/build.ts";
import { editBody } from "../../../wire/edit.ts";
import { isObject } from "../../../wire/json.ts";
import { isAbove, isLong, jsonOf, membersOf, within } from "../../common/cost.ts";

export const cost: RequestCost = {
  wholeFor: [
    "code-execution",
    "grounding",
    "image-output",
    "speech",
    "structured-output",
    "thinking",
    "tools",
    "url-context",
  ],
  bounded(exchange, min, max) {
    const body = jsonOf(exchange.request);
    if (!body) return exchange;
    const name = "generation_config" in body ? "generation_config" : "generationConfig";
    const config = body[name] ?? {};
    if (!isObject(config)) return exchange;
    const bounds = name === "generationConfig" ? ["maxOutputTokens"] : ["maxOutputTokens", "max_output_tokens"];
    const one = within(config, 0, 1, ["candidateCount", "candidate_count"], false);
    const changed = { ...body, [name]: within(one, min, max, bounds, true) };
    return editBody(exchange, "request", utf8(JSON.stringify(changed)));
  },
  isCostly(request) {
    const body = jsonOf(request) ?? {};
    const config = membersOf(body["generationConfig"] ?? body["generation_config"]);
    return (
      [config["candidateCount"], config["candidate_count"]].some((count) => isAbove(count, 1)) ||
      isLong(
        config["maxOutputTokens"],
        config["max_output_tokens"],
        membersOf(config["thinkingConfig"])["thinkingBudget"],
      )
    );
  },
};
