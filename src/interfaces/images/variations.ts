/** Rules of POST /v1/images/variations. */
import { warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import { setField } from "./examples/edit-form.ts";
import { fieldOf, isOperation, kindOf, mayBe, undecidedKind } from "./reading/fields.ts";
import { declaredFormat, fileFormat, fileSize, square } from "./request/files.ts";
import { isMultipart, isText } from "./request/forms.ts";
import { countInRange, countIsDecimal, kindValues, noNullAsText, oneForImageV3 } from "./request/values.ts";

/** Another kind than image-v2 has its limits of its own, which variations do not know (reading I-VAR-MULTI). */
const modelIsNotMulti: Rule = {
  clause: "images.variations.model-image-multi",
  applies: (subject) => isOperation(subject, "variations") && mayBe(subject, "image-v2", "image-v3", "image-multi"),
  *check(subject) {
    const unknown = undecidedKind(subject);
    if (unknown) return yield unknown;
    if (kindOf(subject) === "image-multi")
      yield {
        side: "request",
        in: "form",
        pointer: "/model",
        expected: "a model whose images are PNG, below 4 MB and square",
        actual: fieldOf(subject, "model"),
        reading: warns("I-VAR-MULTI"),
      };
  },
  spoil: (exchange) => setField(exchange, "model", "image-multi"),
};

const image = { operation: "variations", field: "image" } as const;

export const rules: readonly Rule[] = [
  isMultipart("variations"),
  ...["model", "n", "response_format", "size", "user"].map((field) => isText("variations", field)),
  fileFormat("images.variations.image-format", image, ["png"]),
  fileSize("images.variations.image-size", image, 4),
  square("images.variations.image-square", image),
  declaredFormat("variations"),
  modelIsNotMulti,
  countIsDecimal("variations"),
  countInRange("variations"),
  oneForImageV3("variations"),
  kindValues("variations", "size", "image-v2", ["256x256", "512x512", "1024x1024"]),
  kindValues("variations", "size", "image-v3", ["1024x1024", "1792x1024", "1024x1792"]),
  noNullAsText("variations"),
];
