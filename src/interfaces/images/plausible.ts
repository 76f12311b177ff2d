/** Rules on values of an image response that cannot be right, though their types are. */

import type { Rule } from "../../check/rule.ts";
import { isObject } from "../../wire/json.ts";
import { countsIn, countsNotNegative, createdNearby } from "../common/plausible.ts";
import { editObject } from "./examples/edit-form.ts";

export const rules: readonly Rule[] = [
  countsNotNegative(
    "images.plausible.tokens-not-negative",
    ({ replyJson }) => {
      const usage = replyJson?.["usage"];
      if (!isObject(usage)) return [];
      const paths = ["total_tokens", "input_tokens", "output_tokens"];
      const details = ["text_tokens", "image_tokens"].map((name) => `input_tokens_details/${name}`);
      return countsIn({ value: usage, spot: { in: "body", pointer: "/usage" } }, [...paths, ...details]);
    },
    (exchange) =>
      editObject(exchange, "response", ({ usage }) => {
        if (isObject(usage))
          Object.assign(usage, { output_tokens: -1, total_tokens: Number(usage["input_tokens"]) - 1 });
      }),
  ),
  createdNearby(
    "images.plausible.created-near-exchange",
    ({ replyJson }) => {
      const created = replyJson?.["created"];
      return typeof created === "number" ? [{ value: created, spot: { in: "body", pointer: "/created" } }] : [];
    },
    (exchange) =>
      editObject(exchange, "response", (body) => void (body["created"] = Number(body["created"]) - 3 * 86_400)),
  ),
];
