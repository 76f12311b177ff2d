/** Holds the readings about edits and variations, which are forms with files. */
import { describe } from "vitest";
import type { FormField } from "../../wire/build.ts";
import { edit, opaque, transparent, variation, wide, wideMask } from "./examples/parts.ts";
import { paddedPng } from "./examples/small-png.ts";
import { type Case, sent, testReadings, veiled } from "./readings.test-kit.ts";

const prompt = "A red kite over the sea";
const asked: FormField = ["prompt", prompt];
const v2: FormField = ["model", "image-v2"];
const multi: FormField = ["model", "image-multi"];
const padded = (size: number) => ({ ...transparent, bytes: paddedPng(transparent.bytes, size) });

const cases: readonly Case[] = [
  [
    "X-INT",
    "n as 1.0 in a form",
    () => edit([["image", transparent], asked, ["n", "1.0"]]),
    ["warning edits.n-type"],
    ["error edits.n-type"],
  ],
  [
    "I-QUALITY",
    "auto for image-v2 on edits",
    () => sent(edit([v2, ["image", transparent], asked, ["quality", "auto"]])),
    [],
    ["error edits.quality-image-v2-values"],
  ],
  [
    "I-TREATED-V2",
    "image-multi by its parameters",
    () => sent(edit([["image", wide], asked, ["size", "1536x1024"]])),
    [],
    [],
  ],
  [
    "I-TREATED-V2",
    "image-multi by the number of its images",
    () => sent(edit([["image[]", wide], ["image[]", wide], asked])),
    [],
    [],
  ],
  [
    "I-TREATED-V2",
    "no model and nothing of image-multi",
    () => sent(edit([["image", wideMask], asked])),
    ["error edits.image-v2-square"],
    ["error edits.image-v2-square"],
  ],
  [
    "I-TREATED-V2",
    "image-multi by name only, not square",
    () => sent(edit([multi, ["image", wide], asked])),
    [],
    ["warning edits.treated-as-image-v2"],
  ],
  [
    "I-IMAGE-ARRAY",
    "image twice",
    () => sent(edit([multi, ["image", wide], ["image", opaque], asked])),
    ["warning edits.image-field-name"],
    ["error edits.image-field-name"],
  ],
  [
    "I-IMAGE-ARRAY",
    "image[] once",
    () => sent(edit([["image[]", transparent], asked])),
    [],
    ["error edits.image-field-name"],
  ],
  [
    "I-MULTI-COUNT",
    "forty images",
    () => ({
      ...edit([multi, ...Array.from({ length: 40 }, (): FormField => ["image[]", wide]), asked]),
      response: null,
    }),
    [],
    [],
  ],
  [
    "I-MB",
    "between the decimal and the binary limit",
    () => sent(edit([["image", padded(4_100_000)], asked])),
    ["warning edits.image-v2-size"],
    ["error edits.image-v2-size"],
  ],
  [
    "I-MB",
    "exactly four million bytes",
    () => sent(variation([["image", padded(4_000_000)]])),
    ["warning variations.image-size"],
    ["error variations.image-size"],
  ],
  [
    "I-MB",
    "at the binary limit",
    () => sent(variation([["image", padded(4_194_304)]])),
    ["error variations.image-size"],
    ["error variations.image-size"],
  ],
  [
    "I-MASK-SIZE",
    "another shape than the first image",
    () => sent(edit([["image", opaque], ["mask", wideMask], asked])),
    ["error edits.mask-dimensions"],
    ["error edits.mask-dimensions"],
  ],
  [
    "I-ALPHA",
    "no alpha channel in the image",
    () => sent(edit([["image", opaque], asked])),
    ["error edits.image-v2-transparency"],
    ["error edits.image-v2-transparency"],
  ],
  [
    "I-ALPHA",
    "nothing transparent in the image",
    () => sent(edit([["image", veiled], asked])),
    ["warning edits.image-v2-transparency"],
    ["error edits.image-v2-transparency"],
  ],
  [
    "I-ALPHA",
    "no alpha channel in the mask",
    () => sent(edit([["image", opaque], ["mask", opaque], asked])),
    ["warning edits.mask-transparency"],
    ["error edits.mask-transparency"],
  ],
  [
    "I-SNIFF",
    "a PNG called JPEG",
    () => sent(variation([["image", { ...opaque, contentType: "image/jpeg" }]])),
    ["warning variations.declared-format"],
    ["error variations.declared-format"],
  ],
  [
    "I-SNIFF",
    "a PNG sent as plain text",
    () => sent(variation([["image", { ...opaque, contentType: "text/plain" }]])),
    ["warning variations.declared-format"],
    ["error variations.declared-format"],
  ],
  [
    "I-SNIFF",
    "a PNG sent as any bytes",
    () => sent(variation([["image", { ...opaque, contentType: "application/octet-stream" }]])),
    [],
    ["error variations.declared-format"],
  ],
  [
    "I-VAR-MULTI",
    "image-multi on variations",
    () => sent(variation([multi, ["image", opaque]])),
    ["warning variations.model-image-multi"],
    ["error variations.model-image-multi"],
  ],
  [
    "I-FORM-NULL",
    "null as text",
    () => sent(edit([["image", transparent], asked, ["n", "null"], ["size", ""]])),
    ["warning edits.null-values", "warning edits.null-values"],
    ["error edits.null-values", "error edits.null-values"],
  ],
];

describe("readings of image forms", () => {
  testReadings(cases);
});
