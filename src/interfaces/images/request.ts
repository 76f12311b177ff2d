/** Rules every image request is under: method, version, model kind. */

import type { Rule } from "../../check/rule.ts";
import { duplicateKeys } from "../common/json.ts";
import { pathPrefix, requestMethod } from "../common/request.ts";
import { setField } from "./examples/edit-form.ts";
import { fieldOf, fieldText, kindOf } from "./reading/fields.ts";
import { fieldFault } from "./request/values.ts";

/** A model nobody mapped to a kind is only worth a word where reading I-KIND is strict. */
const modelKinds: Rule = {
  clause: "images.request.model-kinds",
  applies: (subject) => fieldText(subject, "model") !== undefined,
  *check(subject) {
    if (kindOf(subject) === "unknown")
      yield fieldFault(subject, "model", {
        expected: "a model of kind image-v2, image-v3 or image-multi",
        actual: fieldOf(subject, "model"),
        reading: { id: "I-KIND", default: "off", strict: "warning" },
      });
  },
  spoil: (exchange) => setField(exchange, "model", "a-model-of-no-known-kind"),
};

export const rules: readonly Rule[] = [
  requestMethod("images.request.method-post"),
  pathPrefix("images.request.path-version", "/v1"),
  duplicateKeys("images.request.duplicate-members", "request"),
  modelKinds,
];
