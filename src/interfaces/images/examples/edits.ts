/** Good exchanges of POST /v1/images/edits. */

import type { Example } from "../../../check/example.ts";
import type { FormField } from "../../../wire/build.ts";
import {
  edit,
  example,
  file,
  jpeg,
  opaque,
  pictures,
  transparent,
  unanswered,
  urls,
  usage,
  webp,
  wide,
  wideMask,
} from "./parts.ts";
import { paddedPng } from "./small-png.ts";

const prompt: FormField = ["prompt", "Put a lighthouse on the shore"];

export const edits: readonly Example[] = [
  example("edit: a transparent image is its own mask", () => edit([["image", transparent], prompt])),
  example("edit: every field of image-v2, with a mask", () =>
    edit(
      [
        ["image", opaque],
        ["mask", transparent],
        prompt,
        ["model", "image-v2"],
        ["n", "2"],
        ["quality", "standard"],
        ["size", "256x256"],
        ["response_format", "b64_json"],
        ["user", "user-17"],
      ],
      pictures(2, 256, 256),
    ),
  ),
  example("edit: image-v2 named, nothing else", () =>
    edit([
      ["model", "image-v2"],
      ["image", transparent],
      prompt,
      ["quality", "auto"],
      ["response_format", "url"],
      ["size", "1024x1024"],
    ]),
  ),
  example("edit: three images of three formats for image-multi", () =>
    edit(
      [
        ["model", "image-multi"],
        ["image[]", wide],
        ["image[]", webp],
        ["image[]", jpeg],
        ["mask", wideMask],
        prompt,
        ["quality", "high"],
        ["size", "1536x1024"],
        ["n", "1"],
        ["response_format", "b64_json"],
      ],
      pictures(1, 1536, 1024, { usage }),
    ),
  ),
  example("edit: one image for image-multi in a list of one", () =>
    edit(
      [["model", "image-multi"], ["image[]", opaque], prompt, ["quality", "auto"], ["size", "auto"]],
      urls(1, { usage }),
    ),
  ),
  example("edit: no model, but what only image-multi knows", () =>
    edit([["image[]", opaque], ["image[]", transparent], prompt, ["quality", "low"]], urls(1, { usage })),
  ),
  example("edit: no model, and a photograph", () => edit([["image", jpeg], prompt], urls(1, { usage }))),
  example("edit: a model nobody mapped to a kind", () =>
    edit([["model", "my-model"], ["image", wide], prompt, ["response_format", "url"]]),
  ),
];

/** Files one byte below the limits, and prompts at them. */
export const boundaries: readonly Example[] = [
  example("edit: an image and a mask one byte below 4 MB", () =>
    edit([
      ["image", { ...opaque, bytes: paddedPng(opaque.bytes, 3_999_999) }],
      ["mask", { ...transparent, bytes: paddedPng(transparent.bytes, 3_999_999) }],
      prompt,
    ]),
  ),
  example("edit: an edit under a prompt of 1000 astral characters", () =>
    edit(
      [
        ["image", transparent],
        ["prompt", "\u{1F30A}".repeat(1000)],
      ],
      null,
    ),
  ),
  example("edit: an edit under a prompt of 32000 letters", () =>
    edit(
      [
        ["model", "image-multi"],
        ["image", opaque],
        ["prompt", "w".repeat(32_000)],
      ],
      urls(1, { usage }),
    ),
  ),
  unanswered(
    example("edit: an image one byte below 25 MB for image-multi", () =>
      edit([["model", "image-multi"], ["image", file(paddedPng(opaque.bytes, 24_999_999))], prompt], null),
    ),
  ),
];
