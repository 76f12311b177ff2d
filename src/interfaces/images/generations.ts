/** Rules of POST /v1/images/generations. */

import { warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import { bodyIsJson, contentTypeIsJson } from "../common/request.ts";
import { setField } from "./examples/edit-form.ts";
import { fieldOf, isOperation, kindOf } from "./reading/fields.ts";
import { kindValues, oneForImageV3, onlyImageV3, promptLength } from "./request/values.ts";

/** A rule of another operation's making, kept to generations. */
function here(rule: Rule): Rule {
  // Under another method than POST there is nothing to send.
  const applies: Rule["applies"] = (subject) =>
    isOperation(subject, "generations") && subject.exchange.request.method === "POST" && rule.applies(subject);
  return { ...rule, applies };
}

/** The table of the document has image-v2 and image-v3 only; image-multi passes unless reading I-GEN-MULTI is strict. */
const kinds: Rule = {
  clause: "images.generations.kinds",
  applies: (subject) => isOperation(subject, "generations") && /^image-/.test(kindOf(subject) ?? ""),
  *check(subject) {
    if (kindOf(subject) === "image-multi")
      yield {
        side: "request",
        in: "body",
        pointer: "/model",
        expected: "image-v2 or image-v3, the kinds whose fields are documented here",
        actual: fieldOf(subject, "model"),
        reading: { id: "I-GEN-MULTI", default: "off", strict: "warning" },
      };
  },
  spoil: (exchange) => setField(exchange, "model", "image-multi"),
};

export const rules: readonly Rule[] = [
  here(bodyIsJson("images.generations.body-json")),
  here(contentTypeIsJson("images.generations.content-type")),
  kinds,
  promptLength("generations", "image-v2", 1000),
  promptLength("generations", "image-v3", 4000),
  promptLength("generations", "image-multi", 32_000),
  oneForImageV3("generations"),
  kindValues("generations", "quality", "image-v3", ["standard", "hd"], { name: "quality-values" }),
  onlyImageV3("quality", ["image-v2"], { standard: warns("I-QUALITY") }),
  kindValues("generations", "size", "image-v2", ["256x256", "512x512", "1024x1024"]),
  kindValues("generations", "size", "image-v3", ["1024x1024", "1792x1024", "1024x1792"]),
  onlyImageV3("style", ["image-v2", "image-multi"]),
];
