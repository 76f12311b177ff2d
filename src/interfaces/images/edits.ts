/** Rules of POST /v1/images/edits. */
import { strictOnly, warns } from "../../check/clause.ts";
import { editForm } from "../../check/edit-form.ts";
import type { Rule } from "../../check/rule.ts";
import { type Subject, subjectWith } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { setField } from "./examples/edit-form.ts";
import { widerPng } from "./examples/small-png.ts";
import { fieldOf, filesOf, isMultiSpecific, isOperation, kindOf, mayBe, undecidedKind } from "./reading/fields.ts";
import {
  declaredFormat,
  editUpload,
  fileFormat,
  fileSize,
  square,
  transparency,
  uploadFault,
} from "./request/files.ts";
import { isMultipart, isText } from "./request/forms.ts";
import { countInRange, countIsDecimal, fieldFault, kindValues, noNullAsText, promptLength } from "./request/values.ts";

/** One image is called image, several are image[] (reading I-IMAGE-ARRAY). */
const imageFieldName: Rule = {
  clause: "images.edits.image-field-name",
  applies: (subject) => isOperation(subject, "edits") && filesOf(subject).images.length > 0,
  *check(subject) {
    const names = filesOf(subject).images.map(({ part }) => part.name);
    const plain = names.filter((name) => name === "image").length;
    const listed = names.length - plain;
    const fault = { expected: "image once, or image[] for each", actual: inWords(names.join(", ")) };
    if (plain > 1 || (plain > 0 && listed > 0))
      yield fieldFault(subject, "image", {
        ...fault,
        reading: warns("I-IMAGE-ARRAY"),
      });
    else if (listed === 1)
      yield fieldFault(subject, "image[]", {
        ...fault,
        reading: strictOnly("I-IMAGE-ARRAY"),
      });
  },
  spoil: (exchange) =>
    editForm(exchange, (fields) => {
      if (fields.filter(([name]) => name === "image[]").length < 2) return undefined;
      return fields.map(([name, value]) => [name === "image[]" ? "image" : name, value]);
    }),
};

/** With image-v2 there is one image. */
const oneImageForV2: Rule = {
  clause: "images.edits.image-v2-count",
  applies: (subject) =>
    isOperation(subject, "edits") && mayBe(subject, "image-v2") && filesOf(subject).images.length > 0,
  *check(subject) {
    const unknown = undecidedKind(subject);
    if (unknown) return yield unknown;
    const { images } = filesOf(subject);
    if (images.length > 1)
      yield uploadFault(images[0]!, { expected: "one image for image-v2", actual: inWords(`${images.length} images`) });
  },
  spoil: (exchange) =>
    editForm(exchange, (fields) => {
      const image = fields.find(([name]) => name === "image" || name === "image[]")?.[1];
      if (!image || !fields.some(([name]) => name === "model")) return undefined;
      const others = fields.filter(([name]) => name !== "image" && name !== "image[]");
      return [...others, ["image[]", image], ["image[]", image]];
    }),
};

/** The first part under the name of the images, even where it is no file. */
function firstImage({ request: { body } }: Subject): unknown {
  return body.kind === "form" ? body.parts.find(({ name }) => name === "image" || name === "image[]") : undefined;
}

/** The mask is as wide and as high as the first image. */
const maskDimensions: Rule = {
  clause: "images.edits.mask-dimensions",
  applies(subject) {
    const { images, mask } = filesOf(subject);
    return (
      isOperation(subject, "edits") &&
      images[0]?.facts.width !== undefined &&
      images[0].part === firstImage(subject) &&
      mask?.facts.format === "png" &&
      mask.facts.width !== undefined
    );
  },
  *check(subject) {
    const { images, mask } = filesOf(subject);
    const [wanted, actual] = [images[0], mask].map((upload) => `${upload?.facts.width}x${upload?.facts.height}`);
    if (mask && actual !== wanted)
      yield uploadFault(mask, { expected: `${wanted} pixels, as the image`, actual: inWords(actual!) });
  },
  spoil: (exchange) => editUpload(exchange, "mask", (upload) => ({ ...upload, bytes: widerPng(upload.bytes, 1) })),
};

/** Edits support image-v2 and image-multi. */
const modelSupported: Rule = {
  clause: "images.edits.model-supported",
  applies: (subject) =>
    isOperation(subject, "edits") &&
    typeof fieldOf(subject, "model") === "string" &&
    mayBe(subject, "image-v2", "image-v3", "image-multi"),
  *check(subject) {
    const unknown = undecidedKind(subject);
    if (unknown) return yield unknown;
    if (kindOf(subject) === "image-v3")
      yield fieldFault(subject, "model", {
        expected: "a model of kind image-v2 or image-multi",
        actual: fieldOf(subject, "model"),
      });
  },
  spoil: (exchange) => setField(exchange, "model", "image-v3"),
};

const limitsOfV2 = ["image-v2-format", "image-v2-size", "image-v2-square", "prompt-image-v2-length"];

/**
 * An edit that names image-multi without using anything of it keeps the limits of image-v2. This holds only if reading
 * I-TREATED-V2 is strict, because the sentence may be about requests that name no model.
 */
function treatedAsV2(rules: readonly Rule[]): Rule {
  const asV2 = (subject: Subject): Subject => subjectWith(subject, { ...subject.names, modelKind: () => "image-v2" });
  const parts = rules.filter(({ clause }) => limitsOfV2.includes(clause.replace("images.edits.", "")));
  return {
    clause: "images.edits.treated-as-image-v2",
    applies: (subject) =>
      isOperation(subject, "edits") &&
      filesOf(subject).images.length > 0 &&
      mayBe(subject, "image-v2", "image-multi") &&
      !isMultiSpecific(subject),
    *check(subject) {
      const unknown = undecidedKind(subject);
      if (unknown) return yield unknown;
      if (kindOf(subject) !== "image-multi") return;
      const copy = asV2(subject);
      for (const rule of parts)
        if (rule.applies(copy))
          for (const outcome of rule.check(copy) ?? []) {
            if ("needs" in outcome || outcome.reading) continue;
            yield { ...outcome, reading: { id: "I-TREATED-V2", default: "off", strict: "warning" } };
          }
    },
    spoil: (exchange) => {
      const asMulti = setField(exchange, "model", "image-multi");
      return asMulti && parts.find(({ clause }) => clause.endsWith("square"))?.spoil(asMulti);
    },
  };
}

const v2 = { operation: "edits", field: "image", kind: "image-v2" } as const;
const multi = { operation: "edits", field: "image", kind: "image-multi" } as const;
const mask = { operation: "edits", field: "mask" } as const;

const own: readonly Rule[] = [
  isMultipart("edits"),
  ...["model", "n", "prompt", "quality", "response_format", "size", "user"].map((field) => isText("edits", field)),
  imageFieldName,
  oneImageForV2,
  fileFormat("images.edits.image-v2-format", v2, ["png"]),
  fileSize("images.edits.image-v2-size", v2, 4),
  square("images.edits.image-v2-square", v2),
  transparency("images.edits.image-v2-transparency", v2, (subject) => !filesOf(subject).masked),
  fileFormat("images.edits.image-multi-format", multi, ["png", "webp", "jpeg"]),
  fileSize("images.edits.image-multi-size", multi, 25),
  declaredFormat("edits"),
  fileFormat("images.edits.mask-format", mask, ["png"]),
  fileSize("images.edits.mask-size", mask, 4),
  maskDimensions,
  transparency("images.edits.mask-transparency", mask, () => true),
  modelSupported,
  promptLength("edits", "image-v2", 1000),
  promptLength("edits", "image-multi", 32_000),
  kindValues("edits", "quality", "image-v2", ["standard"], {
    graded: { auto: strictOnly("I-QUALITY") },
  }),
  kindValues("edits", "quality", "image-multi", ["high", "medium", "low", "auto"]),
  kindValues("edits", "size", "image-v2", ["256x256", "512x512", "1024x1024"]),
  kindValues("edits", "size", "image-multi", ["1024x1024", "1536x1024", "1024x1536", "auto"]),
  countIsDecimal("edits"),
  countInRange("edits"),
  noNullAsText("edits"),
];

export const rules: readonly Rule[] = [...own, treatedAsV2(own)];
