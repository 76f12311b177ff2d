/** Good exchanges of POST /v1/images/variations. */
import type { Example } from "../../../check/example.ts";
import { example, opaque, pictures, transparent, urls, variation } from "./parts.ts";
import { paddedPng } from "./small-png.ts";

export const variations: readonly Example[] = [
  example("variation: an image alone", () => variation([["image", opaque]])),
  example("variation: every field of image-v2", () =>
    variation(
      [
        ["image", transparent],
        ["model", "image-v2"],
        ["n", "10"],
        ["response_format", "b64_json"],
        ["size", "256x256"],
        ["user", "user-17"],
      ],
      pictures(10, 256, 256),
    ),
  ),
  example("variation: image-v3 in a size of its own", () =>
    variation([
      ["image", opaque],
      ["model", "image-v3"],
      ["n", "1"],
      ["response_format", "url"],
      ["size", "1792x1024"],
    ]),
  ),
  example("variation: an image one byte below 4 MB", () =>
    variation(
      [
        ["image", { ...opaque, bytes: paddedPng(opaque.bytes, 3_999_999) }],
        ["n", "2"],
      ],
      urls(2),
    ),
  ),
];
