/** Failed image exchanges: requests in order that fail all the same, and requests at fault that are refused. */

import type { Example } from "../../../check/example.ts";
import { editHeader } from "../../../wire/edit.ts";
import { edit, example, failure, generation, jpeg, opaque, variation } from "./parts.ts";

const prompt = "A red kite over the sea";

/** Nothing is wrong with these requests as far as the document goes. */
export const failures: readonly Example[] = [
  example("a prompt against the content policy", () =>
    generation({ prompt }, failure(400, "Your request was rejected by the safety system.")),
  ),
  example("a failure that is no JSON", () =>
    generation(
      { prompt },
      { status: 502, headers: [["content-type", "text/html"]], body: Buffer.from("<h1>Bad gateway</h1>") },
    ),
  ),
];

/** These requests break the document, and are answered as it says: their findings are all on the request. */
const refused: readonly Example[] = [
  example("no key, refused", () =>
    editHeader(generation({ prompt }, failure(401, "No key was given.")), "request", "Authorization", undefined),
  ),
  example("too many images, refused", () => generation({ prompt, n: 11 }, failure(400, "n is at most 10", "n"))),
  example("a photograph for a variation, refused", () =>
    variation([["image", jpeg]], failure(400, "The image must be a PNG.", "image")),
  ),
  example("an edit without transparency, refused", () =>
    edit(
      [
        ["image", opaque],
        ["prompt", prompt],
      ],
      failure(400, "The image needs transparency.", "image"),
    ),
  ),
];

/** The same, marked as broken on purpose; each is still made only when it is asked for. */
export const refusals: readonly Example[] = refused.map((one) => Object.assign(one, { probe: true }));
